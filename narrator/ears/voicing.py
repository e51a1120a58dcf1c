"""Whether a block sounds like a voice nearby: loudness against a noise floor that follows the room."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from narrator.ears.sound import BLOCK, SAMPLE_RATE, Block

BLOCK_SECONDS = BLOCK / SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class VoicingSettings:
    """Levels in dB of full scale, times in seconds."""

    first_floor: float = -60.0
    """Noise floor assumed until the room has been heard."""
    lowest_floor: float = -72.0
    """A floor below this is taken for this: digital silence is no room."""
    on: float = 8.0
    """A voice begins this much above the floor."""
    off: float = 5.0
    """A voice goes on while it is this much above the floor."""
    fall: float = 26.0
    """A voice has ended when it is this much below its own loudest block, whatever the floor."""
    breath: float = 35.0
    """What is this much below the voice that has just ended is its breath or its lips, no other voice …"""
    lingers: float = 0.4
    """… for so long."""
    memory: float = 3.0
    """The floor is a low quantile of the levels of this long."""
    quantile: float = 0.15
    """Which quantile: the share of the time that even a fluent speaker pauses."""


def level(block: Block) -> float:
    """Loudness of the speech band (150 to 4,000 Hz) of ``block`` in dB of full scale; -120 for silence."""
    samples = block.astype(np.float32)
    spectrum = np.fft.rfft(samples)
    hertz = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)
    # Hum, handling noise and hiss lie outside the band, so they neither start nor prolong a voice.
    band = np.abs(spectrum[(hertz >= 150) & (hertz <= 4000)]) ** 2
    power = 2 * float(np.sum(band)) / len(samples) ** 2 / 32768.0**2
    return 10 * float(np.log10(max(power, 1e-12)))


class Voicing:
    """Tells block by block whether a voice is heard; ``floor`` is the room's noise floor if it is known."""

    def __init__(self, settings: VoicingSettings | None = None, floor: float | None = None) -> None:
        self._settings = settings or VoicingSettings()
        self._assumed = self._settings.first_floor if floor is None else floor
        self._levels: deque[float] = deque(maxlen=round(self._settings.memory / BLOCK_SECONDS))
        self._loudest = -120.0
        self._quietest = -120.0
        self._quiet = math.inf
        self.floor = max(self._assumed, self._settings.lowest_floor)
        self.active = False

    def above(self, sound: Iterable[Block]) -> float:
        """By how many dB the loudest of some blocks stands out of the floor of now."""
        return max(map(level, sound)) - self.floor

    def feed(self, block: Block) -> bool:
        """Take 20 ms; True while a voice is on."""
        now = level(block)
        self._levels.append(now)
        self.floor = self._quantile()
        if self.active:
            self._loudest = max(self._loudest, now)
            self.active = now > max(self.floor + self._settings.off, self._loudest - self._settings.fall)
            self._quietest, self._quiet = now, 0.0
        else:
            self._quietest = min(self._quietest, now)
            self._quiet += BLOCK_SECONDS
            self.active = self._begins(now)
            self._loudest = now if self.active else self._loudest
        return self.active

    def _begins(self, now: float) -> bool:
        # What a voice leaves in the room is above the floor too, but it doesn't rise.
        if now <= max(self.floor, self._quietest) + self._settings.on:
            return False
        return self._quiet > self._settings.lingers or now > self._loudest - self._settings.breath

    def _quantile(self) -> float:
        # In the first second the assumed floor stands in for what hasn't been heard yet.
        unheard = max(0, round(1 / BLOCK_SECONDS) - len(self._levels))
        levels = np.array([*self._levels, *[self._assumed] * unheard])
        rank = int(len(levels) * self._settings.quantile)
        return max(float(np.partition(levels, rank)[rank]), self._settings.lowest_floor)
