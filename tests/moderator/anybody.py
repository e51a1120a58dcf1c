"""People who say anything that can be said, sensible or not."""

from __future__ import annotations

import random

from table import Table

from narrator.moderator.evening import Agreement, Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import GAUGES, Answer, Certainty, Command, Elapsed, Input, Unclear, Why
from narrator.moderator.moderator import Moderator


def anything(table: Table, rng: random.Random) -> Input:
    """Mostly an answer that fits; now and then anything at all."""
    asked = table.asked.expectation
    if rng.random() < 0.06 and asked.commands:
        harmful = ("stop",) if rng.random() < 0.9 else ()
        command = rng.choice([name for name in (*asked.commands, "next") if name not in harmful])
        certainty = rng.choice(list(Certainty))
        reading = rng.choice((None, *range(-7, 121))) if command in GAUGES else None
        return Command(command, rng.choice((None, *range(0, 18))), certainty, reading=reading)
    if rng.random() < 0.05:
        return Unclear(rng.choice(list(Why)))
    if rng.random() < 0.05:
        return Elapsed(rng.choice(("warning", "limit", "grace")))
    certainty = Certainty.DOUBTFUL if rng.random() < 0.1 else Certainty.CLEAR
    if asked.choices and asked.kind is not Kind.CHOICE and rng.random() < 0.5:
        return Answer(Kind.CHOICE, rng.choice(asked.choices), certainty)
    return Answer(asked.kind, any_value(table, rng), certainty)


def any_value(table: Table, rng: random.Random) -> int | str | bool | None:
    """A value of the kind that is asked for; what is typed blind is mostly typed the same way twice."""
    asked = table.asked.expectation
    match asked.kind:
        case Kind.YESNO:
            return rng.random() < 0.8
        case Kind.PASS:
            return True
        case Kind.CHOICE:
            return rng.choice(asked.choices)
        case Kind.VOTES:
            # Every fourth table can seldom make up its mind to vote for anybody.
            undecided = table.setup.seed % 4 == 0 and rng.random() < 0.98
            return 0 if undecided else rng.choice((0, 0, 1, 1, 2, 3, 9, 9))
        case Kind.PLAYERS:
            return rng.randint(6, 18)
        case Kind.COUNT:
            return rng.randint(0, 17)
        case Kind.NUMBER:
            return rng.randint(1, 18)
        case Kind.SEAT:
            if table.about == "confirm" and rng.random() < 0.9:
                return table.typed
            table.typed = rng.choice((*((None,) if asked.none else ()), *range(1, 17)))
            return table.typed


def evening(
    seed: int, inputs: int = 700, moderated_by: type[Moderator] = Moderator
) -> tuple[list[Input], Table]:
    """An evening of so many inputs, or until somebody stops it."""
    rng = random.Random(seed)
    previous = rng.choice((None, Agreement("standard", 9, rng.choice(list(Secrets)))))
    barred, right_hand = rng.choice((None, 3)), rng.choice((1, -1))
    setup = Setup(seed, previous=previous, barred=barred, right_hand=right_hand)
    table = Table(setup, moderated_by)
    said: list[Input] = []
    for _ in range(inputs):
        if table.question is None:
            break
        said.append(anything(table, rng))
        table.hears(said[-1])
    return said, table
