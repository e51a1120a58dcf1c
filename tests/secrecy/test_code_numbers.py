"""The numbers that the table hears say nothing: they are even, and no row tells anything about another."""

from __future__ import annotations

import random

import numpy as np
import pytest
from chi_square import dependent, uneven
from code_numbers import CHANCE, drawn, most_dependent, most_uneven
from leaks import CODE_LEAKS
from pairs import Comparison
from public_events import Public

from narrator.moderator.evening import Secrets
from narrator.rules.ruleset import all_rulesets

pytestmark = pytest.mark.thorough

SHEETS = 2_000


@pytest.mark.parametrize("ruleset", [ruleset.id for ruleset in all_rulesets()])
@pytest.mark.parametrize("seat", [1, None], ids=["for seat 1", "for nobody"])
def test_every_row_is_even_and_no_two_rows_depend_on_each_other(ruleset: str, seat: int | None) -> None:
    players = next(known.fewest for known in all_rulesets() if known.id == ruleset)
    numbers = drawn(ruleset, players, seat, SHEETS)
    assert most_uneven(numbers, players) < (CHANCE, "")
    assert most_dependent(numbers, players) < (CHANCE, "")


@pytest.mark.parametrize("name", CODE_LEAKS)
def test_numbers_that_are_drawn_badly_are_noticed(name: str) -> None:
    with CODE_LEAKS[name]():
        numbers = drawn("standard", 8, 1, SHEETS)
        uneven_row, dependent_rows = most_uneven(numbers, 8), most_dependent(numbers, 8)
    assert max(uneven_row, dependent_rows) > (CHANCE, "")


def test_what_is_said_in_games_does_not_depend_on_who_is_meant() -> None:
    """At real tables, mishaps included: the number said and the seat meant are independent."""
    comparison = Comparison()
    rng = random.Random(3)
    while len(comparison.told) < 1_000:
        comparison.play(Public("standard", 8, Secrets.CODES, rng.random() < 0.5, False, rng.getrandbits(40)))
    seats = np.array([told.seat or 0 for told in comparison.told])
    codes = np.array([told.code - 1 for told in comparison.told])
    assert len(set(seats)) == len(set(codes)) == 9
    assert uneven(codes, 9) < CHANCE
    assert dependent(seats, codes, (9, 9)) < CHANCE
