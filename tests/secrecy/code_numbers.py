"""Thousands of code sheets at once, as a table of the numbers said for one answer."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np
from chi_square import dependent, uneven
from numpy.typing import NDArray

from narrator.moderator.codesheet import CodeSheet, gestures_of, is_gesture
from narrator.moderator.secrets import sheet_for, sheet_seed

Numbers = dict[str, NDArray[np.int64]]

CHANCE = 5.0
"""Standard deviations that thousands of comparisons together pass by chance once in a thousand times."""


def drawn(ruleset: str, players: int, seat: int | None, sheets: int) -> Numbers:
    """For every row what is said for ``seat`` (for "yes" in a gesture's row), sheet by sheet, from 0 on.

    The sheets are those of consecutive games in consecutive evenings, as a table would use them up.
    """
    evenings = [sheet_for(sheet_seed(n // 2, 1 + n % 2), ruleset, players) for n in range(sheets)]
    rows = (*evenings[0].rows, *evenings[0].spares)
    return {row: np.array([_said(sheet, row, seat) - 1 for sheet in evenings]) for row in rows}


def _said(sheet: CodeSheet, row: str, seat: int | None) -> int:
    return sheet.gesture_code(row, "yes") if is_gesture(row) else sheet.code(row, seat)


def kinds_of(row: str, players: int) -> int:
    """How many different numbers a row can have."""
    return len(gestures_of(row)) if is_gesture(row) else players + 1


def most_uneven(numbers: Numbers, players: int) -> tuple[float, str]:
    """The row whose numbers are least evenly drawn, and how surprising that is."""
    return max((uneven(said, kinds_of(row, players)), row) for row, said in numbers.items())


def most_dependent(numbers: Numbers, players: int) -> tuple[float, str]:
    """The two rows whose numbers depend on each other most, and how surprising that is."""
    kinds = partial(kinds_of, players=players)
    return max(
        (dependent(numbers[one], numbers[other], (kinds(one), kinds(other))), f"{one} and {other}")
        for one, other in itertools.combinations(numbers, 2)
    )
