"""A position of the game: who sits, who has left, and what can't be."""

from __future__ import annotations

import pytest
from game_tables import dealt, ejected, killed, table, voted_out

from narrator.faults import Fault
from narrator.rules.game import Cause, Departure, Game, leave, next_round
from narrator.rules.ruleset import load


def test_a_player_who_left_stays_out_for_the_game() -> None:
    """000 §3.14, 001 §二.3(11): 被杀者出局，不再继续参与游戏进程."""
    game = next_round(voted_out(killed(table(), 5), 9))
    assert game.living == (1, 2, 3, 4, 6, 7, 8, 10, 11, 12)
    assert not game.is_living(5)
    assert game.is_living(6)
    assert game.departures == (Departure(5, Cause.KILLED, 1), Departure(9, Cause.VOTED, 1))


def test_an_earlier_position_is_not_changed_by_what_follows() -> None:
    before = table()
    killed(before, 5)
    assert before.living == tuple(range(1, 13))


def test_rounds_count_the_nights() -> None:
    """000 §3.18, 001 §二.3(14): 进入本局第二轮游戏，同样由裁判宣布天黑闭眼."""
    game = next_round(killed(table(), 5))
    assert game.round == 2
    assert ejected(game, 6).departures[-1] == Departure(6, Cause.EJECTED, 2)


def test_nobody_leaves_twice_and_no_stranger_leaves() -> None:
    game = killed(table(), 5)
    for seats in ((5,), (0,), (13,)):
        with pytest.raises(ValueError, match="is not in the game"):
            leave(game, seats, Cause.VOTED)
    with pytest.raises(ValueError, match="leaves twice"):
        leave(game, (6, 6), Cause.KILLED)


def test_holders_of_a_role_living_and_dead() -> None:
    game = killed(table(), 5)
    assert game.holders("police") == (4, 5, 6)
    assert game.living_holders("police") == (4, 6)


def test_while_only_the_judge_knows_the_roles_nobody_can_be_asked_for_them() -> None:
    with pytest.raises(ValueError, match="only the judge"):
        table(known=False).holders("police")


def test_roles_that_were_not_dealt_are_refused() -> None:
    game = table(known=False)
    roles = dealt(game.ruleset, 12)
    assert game.with_roles(roles).holders("killer") == (1, 2, 3)
    with pytest.raises(ValueError, match="were dealt"):
        game.with_roles({**roles, 12: "killer"})
    with pytest.raises(ValueError, match="were dealt"):
        game.with_roles({**roles, 12: "doctor"})
    with pytest.raises(ValueError, match="roles for seats"):
        game.with_roles({seat: role for seat, role in roles.items() if seat != 12})
    with pytest.raises(ValueError, match="roles for seats"):
        game.with_roles({**roles, 13: "civilian"})


def test_roles_handed_over_can_be_changed_by_their_giver_without_harm() -> None:
    roles = dealt(load("standard"), 12)
    game = table(known=False).with_roles(roles)
    roles[1] = "civilian"
    assert game.holders("killer") == (1, 2, 3)


def test_a_game_needs_a_table_that_fits_and_a_direction() -> None:
    with pytest.raises(Fault, match="players_do_not_fit"):
        Game(load("standard"), 7)
    with pytest.raises(ValueError, match="right_hand"):
        Game(load("standard"), 8, right_hand=0)
