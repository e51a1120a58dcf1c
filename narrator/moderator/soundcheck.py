"""The spoken half of the room check: the judge says 确认, somebody at the far end says 过."""

from __future__ import annotations

from narrator.moderator.dialog import Dialog
from narrator.moderator.effects import Effect, End, Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command, Input, Unclear
from narrator.moderator.question import Confirm, Question

JUDGE, FAR = "room.judge", "room.far"
"""The two questions, by what they are about."""

PATIENCE = 3
"""A voice that isn't heard so often is done without."""

_COMMANDS = ("repeat", "next")
_KINDS = {JUDGE: Kind.YESNO, FAR: Kind.PASS}


class SoundCheck:
    """Asks for two voices, as a moderator would; ``heard`` are the questions that were answered."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._effects: list[Effect] = []
        self._dialog = Dialog(self._effects.append)
        self._left = [JUDGE, FAR]
        self._misses = 0

    def begin(self) -> tuple[Effect, ...]:
        """Ask the judge first."""
        self._next()
        return self._flush()

    def handle(self, event: Input) -> tuple[Effect, ...]:
        """Take what was said; nothing more comes after the second voice."""
        if not self._dialog.waiting:
            return ()
        match event:
            case Answer():
                self._dialog.take(event)
            case Unclear():
                self._misses += 1
                if self._misses < PATIENCE:
                    self._dialog.again()
                else:
                    self._skip()
            case Command(name="next"):
                self._skip()
            case Command(name="repeat"):
                self._dialog.repeat()
            case _:
                self._dialog.again()
        return self._flush()

    def parting(self) -> tuple[Effect, ...]:
        """Nothing has begun that could be lost."""
        return (Say("end.goodbye"),)

    def _next(self) -> None:
        if not self._left:
            self._effects.append(End())
            return
        about = self._left.pop(0)
        self._misses = 0
        self._dialog.ask(
            Question(
                about,
                Expectation(_KINDS[about], commands=_COMMANDS),
                (Say(about),),
                lambda _: self._answered(about),
                short=(Say("room.louder"),),
                # Whatever the word was, there was a voice.
                confirm=Confirm.NEVER,
            )
        )

    def _answered(self, about: str) -> None:
        self.heard.append(about)
        self._next()

    def _skip(self) -> None:
        self._dialog.drop()
        self._next()

    def _flush(self) -> tuple[Effect, ...]:
        done = tuple(self._effects)
        self._effects.clear()
        return done
