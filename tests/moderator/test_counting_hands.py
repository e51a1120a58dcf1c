"""The ballot: hands counted, read back and agreed; disputes mended; ties spoken out."""

from __future__ import annotations

from typing import Any

import pytest
from table import Table, at_day

from narrator.moderator.effects import Say, Wait


def voting(kill: int | None = 8, **known: Any) -> Table:
    """All have spoken; the first candidate is called. After ``kill`` = 8 seven vote, from seat 1 on."""
    table = at_day(kill, **known)
    table.everyone_speaks()
    assert table.about == "votes"
    return table


def counted(table: Table, votes: dict[int, int]) -> Table:
    table.hands(votes)
    assert table.about == "tally"
    return table


def recorded(table: Table) -> dict[str, int]:
    """The votes of the last ballot that was agreed."""
    votes = table.noted("ballot")[-1]["votes"]
    assert isinstance(votes, tuple)
    return dict(votes)


# Counting


def test_each_candidate_is_called_and_hands_get_time_to_go_up() -> None:
    table = at_day(None)
    for _ in range(8):
        table.answer(True)
    assert table.says == [Say("ballot.opens"), Say("ballot.hands", {"seat": 1})]
    assert Wait("hands") in table.latest
    table.answer(2)
    assert table.lines == ["ballot.read", "ballot.hands"]
    assert table.said("ballot.hands") == {"seat": 2}


def test_the_winner_is_read_back_and_leaves_only_once_that_is_agreed() -> None:
    table = counted(voting(), {7: 4, 1: 2})
    assert table.says[-1] == Say("ballot.result", {"seat": 7, "votes": 4})
    assert table.moderator.evening.game.is_living(7)
    table.answer(True)
    assert table.said("ballot.leaves") == {"seat": 7}
    assert not table.moderator.evening.game.is_living(7)
    assert table.noted("voted_out") == [{"round": 1, "seat": 7}]
    assert recorded(table) == {"1": 2, "2": 0, "3": 0, "4": 0, "5": 0, "6": 0, "7": 4}


def test_once_all_hands_are_counted_nobody_else_is_called() -> None:
    table = voting()
    assert table.hands({1: 3, 2: 4}) == [1, 2]
    table.answer(True)
    assert recorded(table) == {"1": 3, "2": 4, "3": 0, "4": 0, "5": 0, "6": 0, "7": 0}


def test_one_may_abstain() -> None:
    table = counted(voting(), {3: 1}).answer(True)
    assert table.said("ballot.leaves") == {"seat": 3}


def test_more_votes_than_are_left_are_refused_with_how_many_there_can_be() -> None:
    table = voting().answer(5)
    assert table.answer(3).said("ballot.too_many") == {"count": 2}
    assert table.seat == 2
    assert table.answer(2).about == "tally"


def test_two_different_too_large_counts_are_two_mistakes() -> None:
    table = voting().answer(5, 3, 4)
    assert table.lines == ["ballot.too_many"]
    assert (table.about, table.seat) == ("votes", 2)


def test_the_same_too_large_count_twice_means_that_an_earlier_one_is_wrong() -> None:
    table = voting().answer(5, 3, 3)
    assert table.lines[-1] == "ballot.amend"
    assert table.about == "amend"
    table.answer(1)
    assert table.said("ballot.recount") == {"seat": 1}
    table.answer(2)
    # Seat 2 is counted again, now that there is room.
    assert (table.about, table.seat) == ("votes", 2)
    table.answer(3)
    table.hands({})
    table.answer(True)
    assert recorded(table)["1"] == 2
    assert recorded(table)["2"] == 3


def test_an_earlier_count_can_be_too_large_twice_in_one_ballot() -> None:
    table = voting().answer(3, 2, 3, 3)
    assert table.about == "amend"
    table.answer(1, 2)
    assert table.seat == 3
    table.answer(4, 4)
    assert table.about == "amend"
    table.answer(2, True, 1)
    assert (table.about, table.seat) == ("votes", 3)
    table.answer(4).answer(True)
    assert recorded(table) == {"1": 2, "2": 1, "3": 4, "4": 0, "5": 0, "6": 0, "7": 0}


