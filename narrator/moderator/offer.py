"""The question with which an interrupted evening is offered again: 上一局停在第二天，投票，继续吗？"""

from __future__ import annotations

from narrator.moderator.dialog import Dialog
from narrator.moderator.effects import Effect, End, Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.help import help_now
from narrator.moderator.inputs import Answer, Command, Input, Unclear
from narrator.moderator.question import Question
from narrator.moderator.sounds import is_turn, turned

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


class Offer:
    """Asks one question, as a moderator would; ``accepted`` is the answer, once there is one."""

    def __init__(self, phase: str, round_: int) -> None:
        self.accepted: bool | None = None
        self._effects: list[Effect] = []
        self._dialog = Dialog(self._effects.append)
        self._prompt = where(phase, round_)

    def begin(self) -> tuple[Effect, ...]:
        """Put the question."""
        expectation = Expectation(Kind.YESNO, commands=("repeat", "resume"))
        self._dialog.ask(
            Question("resume", expectation, (self._prompt,), self._answered, help=Say("help.yesno"))
        )
        return self._flush()

    def handle(self, event: Input) -> tuple[Effect, ...]:
        """Take what was answered; nothing more comes after the answer."""
        if not self._dialog.waiting:
            return ()
        match event:
            case Answer():
                self._dialog.take(event)
            case Unclear():
                self._dialog.miss(event)
            case Command(name="resume"):
                self._dialog.drop()
                self._answered(True)
            case Command(name="repeat"):
                self._dialog.repeat()
            case Command(name="help"):
                assert self._dialog.expectation is not None
                self._effects.append(help_now(self._dialog.expectation))
                self._dialog.reopen()
            case Command() if is_turn(event):
                self._effects.extend(turned(event))
                self._dialog.reopen()
            case _:
                self._dialog.again()
        return self._flush()

    def parting(self) -> tuple[Effect, ...]:
        """The game is as safe as before."""
        return (Say("leave.saved"),)

    def _answered(self, accepted: bool) -> None:
        self.accepted = accepted
        self._effects += [Say("resume.yes" if accepted else "resume.no"), End()]

    def _flush(self) -> tuple[Effect, ...]:
        done = tuple(self._effects)
        self._effects.clear()
        return done
