"""The table: the only loop. Each block of the microphone is one tick of everything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from narrator.heard import Heard
from narrator.moderator.effects import Effect, End, Expect, Note, StartTimer, StopTimer
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Elapsed, Input, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.mouth.voicepack import VoicePack
from narrator.table.blocks import BLOCK_SECONDS
from narrator.table.keyboard import Keyboard
from narrator.table.listening import Ears, Listener
from narrator.table.performance import Performance
from narrator.table.witness import Witness
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook


class Microphone(Protocol):
    """The clock: whoever gives a block every 20 ms."""

    def read(self) -> NDArray[np.int16]:
        """The next 320 samples at 16 kHz."""

    def close(self) -> None:
        """Let the device go."""


class Session:
    """One evening at one table.

    Everything the moderator learns comes through here, spoken or typed, and is handed to the witnesses
    (the journal among them) before it takes effect.
    """

    def __init__(
        self,
        moderator: Moderator,
        microphone: Microphone,
        performance: Performance,
        pack: VoicePack,
        phrasebook: Phrasebook,
        *,
        ears: Ears | None = None,
        keyboard: Keyboard | None = None,
        witnesses: Sequence[Witness] = (),
        pace: float = 1.0,
    ) -> None:
        self.moderator = moderator
        self.microphone = microphone
        self.performance = performance
        self.elapsed = 0.0
        """Seconds of the table's clock since the start."""
        self._pack = pack
        self._phrasebook = phrasebook
        self._ears = ears
        self._keyboard = keyboard
        self._witnesses = witnesses
        self._pace = pace
        self._timers: dict[str, float] = {}
        self._open: Expect | None = None
        self._listener: Listener | None = None
        self._waited = 0.0
        self._typed: str | None = None
        self._over = False

    @property
    def over(self) -> bool:
        """Whether the last word has been said."""
        return self._over and self.performance.idle

    def begin(self, effects: Iterable[Effect] | None = None) -> None:
        """Open the evening, or go on with ``effects`` where another session left it."""
        self._perform(self.moderator.begin() if effects is None else effects)

    def run(self) -> None:
        """Tick until the evening is over or nobody can answer any more."""
        while not self.over and not self._deserted():
            self.tick(self.microphone.read())

    def tick(self, block: NDArray[np.int16]) -> None:
        """One block: the clock moves, sound goes on, something may be heard."""
        self.elapsed += BLOCK_SECONDS
        self.performance.loudspeaker.advance(BLOCK_SECONDS)
        self._read_keyboard()
        if self._open is None:
            expect = self.performance.tick(BLOCK_SECONDS)
            if expect is not None:
                self._open_for(expect)
            return
        self._listen(self._open, block)

    def _deserted(self) -> bool:
        """Nobody can answer: no ears, and the keyboard's input has ended."""
        return (
            self._ears is None
            and (self._keyboard is None or self._keyboard.closed)
            and self._open is not None
        )

    def _read_keyboard(self) -> None:
        if self._keyboard is None or self._typed is not None:
            return
        self._typed = self._keyboard.poll()
        if self._typed is not None and self._open is None:
            self.performance.cut()

    def _open_for(self, expect: Expect) -> None:
        self._open = expect
        self._waited = 0.0
        expectation = expect.expectation
        self._listener = self._ears.listen(expectation) if self._ears and expectation.voice else None
        for witness in self._witnesses:
            witness.opened(expect)

    def _listen(self, expect: Expect, block: NDArray[np.int16]) -> None:
        if self._typed is not None:
            typed, self._typed = self._typed, None
            if typed.strip():
                self._take_heard(Heard(typed, typed=True), expect)
            return
        if self._listener is not None:
            heard = self._listener.feed(block)
            if heard is not None:
                self._take_heard(heard, expect)
                return
        if not expect.holds and self._timer_ran_out():
            return
        self._be_patient(expect)

    def _be_patient(self, expect: Expect) -> None:
        self._waited += BLOCK_SECONDS
        silence = self._listener.silence if self._listener is not None else self._waited
        if not expect.patience or min(silence, self._waited) < self._pack.wait(expect.patience) * self._pace:
            return
        if self._listener is None and not expect.expectation.private and self._ears is None:
            # At a keyboard alone nobody needs to be hurried: the question stands on the screen.
            return
        self._take(Unclear(Why.SILENCE))

    def _timer_ran_out(self) -> bool:
        for timer in self._timers:
            self._timers[timer] -= BLOCK_SECONDS
        for timer, left in self._timers.items():
            if left <= 0:
                del self._timers[timer]
                self._take(Elapsed(timer))
                return True
        return False

    def _take_heard(self, heard: Heard, expect: Expect) -> None:
        event: Input = understand(heard, expect.expectation, self._phrasebook)
        if isinstance(event, Unclear) and expect.expectation.kind is Kind.PASS and not heard.typed:
            # A speaker talks; what is not 过 and no command is just talk.
            self._listener = self._ears.listen(expect.expectation) if self._ears else None
            return
        for witness in self._witnesses:
            witness.heard(heard, event)
        self._take(event)

    def _take(self, event: Input) -> None:
        """Close the ears, let the input be written down, then let it take effect."""
        self._open, self._listener = None, None
        for witness in self._witnesses:
            witness.taken(event)
        self._perform(self.moderator.handle(event))

    def _perform(self, effects: Iterable[Effect]) -> None:
        lines: list[Effect] = []
        for effect in effects:
            match effect:
                case Note():
                    for witness in self._witnesses:
                        witness.noted(effect)
                case StartTimer(timer, seconds):
                    self._timers[timer] = seconds
                case StopTimer(timer):
                    self._timers.pop(timer, None)
                case End():
                    self._over = True
                case _:
                    lines.append(effect)
        if self._keyboard is not None:
            # Before the question is even put: a judge who knows what comes types at once.
            self._keyboard.hide(any(isinstance(e, Expect) and e.expectation.private for e in lines))
        self.performance.add(lines)
