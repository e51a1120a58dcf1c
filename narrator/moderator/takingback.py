"""Taking back: 撤销 goes back by a step and says by which, 更正 asks the last question again."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from narrator.moderator.desk import Desk
from narrator.moderator.effects import Pace, Say, StopTimer
from narrator.moderator.evening import SoundNotes
from narrator.moderator.history import History, Step, taken_back
from narrator.moderator.inputs import Command, Input
from narrator.moderator.rhythm import EVEN, Beat
from narrator.moderator.sounds import Sounds

Restore = Callable[[Iterable[Input], frozenset[str]], object]
"""Leads the evening, unheard, to where some inputs lead; the rows of code sheets named are spent."""


class TakingBack:
    """Keeps the history of the evening, and goes back in it by replaying all but the last step."""

    def __init__(self, desk: Desk, sounds: Sounds, restore: Restore) -> None:
        self.history = History()
        self._desk = desk
        self._sounds = sounds
        self._restore = restore

    def moved_on(self, event: Input, floor: int | None) -> None:
        """An input that can be taken back was taken; ``floor`` is who was speaking then."""
        accepted = self._desk.dialog.accepted
        self.history.steps.append(
            Step(
                len(self.history.inputs),
                len(self._desk.evening.sheet.exposed),
                self._desk.dialog.depth,
                taken_back(event, accepted, floor),
                answered=accepted is not None,
            )
        )

    def may(self, command: Command) -> bool:
        """Something that counts is to be taken back, not just an answer that waits for its confirmation."""
        if self._desk.dialog.unconfirmed is not None:
            return False
        if self._asked_by_judge():
            return True
        return bool(self.history.steps) and (command.name == "undo" or self.history.latest.answered)

    def beneath_pause(self) -> bool:
        """Whether the pause interrupted something to be taken back first: what waits for a confirmation."""
        dialog = self._desk.dialog
        return dialog.unconfirmed_beneath or dialog.depth - 1 > self.history.latest.depth

    def would_do(self, name: str) -> bool:
        """Whether the command ``name``, undo or correct, would take anything back now."""
        dialog = self._desk.dialog
        pending = dialog.unconfirmed is not None or dialog.unconfirmed_beneath
        return pending or self.may(Command(name))

    def go(self, command: Command) -> None:
        """Be where the evening was before its last step, but for the rows of the code sheet used since."""
        history, notes = self.history, self._desk.evening.sheet
        asked = self._asked_by_judge()
        to = history.latest if asked else history.before
        back = Say("undo.asked") if asked else history.latest.back
        beat, sound = self._desk.evening.beat, self._desk.evening.sound
        stopped = [StopTimer(timer) for timer in history.timers]
        rows = tuple(dict.fromkeys(notes.exposed[to.exposed :]))
        self._restore(history.inputs[: to.inputs], notes.spent.union(rows))
        self._desk.effects.extend(stopped)
        self._desk.note("undone", kept=to.inputs, rows=rows, line=back.line)
        self.stand(beat, sound)
        dialog = self._desk.dialog
        if command.name == "undo" or asked:
            self._desk.effects.append(back)
            dialog.repeat()
        else:
            self._desk.say("correct.done")
            # Whoever corrects himself knows what was asked, but a speaker needs the floor given back.
            (dialog.repeat if dialog.floor else dialog.again)()

    def withdraw(self, name: str) -> None:
        """Take back an answer that has not been confirmed yet; without one there is nothing to take back."""
        dialog = self._desk.dialog
        pending = dialog.unconfirmed
        if pending is None:
            self._desk.say("undo.nothing" if name == "undo" else "correct.nothing")
            dialog.reopen()
            return
        if name == "undo":
            self._desk.effects.append(taken_back(Command(name), pending, None))
        else:
            self._desk.say("correct.done")
        dialog.withdraw()

    def stand(self, beat: Beat = EVEN, sound: SoundNotes | None = None) -> None:
        """Have timers, rhythm and sound as they belong here, after a ``beat`` and ``sound`` of elsewhere."""
        for timer, seconds in self.history.timers.items():
            self._desk.start_timer(timer, seconds)
        here = self._desk.evening.beat
        if here != beat:
            self._desk.effects.append(Pace(here.pauses, here.rate))
        if self._desk.evening.sound != (sound or SoundNotes()):
            self._desk.effects.extend(self._sounds.as_wished())

    def _asked_by_judge(self) -> bool:
        """The open question comes from a command since the last step: 三号出局，确定？"""
        dialog = self._desk.dialog
        return dialog.about != "paused" and dialog.depth > self.history.latest.depth