def test_a_recount_that_is_too_large_twice_puts_another_one_right_and_then_comes_back() -> None:
    table = counted(voting(), {1: 2, 2: 5}).answer(False, 1)
    table.answer(4, 4)
    assert table.about == "amend"
    table.answer(2, True, 3)
    assert (table.about, table.seat) == ("votes", 1)
    table.answer(4)
    assert table.said("ballot.result") == {"seat": 1, "votes": 4}
    table.answer(True)
    assert recorded(table)["1"] == 4
    assert recorded(table)["2"] == 3


def test_a_candidate_counted_out_of_turn_is_not_counted_twice() -> None:
    table = voting().answer(5, 3, 3).answer(4, 1)
    assert table.said("ballot.read")["seat"] == 4
    assert table.seat == 2
    assert table.answer(1).about == "tally"
    table.answer(True)
    assert recorded(table) == {"1": 5, "2": 1, "3": 0, "4": 1, "5": 0, "6": 0, "7": 0}


# Disputes


def test_the_second_count_disputed_on_a_day_is_asked_back_and_a_denied_one_is_not_heard_again() -> None:
    table = counted(voting(), {1: 4, 2: 3}).answer(False, 2)
    table.answer(3)
    table.answer(False, 2)
    assert table.said("confirm.seat") == {"seat": 2}
    table.answer(False, 2, False)
    assert table.asked.expectation.but == (2,)
    assert table.answer(1, True).says[-1] == Say("ballot.recount", {"seat": 1})


def test_a_count_the_judge_disputes_is_amended_recounted_and_agreed() -> None:
    table = counted(voting(), {1: 4, 2: 3}).answer(False)
    assert table.lines == ["ballot.amend"]
    table.answer(2)
    assert table.says == [Say("ballot.recount", {"seat": 2})]
    table.answer(2)
    assert table.lines == ["ballot.read", "ballot.hands"]
    table.hands({3: 1})
    assert table.says[-1] == Say("ballot.result", {"seat": 1, "votes": 4})
    table.answer(True)
    assert recorded(table)["2"] == 2


def test_a_dispute_can_turn_the_result() -> None:
    table = counted(voting(), {1: 3, 2: 4}).answer(False, 2, 1)
    assert table.seat == 3
    table.hands({3: 1})
    assert table.said("ballot.result") == {"seat": 1, "votes": 3}


def test_only_a_candidate_s_count_can_be_wrong() -> None:
    table = counted(voting(), {1: 4, 2: 3}).answer(False, 8)
    assert table.lines == ["ballot.not_candidate"]
    assert table.about == "amend"
    assert table.answer(1).about == "votes"


def test_a_count_can_be_disputed_as_often_as_it_is_wrong() -> None:
    table = counted(voting(), {1: 4, 2: 3})
    for answers in ((1, 3), (1, True, 2), (1, True, 4)):
        table.answer(False, *answers)
        table.hands({})
    table.answer(True)
    assert recorded(table)["1"] == 4


def test_silence_agrees_to_nothing() -> None:
    table = counted(voting(), {1: 4, 2: 3})
    for _ in range(4):
        assert table.stays_silent().lines == ["ballot.result"]
    assert table.moderator.evening.game.is_living(1)


# Nobody, and ties


def test_where_nobody_votes_nobody_leaves_and_night_falls() -> None:
    table = counted(voting(), {})
    assert table.lines[-1] == "ballot.nobody"
    table.answer(True)
    assert table.lines[:2] == ["ballot.nobody_leaves", "night.falls"]
    assert table.state == "night.choosing"
    assert table.moderator.evening.game.round == 2
    assert table.moderator.evening.game.living == (1, 2, 3, 4, 5, 6, 7)


