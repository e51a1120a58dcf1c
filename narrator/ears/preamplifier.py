"""A microphone that is too quiet for its voices to pass for voices, made louder; and how loud they are."""

from __future__ import annotations

from collections import deque

from narrator.ears.levelling import amplified
from narrator.ears.microphone import Microphone
from narrator.ears.sound import Block
from narrator.ears.voicing import BLOCK_SECONDS, level

MEMORY_SECONDS = 2.0
"""A word and the pauses around it."""


class Preamplifier:
    """Hands on the blocks of ``microphone``, ``gain`` dB louder; both may be changed at any time.

    From ``begin_metering`` to ``end_metering`` it remembers their levels for two seconds.
    """

    def __init__(self, microphone: Microphone, gain: float = 0.0) -> None:
        self._microphone = microphone
        self.gain = gain
        self._metering = False
        self._levels: deque[float] = deque(maxlen=round(MEMORY_SECONDS / BLOCK_SECONDS))

    @property
    def loudest(self) -> float:
        """The level of the loudest block of late, before the gain, in dB of full scale; -120 for silence."""
        return max(self._levels, default=-120.0)

    def begin_metering(self) -> None:
        """Forget what was loud before, such as the program itself, and look at the levels from now on."""
        self._levels.clear()
        self._metering = True

    def end_metering(self) -> None:
        """Look at the levels no more."""
        self._metering = False

    def read(self) -> Block:
        """The next block; raises what the microphone raises."""
        block = self._microphone.read()
        if self._metering:
            self._levels.append(level(block))
        return amplified(block, 10 ** (self.gain / 20)) if self.gain else block

    def close(self) -> None:
        """Let the microphone go."""
        self._microphone.close()
