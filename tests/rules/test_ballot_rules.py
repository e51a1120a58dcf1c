"""The ballot: counting hands, who leaves, and the three steps of a tie."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from game_tables import killed, table, without

from narrator.rules.ballot import (
    Drawn,
    Leaves,
    Nobody,
    Revote,
    Tally,
    Tied,
    after_tie,
    outcome,
    room,
)
from narrator.rules.order import speaking_order

BOTH = pytest.mark.parametrize("ruleset_id", ["standard", "classic"])


def tally(votes: Mapping[int, int], voters: int = 11) -> Tally:
    counted = Tally({}, voters)
    for candidate, hands in votes.items():
        counted = counted.add(candidate, hands)
    return counted


def test_whoever_has_most_votes_leaves() -> None:
    """000 §3.17, 001 §二.3(13): 得票最多者视为公决出局."""
    assert outcome(tally({6: 2, 7: 5, 8: 4})) == Leaves(7, 5)


def test_one_vote_is_enough_where_nobody_else_has_any() -> None:
    """000 §3.17, 001 §二.3(13): most votes, not a majority."""
    assert outcome(tally({6: 0, 7: 1, 8: 0})) == Leaves(7, 1)


def test_abstaining_is_allowed() -> None:
    """000 §3.16, 001 §二.3(13): 也可弃权不投."""
    counted = tally({6: 2, 7: 1})
    assert counted.left == 8
    assert outcome(counted) == Leaves(6, 2)


@pytest.mark.parametrize("votes", [{}, {6: 0, 7: 0, 8: 0}])
def test_if_nobody_votes_nobody_leaves(votes: dict[int, int]) -> None:
    """House decision."""
    assert outcome(tally(votes)) == Nobody()


def test_the_tied_are_named_in_the_order_they_were_called() -> None:
    """000 §3.16 and §4.5, 001 §二.3(13) and §二.4."""
    assert outcome(tally({11: 4, 12: 1, 2: 4})) == Tied((11, 2), 4)


def test_more_hands_than_voters_are_refused() -> None:
    """House decision, Day: the sum over candidates can't exceed the voters."""
    counted = tally({6: 5, 7: 4})
    assert counted.left == 2
    with pytest.raises(ValueError, match="3 votes where 2 are left"):
        counted.add(8, 3)
    with pytest.raises(ValueError, match="-1 votes"):
        counted.add(8, -1)
    assert counted.add(8, 2).left == 0


def test_late_and_changed_votes_are_void() -> None:
    """跟票、补票: 000 §5.11, 001 §二.5(10): nobody is counted a second time."""
    with pytest.raises(ValueError, match="counted already"):
        tally({6: 5}).add(6, 1)


def test_a_recount_has_room_for_what_was_counted_before() -> None:
    """The judge may correct his last answer (House decision, The judge's powers)."""
    counted = tally({6: 5, 7: 4})
    assert room(counted) == 2
    assert room(counted, but=6) == 7
    assert room(counted, but=8) == 2


def test_counting_leaves_the_earlier_count_alone() -> None:
    counted = tally({6: 5})
    counted.add(7, 3)
    assert counted.votes == {6: 5}


@BOTH
def test_first_tie_the_tied_speak_and_are_voted_on_again(ruleset_id: str) -> None:
    """000 §4.5, 001 §二.4: 由平票者进行再一轮的发言、发言过后再次对平票人进行投票."""
    game = killed(table(ruleset_id), 5)
    order = speaking_order(game, 5)
    assert after_tie(game, 1, (9, 2), order) == Revote(speakers=(9, 2), candidates=(9, 2))


@BOTH
def test_second_tie_everybody_but_the_tied_speaks(ruleset_id: str) -> None:
    """000 §4.5, 001 §二.4: 若再次出现平票，则由平票人以外的其他人逐一发言."""
    game = killed(table(ruleset_id), 5)
    order = speaking_order(game, 5)
    assert after_tie(game, 2, (9, 2), order) == Revote(speakers=without(order, 9, 2), candidates=(9, 2))


@BOTH
def test_the_third_tie_ends_the_game_in_a_draw(ruleset_id: str) -> None:
    """000 §4.5, 001 §二.4: 若仍然平票，则本局将被硬性判定为平局."""
    game = killed(table(ruleset_id), 5)
    assert after_tie(game, 3, (9, 2), speaking_order(game, 5)) == Drawn()


def test_the_tied_speak_in_the_days_order_however_they_are_given() -> None:
    """000 §3.15, 001 §二.3(12): the right-hand order holds all day."""
    game = killed(table(), 5)
    assert after_tie(game, 1, (2, 9), speaking_order(game, 5)) == Revote((9, 2), (9, 2))


def test_when_all_are_tied_nobody_is_left_to_speak_second() -> None:
    """000 §4.5, 001 §二.4, taken to its end: the vote follows at once."""
    game = killed(table(), 5)
    order = speaking_order(game, 5)
    assert after_tie(game, 2, order, order) == Revote(speakers=(), candidates=order)


@pytest.mark.parametrize("stage", [0, 4])
def test_there_is_no_fourth_tie(stage: int) -> None:
    with pytest.raises(ValueError, match=f"tie number {stage}"):
        after_tie(table(), stage, (1, 2), (1, 2, 3))
