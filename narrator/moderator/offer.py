"""The question with which an interrupted evening is offered again: 上一局停在第二天，投票，继续吗？"""

from __future__ import annotations

from narrator.moderator.effects import Effect, End, Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.interlude import COMMANDS, Interlude
from narrator.moderator.question import Question

_PHASES = ("dawn", "words", "speeches", "ballot", "tie")
# States that people at the table would call by another name.
_ALSO = {
    "judging": "dawn",
    "leaving": "ballot",
    "showing": "ballot",
    "parting": "words",
    "round": "speeches",
    "lap": "speeches",
    "naming": "speeches",
}

_NO_GAME = ("waiting", "lobby", "review", "ended")


def is_unfinished(phase: str) -> bool:
    """Whether a moderator's ``phase`` is inside a game that is worth going on with."""
    return phase.partition(".")[0] not in _NO_GAME


def where(phase: str, round_: int) -> Say:
    """The line that tells where a game stands, and asks whether to go on."""
    part = phase.partition(".")[0]
    part = _ALSO.get(part, part)
    if part == "dealing":
        return Say("resume.offer_start")
    if part not in _PHASES:
        return Say("resume.offer_night", {"night": round_})
    return Say("resume.offer", {"day": round_, "phase": part})


class Offer(Interlude):
    """Asks whether to go on; ``accepted`` is the answer, once there is one."""

    def __init__(self, phase: str, round_: int) -> None:
        super().__init__()
        self.accepted: bool | None = None
        self._prompt = where(phase, round_)

    def parting(self) -> tuple[Effect, ...]:
        """The game is as safe as before."""
        return (Say("leave.saved"),)

    def _ask(self) -> None:
        expectation = Expectation(Kind.YESNO, commands=(*COMMANDS, "resume"))
        self._dialog.ask(
            Question("resume", expectation, (self._prompt,), self._answered, help=Say("help.yesno"))
        )

    def _command(self, name: str) -> None:
        """继续 is a yes."""
        self._dialog.drop()
        self._answered(True)

    def _answered(self, accepted: bool) -> None:
        self.accepted = accepted
        self._effects += [Say("resume.yes" if accepted else "resume.no"), End()]
