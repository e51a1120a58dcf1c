"""While only the judge knows the roles, every way in which the cards may lie is possible: all are tried."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from game_tables import dealt, killed, table

from narrator.rules.game import Game
from narrator.rules.ruleset import load
from narrator.rules.victory import SURRENDERS, could_be_over, may_surrender


def lies(players: int) -> set[tuple[str, ...]]:
    """Every way in which the cards of ``standard`` may lie, by seat."""
    special = [card for card in dealt(load("standard"), players).values() if card != "civilian"]
    found = set()
    for seats in permutations(range(players), len(special)):
        cards = ["civilian"] * players
        for seat, card in zip(seats, special, strict=True):
            cards[seat] = card
        found.add(tuple(cards))
    return found


ALL_LIES = lies(8)


def after(departures: int) -> Game:
    return killed(table("standard", 8, known=False), *range(1, departures + 1))


def over(cards: tuple[str, ...], departures: int) -> bool:
    """Of killers, police and civilians, one kind sits among the first seats only (000 §4, 001 §二.4)."""
    return len(set(cards[departures:])) < 3


def test_there_are_as_many_lies_as_arithmetic_says() -> None:
    """Eight seats for two killers, two police and four civilians: 8! / (2! 2! 4!)."""
    assert len(ALL_LIES) == 420
    assert {frozenset(Counter(cards).items()) for cards in ALL_LIES} == {
        frozenset({("killer", 2), ("police", 2), ("civilian", 4)})
    }


@pytest.mark.parametrize("departures", range(9))
def test_the_judge_is_asked_exactly_when_some_lie_of_the_cards_has_the_game_over(departures: int) -> None:
    """House decision, Winning: checked after every change of who is alive, as far as anybody can know."""
    assert could_be_over(after(departures)) == any(over(cards, departures) for cards in ALL_LIES)


@pytest.mark.parametrize("role", SURRENDERS)
@pytest.mark.parametrize("departures", range(6))
def test_a_surrender_is_taken_when_it_may_be_the_last_of_a_side(departures: int, role: str) -> None:
    """000 §5.5, 001 §二.5(5), while three or more are left, so that the game may be going on."""
    possible = any(cards[departures:].count(role) == 1 and not over(cards, departures) for cards in ALL_LIES)
    assert may_surrender(after(departures), role) == possible


def test_known_roles_leave_nothing_to_suppose() -> None:
    """The same two departures may end a game whose cards nobody has seen, and do not end this one."""
    known = killed(table("standard", 8), 7, 8)
    assert known.holders("civilian") == (5, 6, 7, 8)
    assert not could_be_over(known)
    assert could_be_over(killed(table("standard", 8, known=False), 7, 8))
