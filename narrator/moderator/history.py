"""What was said to the moderator so far, step by step, so that it can be taken back or gone on with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from narrator.moderator.effects import Effect, Say, StartTimer, StopTimer, Value
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Command, Elapsed, Input
from narrator.moderator.question import Accepted


@dataclass(frozen=True, slots=True)
class Step:
    """An input by which the game moved on: an accepted answer, a command that took effect, a speaker cut off.

    ``inputs`` and ``exposed`` count what there was up to and including it, ``depth`` the questions then
    open. ``back`` tells the table that it is taken back; ``answered`` when it was an answer.
    """

    inputs: int
    exposed: int
    depth: int
    back: Say
    answered: bool


class History:
    """The inputs since the beginning of the evening, the steps among them, and the timers that are running.

    Misunderstandings, requests to repeat, pauses and confirmations are inputs but no steps.
    """

    def __init__(self) -> None:
        self.inputs: list[Input] = []
        self.steps: list[Step] = []
        self.timers: dict[str, float] = {}
        """Seconds left of each timer, as far as the inputs tell."""
        self._origin = Step(0, 0, 0, Say("undo.any"), answered=False)

    @property
    def latest(self) -> Step:
        """The last step, or the beginning."""
        return self.steps[-1] if self.steps else self._origin

    @property
    def before(self) -> Step:
        """What comes before the last step: the one before it, or the beginning."""
        return self.steps[-2] if len(self.steps) > 1 else self._origin

    def begin(self, effects: Iterable[Effect], depth: int) -> None:
        """The evening was opened."""
        self._origin = Step(0, 0, depth, Say("undo.any"), answered=False)
        self._time(effects)

    def add(self, event: Input, effects: Iterable[Effect]) -> None:
        """An input was taken."""
        self.inputs.append(event)
        if isinstance(event, Elapsed):
            passed = self.timers.pop(event.timer, 0.0)
            self.timers = {timer: max(0.0, left - passed) for timer, left in self.timers.items()}
        self._time(effects)

    def _time(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, StartTimer):
                self.timers[effect.timer] = effect.seconds
            elif isinstance(effect, StopTimer):
                self.timers.pop(effect.timer, None)


def taken_back(event: Input, accepted: Accepted | None, floor: int | None) -> Say:
    """The line that tells what is taken back; of a secret answer no more than that it was one.

    ``floor`` is the seat that had the floor when the input came.
    """
    if accepted is not None:
        return _answer(accepted)
    if isinstance(event, Command) and event.name == "warn" and event.seat is not None:
        return Say("undo.warn", {"seat": event.seat})
    if isinstance(event, Command) and event.name == "vote_now":
        return Say("undo.vote_now")
    if floor is not None:
        return Say("undo.pass", {"seat": floor})
    return Say("undo.any")


def _answer(accepted: Accepted) -> Say:
    question, answer = accepted.question, accepted.answer
    if question.expectation.private:
        return Say("undo.secret")
    seat = question.params.get("seat")
    # Powers that are asked back: what was said is the command, not the yes.
    match question.about:
        case "eject" if seat is not None:
            return Say("undo.eject", {"seat": seat})
        case "warn" if seat is not None:
            return Say("undo.warn", {"seat": seat})
        case "surrender":
            return Say("undo.surrender", {"role": question.params["role"]})
    return _value(answer.kind, answer.value, seat)


def _value(kind: Kind, value: int | str | bool | None, seat: Value | None) -> Say:
    if value is None:
        return Say("undo.nobody")
    match kind:
        case Kind.YESNO:
            return Say("undo.yes" if value else "undo.no")
        case Kind.SEAT:
            return Say("undo.seat", {"seat": value})
        case Kind.VOTES if seat is not None:
            return Say("undo.votes", {"seat": seat, "votes": value})
        case Kind.PLAYERS:
            return Say("undo.players", {"players": value})
        case Kind.CHOICE:
            return Say("undo.choice", {"choice": value})
        case Kind.PASS if seat is not None:
            return Say("undo.pass", {"seat": seat})
        case _:
            return Say("undo.any")
