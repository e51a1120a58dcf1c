"""The table: the only loop. Each block of the microphone is one tick of everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from narrator.ears.microphone import Microphone
from narrator.heard import Heard
from narrator.moderator.effects import Effect, Expect, Say
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Command, Elapsed, Input, Unclear, Why
from narrator.mouth.voicepack import VoicePack
from narrator.table.attention import Attention
from narrator.table.backstage import Backstage
from narrator.table.blocks import BLOCK, BLOCK_SECONDS
from narrator.table.gauges import read_off
from narrator.table.host import Host
from narrator.table.keyboard import Keyboard
from narrator.table.keyless import without_keys
from narrator.table.listening import Ears
from narrator.table.notices import Notices
from narrator.table.performance import Performance
from narrator.table.timers import Timers
from narrator.table.witness import Witness
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook

# Typed while a line is being said, these wait for its end.
PATIENT = ("help", "living", "day", "louder", "softer", "faster", "slower")

# Silences after which a question is put again at the usual pace; a room that is empty hears it ever less.
PROMPT_SILENCES = 3


class Session:
    """One evening at one table.

    Everything the moderator learns comes through here, spoken or typed, and is handed to the witnesses
    (the journal among them) before it takes effect. What ``notices`` brings is told to the witnesses, and
    aloud where the voice pack has a line ``fault.<key>`` for it. ``check_room`` carries out ``CheckRoom``,
    with sessions of its own at the same table, and comes back when that is done. ``reword`` carries out
    ``Wording``: it has mouth and ears use another voice pack, and gives that one and its phrases, or None
    where it can't be had.
    """

    def __init__(
        self,
        moderator: Host,
        microphone: Microphone,
        performance: Performance,
        pack: VoicePack,
        phrasebook: Phrasebook,
        *,
        ears: Ears | None = None,
        keyboard: Keyboard | None = None,
        witnesses: Sequence[Witness] = (),
        pace: float = 1.0,
        notices: Notices | None = None,
        check_room: Callable[[], None] = lambda: None,
        reword: Callable[[str], tuple[VoicePack, Phrasebook] | None] = lambda locale: None,
    ) -> None:
        self.moderator = moderator
        self.microphone = microphone
        self.performance = performance
        self.elapsed = 0.0
        """Seconds of the table's clock since the start."""
        self._pack = pack
        self._phrasebook = phrasebook
        self._keyboard = keyboard
        self._witnesses = witnesses
        self._pace = pace
        self._notices = notices or Notices()
        self._attention = Attention(ears, self._notices)
        self._reword = reword
        self._speaker_lost = False
        self._leaving = False
        self._left = False
        self._timers = Timers()
        self._backstage = Backstage(self._timers, witnesses, check_room, self._change_wording)
        self._open: Expect | None = None
        self._typed: str | None = None

    @property
    def over(self) -> bool:
        """Whether the last word has been said."""
        return (self._backstage.over or self._left) and self.performance.idle

    @property
    def finished(self) -> bool:
        """Whether the moderator has come to an end, rather than being left in the middle."""
        return self._backstage.over

    @property
    def open(self) -> Expect | None:
        """The question that may be answered now."""
        return self._open

    @property
    def timers(self) -> Mapping[str, float]:
        """Seconds left of each timer; they run while a question is open."""
        return self._timers.left

    def begin(self, effects: Iterable[Effect] | None = None) -> None:
        """Open the evening, or go on with ``effects`` where another session left it."""
        self._perform(self.moderator.begin() if effects is None else effects)

    def run(self) -> None:
        """Tick until the evening is over or nobody can answer any more."""
        # The first line waits neither for the microphone's first block nor for the recogniser's model.
        self.tick(np.zeros(BLOCK, np.int16))
        self._attention.warm()
        while not self.over:
            self.tick(self.microphone.read())
            if self._deserted():
                self.leave()

    def leave(self) -> None:
        """Stop in the middle, as soon as the table has been told so; may be called by a signal's handler."""
        self._leaving = True

    def tick(self, block: NDArray[np.int16]) -> None:
        """One block: the clock moves, sound goes on, something may be heard."""
        self.elapsed += BLOCK_SECONDS
        self.performance.loudspeaker.advance(BLOCK_SECONDS)
        if self._leaving and not self._left:
            self._say_goodbye()
        if not self._left:
            self._read_keyboard()
            self._tell_notices()
        if self._open is None:
            expect = self.performance.tick(BLOCK_SECONDS)
            if expect is not None:
                self._open_for(expect)
            return
        self._listen(self._open, block)

    def _deserted(self) -> bool:
        """Nobody can answer: no ears, and the keyboard's input has ended."""
        return (
            self._attention.deaf
            and (self._keyboard is None or self._keyboard.closed)
            and self._open is not None
        )

    def _read_keyboard(self) -> None:
        if self._keyboard is None or self._typed is not None:
            return
        self._typed = self._keyboard.poll()
        if self._typed is not None and self._open is None and not self._lets_speak(self._typed):
            self.performance.cut()

    def _lets_speak(self, typed: str) -> bool:
        """Whether what was typed while something is being said leaves it be.

        暂停 counts now, and the rest is said later; a question about the game, or a wish for another volume
        or tempo, waits until all is said.
        """
        coming = self.performance.coming
        if coming is None:
            return False
        heard = Heard(typed, typed=True)
        event = understand(heard, coming.expectation, self._phrasebook)
        if not isinstance(event, Command) or event.name != "pause":
            return isinstance(event, Command) and event.name in PATIENT
        event = replace(event, unsaid=self.performance.unsaid)
        self._typed = None
        self.performance.drop()
        for witness in self._witnesses:
            witness.heard(heard, event)
        self._take(event)
        return True

    def _tell_notices(self) -> None:
        """Tell what happened to devices, once, on the screen and aloud; the open question stays open."""
        lost = self.performance.loudspeaker.lost
        if lost != self._speaker_lost:
            self._speaker_lost = lost
            self._notices.tell("loudspeaker_lost" if lost else "loudspeaker_back")
        while (notice := self._notices.take()) is not None:
            key, params = notice
            for witness in self._witnesses:
                witness.told(key, **params)
            if f"fault.{key}" not in self._pack.lines:
                continue
            self.performance.interject(Say(f"fault.{key}"))
            if self._open is not None:
                # Nobody is listened to while it is said.
                self.performance.add([self._open])
                self._close()

    def _say_goodbye(self) -> None:
        self._left = True
        self._close()
        self.performance.drop()
        if not self._backstage.over:
            self._perform(self.moderator.parting())

    def _open_for(self, expect: Expect) -> None:
        self._open = expect
        self._attention.turn_to(expect.expectation)
        for witness in self._witnesses:
            witness.opened(expect)

    def _close(self) -> None:
        self._open = None
        self._attention.turn_away()

    def _listen(self, expect: Expect, block: NDArray[np.int16]) -> None:
        if self._typed is not None:
            typed, self._typed = self._typed, None
            if typed.strip():
                self._take_heard(Heard(typed, typed=True), expect)
            return
        heard = self._attention.hear(block)
        if heard is not None:
            self._take_heard(heard, expect)
            return
        timer = None if expect.holds else self._timers.tick(BLOCK_SECONDS)
        if timer is not None:
            self._take(Elapsed(timer))
            return
        self._be_patient(expect)

    def _be_patient(self, expect: Expect) -> None:
        attention = self._attention
        attention.wait(BLOCK_SECONDS)
        if not expect.patience or attention.silence < self._patience(expect):
            return
        if attention.deaf and not attention.listening and not expect.expectation.private:
            # At a keyboard alone nobody needs to be hurried: the question stands on the screen.
            return
        self._take(Unclear(Why.SILENCE))

    def _patience(self, expect: Expect) -> float:
        """Seconds of silence before it is noticed: longer and longer where nobody seems to be there."""
        first = self._pack.wait(expect.patience)
        longest = max(first, self._pack.wait("patience_longest"))
        wait = min(first * 2.0 ** max(0, expect.unheard - PROMPT_SILENCES), longest)
        return wait * self._pace * self.performance.pauses

    def _take_heard(self, heard: Heard, expect: Expect) -> None:
        understood = understand(heard, expect.expectation, self._phrasebook)
        event = read_off(understood, self.performance, self._timers, self._pack.locale)
        only_talk = expect.expectation.kind is Kind.PASS or expect.expectation.only_commands
        if isinstance(event, Unclear) and only_talk and not heard.typed:
            # A speaker talks; what is not 过 and no command is just talk. So is whatever is no command where
            # nobody can answer.
            self._attention.begin_anew()
            return
        for witness in self._witnesses:
            witness.heard(heard, event)
        self._take(event)

    def _take(self, event: Input) -> None:
        """Close the ears, let the input be written down, then let it take effect."""
        self._close()
        for witness in self._witnesses:
            witness.taken(event)
        self._perform(self.moderator.handle(event))

    def _change_wording(self, locale: str) -> bool:
        """Speak and understand another voice pack; false where it can't be had, and all stays as it is."""
        found = self._reword(locale)
        if found is None:
            return False
        self._pack, self._phrasebook = found
        for witness in self._witnesses:
            witness.reworded(*found)
        return True

    def _perform(self, effects: Iterable[Effect]) -> None:
        performed = self._backstage.carry_out(effects)
        if self._keyboard is None or self._keyboard.closed:
            performed = list(without_keys(performed))
        if self._keyboard is not None:
            # Before the question is even put: a judge who knows what comes types at once.
            self._keyboard.hide(any(isinstance(e, Expect) and e.expectation.private for e in performed))
        self.performance.add(performed)