def test_at_the_first_tie_the_tied_speak_once_more_and_are_voted_on_again() -> None:
    table = counted(voting(), {2: 3, 5: 3})
    assert table.says[-1] == Say("ballot.tie", {"seats": (2, 5), "votes": 3})
    table.answer(True)
    assert table.lines[0] == "tie.first"
    assert table.everyone_speaks() == [2, 5]
    assert table.lines == ["ballot.again", "ballot.hands"]
    assert table.hands({2: 3, 5: 4}) == [2, 5]
    table.answer(True)
    assert table.said("ballot.leaves") == {"seat": 5}


def test_everybody_votes_again_the_tied_too() -> None:
    table = counted(voting(), {2: 3, 5: 3}).answer(True)
    table.everyone_speaks()
    assert table.answer(7).about == "tally"


def test_at_the_second_tie_everyone_but_the_tied_speaks() -> None:
    table = counted(voting(), {2: 3, 5: 3}).answer(True)
    table.everyone_speaks()
    counted(table, {2: 3, 5: 3}).answer(True)
    assert table.lines[0] == "tie.second"
    assert table.everyone_speaks() == [1, 3, 4, 6, 7]
    assert table.hands({2: 4}) == [2, 5]
    assert table.answer(True).said("ballot.leaves") == {"seat": 2}


def test_the_third_tie_ends_the_game_in_a_draw() -> None:
    table = voting()
    for _ in range(3):
        table.everyone_speaks()
        counted(table, {2: 3, 5: 3}).answer(True)
    assert table.lines[:3] == ["end.game_over", "end.third_tie", "end.draw"]
    assert table.noted("verdict")[-1]["winner"] == "draw"
    assert [note["stage"] for note in table.noted("ballot")] == [1, 2, 3]
    assert table.about == "review"


def test_fewer_can_be_tied_the_second_time_and_then_only_they_do_not_speak() -> None:
    table = counted(voting(), {2: 2, 5: 2, 6: 2}).answer(True)
    assert table.everyone_speaks() == [2, 5, 6]
    counted(table, {2: 3, 6: 3}).answer(True)
    assert table.everyone_speaks() == [1, 3, 4, 5, 7]
    assert table.hands({}) == [2, 6]


def test_a_tie_among_everybody_is_voted_on_again_without_others_to_speak() -> None:
    table = counted(voting(), dict.fromkeys(range(1, 8), 1)).answer(True)
    assert table.everyone_speaks() == [1, 2, 3, 4, 5, 6, 7]
    counted(table, dict.fromkeys(range(1, 8), 1)).answer(True)
    assert table.lines[:2] == ["tie.nobody_else", "ballot.again"]
    counted(table, dict.fromkeys(range(1, 8), 1)).answer(True)
    assert table.noted("verdict")[-1]["reason"] == "third_tie"


def test_the_tied_speak_in_the_day_s_order_also_after_a_recount() -> None:
    table = counted(voting(), {2: 2, 5: 3, 6: 1}).answer(False, 2)
    table.answer(3)
    table.hands({})
    assert table.said("ballot.tie")["seats"] == (2, 5)
    table.answer(True)
    assert table.said("tie.first")["seats"] == (2, 5)
    assert table.everyone_speaks() == [2, 5]


def test_nobody_voting_again_among_the_tied_lets_night_fall() -> None:
    table = counted(voting(), {2: 3, 5: 3}).answer(True)
    table.everyone_speaks()
    counted(table, {}).answer(True)
    assert "night.falls" in table.lines


def test_the_ties_of_one_day_do_not_count_on_another() -> None:
    table = counted(voting(), {2: 3, 5: 3}).answer(True)
    table.everyone_speaks()
    counted(table, {5: 4}).answer(True)
    table.everyone_speaks()
    table.night(6)
    table.everyone_speaks()
    counted(table, {1: 2, 7: 2}).answer(True)
    assert table.lines[0] == "tie.first"


@pytest.mark.parametrize("right_hand", [1, -1])
def test_the_tied_are_called_in_the_direction_of_the_table(right_hand: int) -> None:
    table = counted(voting(right_hand=right_hand), {2: 3, 5: 3}).answer(True)
    assert table.everyone_speaks() == ([2, 5] if right_hand == 1 else [5, 2])
