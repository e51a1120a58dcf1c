"""The spoken half of the room check: the judge says 确认, somebody at the far end says 过."""

from __future__ import annotations

from narrator.moderator.effects import Effect, End, Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Unclear
from narrator.moderator.interlude import COMMANDS, Interlude
from narrator.moderator.question import Confirm, Question

JUDGE, FAR = "room.judge", "room.far"
"""The two questions, by what they are about."""

PATIENCE = 3
"""A voice that isn't heard so often is done without."""

_KINDS = {JUDGE: Kind.YESNO, FAR: Kind.PASS}


class SoundCheck(Interlude):
    """Asks for two voices; ``heard`` are the questions that were answered."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []
        self._left = [JUDGE, FAR]
        self._misses = 0

    def parting(self) -> tuple[Effect, ...]:
        """Nothing has begun that could be lost."""
        return (Say("end.goodbye"),)

    def _ask(self) -> None:
        """The judge first."""
        if not self._left:
            self._effects.append(End())
            return
        about = self._left.pop(0)
        self._misses = 0
        self._dialog.ask(
            Question(
                about,
                Expectation(_KINDS[about], commands=(*COMMANDS, "next")),
                (Say(about),),
                lambda _: self._answered(about),
                short=(Say("room.louder"),),
                # Whatever the word was, there was a voice.
                confirm=Confirm.NEVER,
            )
        )

    def _answered(self, about: str) -> None:
        self.heard.append(about)
        self._ask()

    def _miss(self, unclear: Unclear) -> None:
        self._misses += 1
        if self._misses < PATIENCE:
            self._dialog.again()
        else:
            self._skip()

    def _command(self, name: str) -> None:
        """跳过: that voice is done without."""
        self._skip()

    def _skip(self) -> None:
        self._dialog.drop()
        self._ask()
