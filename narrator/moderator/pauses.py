"""The pause: nothing is heard but 继续, 结束游戏, what takes an answer back, and what changes nothing."""

from __future__ import annotations

from narrator.moderator.desk import PUBLIC, Desk
from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.question import Question


class Pauses:
    """Keeps everything as it is until the judge goes on."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def ask_resume(self) -> None:
        """Wait, however long, until the judge goes on."""
        interrupted = self.desk.dialog.open
        asked = () if interrupted is None else interrupted.expectation.commands
        public = tuple(name for name in PUBLIC if name in asked)
        self.desk.dialog.ask(
            Question(
                "paused",
                Expectation(Kind.CHOICE, ("resume",), commands=("resume", "stop", *public)),
                (Say("pause.begins"),),
                lambda _: None,
                short=(Say("pause.still"),),
                help=Say("help.resume"),
                patience="patience_pause",
            )
        )
