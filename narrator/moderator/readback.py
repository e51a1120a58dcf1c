"""The lines that say an answer again: to have it confirmed, or to tell how it was understood."""

from __future__ import annotations

from narrator.moderator.effects import Say
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer
from narrator.moderator.question import Confirm, Question

CONFIRMING = {
    Kind.SEAT: ("confirm.seat", "seat"),
    Kind.VOTES: ("confirm.votes", "votes"),
    Kind.NUMBER: ("confirm.code", "code"),
    Kind.PLAYERS: ("confirm.players", "players"),
    Kind.COUNT: ("confirm.count", "count"),
    Kind.CHOICE: ("confirm.choice", "choice"),
}
"""The line that asks an answer back, and the name of the place in it that the answer fills."""


def asked_back(question: Question, answer: Answer) -> Say:
    """Whether this is what was meant; a secret typed blind is only to be typed once more."""
    if question.confirm is Confirm.TWICE:
        return Say("keypad.again")
    if answer.value is None:
        return Say("confirm.none")
    if answer.kind is Kind.YESNO:
        return Say("confirm.yes" if answer.value else "confirm.no")
    line, name = CONFIRMING[answer.kind]
    return Say(line, {name: answer.value})


def read_back(question: Question, answer: Answer) -> tuple[Say, ...]:
    """How an answer that counts was understood, where the question wants that said."""
    if question.readback is None:
        return ()
    kind = question.expectation.kind
    name = CONFIRMING[kind][1] if kind in CONFIRMING else "value"
    # An answer nobody gave fills no place: lines that could meet one have none.
    return (Say(question.readback, {**question.params, name: answer.value}),)  # type: ignore[dict-item]
