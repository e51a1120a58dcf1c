"""What is said, typed or misheard: the understanding, the moderator, the code sheet."""

from __future__ import annotations

import math
import random
from pathlib import Path

from doors import any_expectation, any_input, fitting_input, phrasebook, target, texts
from mutation import absurd_text

from narrator.heard import Heard, Word
from narrator.moderator.codesheet import is_gesture
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command
from narrator.moderator.moderator import Moderator
from narrator.moderator.secrets import sheet_for
from narrator.rules.ruleset import all_rulesets
from narrator.understanding.matching import understand


def _checked(heard: Heard, expectation: Expectation) -> None:
    event = understand(heard, expectation, phrasebook())
    if isinstance(event, Answer) and event.kind is Kind.CHOICE:
        assert event.value in expectation.choices, event
    elif isinstance(event, Answer):
        assert event.kind is expectation.kind, event
        assert event.value is not None or (expectation.none and event.kind is Kind.SEAT), event
    elif isinstance(event, Command):
        assert event.name in expectation.commands, event


@target(20)
def typed_text(rng: random.Random, folder: Path) -> None:
    """Anything on the keyboard, at any question."""
    _checked(Heard(absurd_text(rng, texts()), typed=True), any_expectation(rng))


@target(16)
def absurd_hearing(rng: random.Random, folder: Path) -> None:
    """A recogniser that has lost its mind: times backwards, confidences out of range, strange rivals."""

    def number() -> float:
        return rng.choice((rng.random(), 0.0, 1.0, -1.0, 2.0, math.inf, -math.inf, math.nan, 1e300))

    said = [absurd_text(rng, texts()) for _ in range(rng.randrange(4))]
    words = tuple(Word(text, number(), number(), number()) for text in said)
    rivals = tuple(absurd_text(rng, texts()) for _ in range(rng.randrange(3)))
    text = rng.choice(("".join(said), absurd_text(rng, texts())))
    _checked(Heard(text, words, number(), rng.choice((None, number())), False, rivals), any_expectation(rng))


@target(4)
def any_evening(rng: random.Random, folder: Path) -> None:
    """A table that gives fitting answers until somebody answers something else altogether."""
    ruleset = rng.choice(all_rulesets())
    players = rng.randint(ruleset.fewest, ruleset.most)
    moderator = Moderator(
        Setup(rng.getrandbits(30), ruleset=ruleset.id, players=players, secrets=rng.choice(list(Secrets)))
    )
    moderator.begin()
    for _ in range(rng.choice((5, 30, 120))):
        moderator.handle(fitting_input(moderator, rng) if rng.random() < 0.8 else any_input(rng))


@target(10)
def code_sheet(rng: random.Random, folder: Path) -> None:
    """Rows and numbers that no sheet has are a ``KeyError``; all others lead there and back."""
    ruleset = rng.choice(all_rulesets())
    players = rng.randint(ruleset.fewest, ruleset.most)
    sheet = sheet_for(rng.choice((0, -1, 2**63, rng.getrandbits(63))), ruleset.id, players)
    row = rng.choice(
        (*sheet.rows, *sheet.spares, "", "n9.killer.kill", "spare99", "n1..", "杀", "n1.police.hint")
    )
    seat = rng.choice((None, *range(-1, 19), 10**20))
    try:
        code = sheet.code(row, seat)
    except KeyError:
        assert (
            row not in (*sheet.rows, *sheet.spares) or is_gesture(row) or seat not in range(1, players + 1)
        ), row
        return
    assert sheet.seat(row, code) == seat
