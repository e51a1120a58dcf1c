"""The order of speeches and of candidates goes to the right hand, from the night's victim on."""

from __future__ import annotations

import pytest
from game_tables import ejected, killed, table, voted_out

from narrator.rules.game import next_round
from narrator.rules.order import from_right_of, speaking_order

BOTH = pytest.mark.parametrize("ruleset_id", ["standard", "classic"])


@BOTH
def test_the_first_to_the_victims_right_begins(ruleset_id: str) -> None:
    """000 §3.15-16, 001 §二.3(12)-(13): 由被杀者右手边第一人开始."""
    game = killed(table(ruleset_id), 5)
    assert speaking_order(game, 5) == (6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4)


def test_after_the_highest_seat_comes_the_first() -> None:
    """000 §3.15, 001 §二.3(12), around the table."""
    assert speaking_order(killed(table(), 12), 12)[0] == 1


def test_those_who_are_out_are_skipped() -> None:
    """000 §3.14, 001 §二.3(11)."""
    game = killed(next_round(voted_out(killed(table(), 6), 7)), 5)
    assert speaking_order(game, 5) == (8, 9, 10, 11, 12, 1, 2, 3, 4)


def test_a_table_numbered_the_other_way_goes_down() -> None:
    """House decision: right_hand = -1."""
    game = killed(table(right_hand=-1), 5)
    assert speaking_order(game, 5) == (4, 3, 2, 1, 12, 11, 10, 9, 8, 7, 6)


def test_without_a_victim_it_begins_to_the_right_of_who_left_last() -> None:
    """House decision."""
    game = next_round(voted_out(killed(table(), 5), 9))
    assert speaking_order(game, None) == (10, 11, 12, 1, 2, 3, 4, 6, 7, 8)


def test_whoever_was_sent_out_counts_as_having_left_last() -> None:
    """House decision."""
    game = next_round(ejected(voted_out(killed(table(), 5), 9), 2))
    assert speaking_order(game, None)[0] == 3


@pytest.mark.parametrize("right_hand", [1, -1])
def test_while_nobody_has_left_seat_one_begins(right_hand: int) -> None:
    """House decision."""
    order = speaking_order(table(right_hand=right_hand), None)
    assert order[0] == 1
    assert order[1] == (2 if right_hand == 1 else 12)


def test_any_seats_can_be_put_in_order_their_own_last() -> None:
    game = table()
    assert from_right_of(game, 5, [2, 5, 9]) == (9, 2, 5)
    assert from_right_of(game, 5, []) == ()
