"""The pause: nothing is heard but 继续, 结束游戏 and what takes an answer back."""

from __future__ import annotations

from narrator.moderator.desk import Desk
from narrator.moderator.dialog import Question
from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind


class Pauses:
    """Keeps everything as it is until the judge goes on."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def ask_resume(self) -> None:
        """Wait, however long, until the judge goes on."""
        self.desk.dialog.ask(
            Question(
                "paused",
                Expectation(Kind.CHOICE, ("resume",), commands=("resume", "stop")),
                (Say("pause.begins"),),
                lambda _: None,
                short=(Say("pause.still"),),
                help=Say("help.resume"),
                patience="patience_pause",
            )
        )
