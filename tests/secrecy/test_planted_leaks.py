"""Leaks that are planted on purpose are noticed; so the comparison of games is able to notice one."""

from __future__ import annotations

import pytest
from leaks import LEAKS
from pairs import Comparison, publics

pytestmark = pytest.mark.thorough

SEARCHED = 10
"""Courses of events at the most; a leak that shows no sooner would be noticed too seldom."""


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_noticed(name: str) -> None:
    way, ruleset, plant = LEAKS[name]
    tables = (public for public in publics(2) if (public.way, public.ruleset) == (way, ruleset))
    comparison = Comparison()
    with plant():
        for _ in range(SEARCHED):
            comparison.play(next(tables), variants=4)
            if not comparison.clean:
                return
    pytest.fail(f"{comparison.pairs} pairs of games and nobody noticed that {name}")


def test_there_are_leaks_of_every_kind() -> None:
    assert len(LEAKS) >= 6
