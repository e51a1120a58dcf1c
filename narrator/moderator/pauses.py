"""The pause: nothing is heard but 继续, 结束游戏, what takes an answer back, and what changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from narrator.moderator.desk import PUBLIC, Desk
from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.question import Question

PAUSED = "paused"
"""What the question of a pause is about."""


def pause(commands: tuple[str, ...], then: Callable[[Any], None]) -> Question:
    """The question that waits, however long, for 继续; ``then`` something is done."""
    return Question(
        PAUSED,
        Expectation(Kind.CHOICE, ("resume",), commands=commands),
        (Say("pause.begins"),),
        then,
        short=(Say("pause.still"),),
        help=Say("help.resume"),
        patience="patience_pause",
    )


class Pauses:
    """Keeps everything as it is until the judge goes on."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def ask_resume(self) -> None:
        """Wait until the judge goes on."""
        interrupted = self.desk.dialog.open
        asked = () if interrupted is None else interrupted.expectation.commands
        public = tuple(name for name in PUBLIC if name in asked)
        self.desk.dialog.ask(pause(("resume", "stop", *public), lambda _: None))
