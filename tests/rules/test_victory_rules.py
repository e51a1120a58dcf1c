"""Who has won, who may give up, and when the judge has to be asked."""

from __future__ import annotations

import pytest
from game_tables import ejected, killed, table, voted_out

from narrator.rules.game import Cause, Game, leave
from narrator.rules.ruleset import Ruleset, load
from narrator.rules.victory import (
    Verdict,
    could_be_over,
    drawn,
    may_surrender,
    surrender,
    verdict,
)

BOTH = pytest.mark.parametrize("ruleset_id", ["standard", "classic"])

# At a table of twelve, seats 1-3 hold killers, 4-6 police, 7-12 civilians.
KILLERS, POLICE, CIVILIANS = (1, 2, 3), (4, 5, 6), (7, 8, 9, 10, 11, 12)


@BOTH
def test_when_all_killers_are_out_the_good_side_wins(ruleset_id: str) -> None:
    """000 §4.1, 001 §二.4: 杀手一方全部死去，则警察一方获胜."""
    game = voted_out(table(ruleset_id), 1, 2)
    assert verdict(game) is None
    assert verdict(voted_out(game, 3)) == Verdict("good", "killers_out")


@BOTH
def test_when_all_police_are_out_the_killers_win(ruleset_id: str) -> None:
    """000 §4.2, 001 §二.4: 警察一方全部死去，则杀手一方获胜."""
    game = killed(table(ruleset_id), 4, 5)
    assert verdict(game) is None
    assert verdict(killed(game, 6)) == Verdict("killers", "police_out")


@BOTH
def test_when_all_civilians_are_out_it_is_a_draw(ruleset_id: str) -> None:
    """000 §4.3, 001 §二.4: 平民全部死去为平局."""
    game = killed(table(ruleset_id), *CIVILIANS[:-1])
    assert verdict(game) is None
    assert verdict(killed(game, CIVILIANS[-1])) == Verdict("draw", "civilians_out")


@BOTH
def test_killers_in_the_majority_have_not_won_yet(ruleset_id: str) -> None:
    """000 §4, 001 §二.4 know no parity: one kind must be out entirely."""
    assert verdict(killed(table(ruleset_id), 4, 5, 7, 8, 9, 10, 11)) is None


@pytest.mark.parametrize("cause", list(Cause))
def test_however_the_last_one_leaves_the_game_is_over(cause: Cause) -> None:
    """House decision, Winning: checked after every change of who is alive (night, vote, ejection)."""
    assert verdict(leave(voted_out(table(), 1, 2), (3,), cause)) == Verdict("good", "killers_out")


@BOTH
def test_in_one_moment_good_comes_before_killers_before_a_draw(ruleset_id: str) -> None:
    """House decision, Winning: precedence inside one moment."""
    game = table(ruleset_id)
    assert verdict(killed(game, *KILLERS, *POLICE, *CIVILIANS)) == Verdict("good", "killers_out")
    assert verdict(killed(game, *KILLERS, *CIVILIANS)) == Verdict("good", "killers_out")
    assert verdict(killed(game, *POLICE, *CIVILIANS)) == Verdict("killers", "police_out")


def test_a_third_tie_is_a_draw() -> None:
    """000 §4.5, 001 §二.4: 本局将被硬性判定为平局. (When it comes to that: test_ballot_rules.)"""
    assert drawn() == Verdict("draw", "third_tie")


def test_the_rules_give_no_verdict_while_only_the_judge_knows_the_roles() -> None:
    assert verdict(killed(table(known=False), 1, 2, 3)) is None


def test_the_judge_is_asked_only_once_enough_are_out() -> None:
    """Three killers and three police: the third to leave is the first who can end the game."""
    game = table(known=False)
    asked = []
    for seat in range(1, 13):
        asked.append(could_be_over(game))
        game = killed(game, seat) if seat % 2 else voted_out(game, seat)
    assert asked == [False, False, False] + [True] * 9


def test_a_judge_who_missed_the_end_is_asked_again() -> None:
    """With three kinds of cards and two players left the game is over whatever they hold."""
    game = table("standard", 8, known=False)
    by_living = {}
    for seat in range(1, 9):
        game = ejected(game, seat)
        by_living[len(game.living)] = could_be_over(game)
    assert by_living == {7: False, 6: True, 5: True, 4: True, 3: True, 2: True, 1: True, 0: True}


def ends_exactly_now(dealt: dict[str, int], out: int) -> bool:
    """Whether cards can leave in an order in which the last of ``out`` is the first to empty a kind."""
    undecided = {tuple(dealt.values())}
    for departure in range(out):
        next_ones = {
            (*kinds[:kind], kinds[kind] - 1, *kinds[kind + 1 :]) for kinds in undecided for kind in range(3)
        }
        if departure == out - 1:
            return any(0 in kinds for kinds in next_ones)
        undecided = {kinds for kinds in next_ones if 0 not in kinds}
    return False


@pytest.mark.parametrize("ruleset", [load("standard"), load("classic")], ids=lambda ruleset: ruleset.id)
def test_the_judge_is_asked_exactly_when_the_last_departure_may_have_ended_the_game(ruleset: Ruleset) -> None:
    """House decision: while the judge keeps the secrets he is asked as seldom as the cards allow."""
    for players in range(ruleset.fewest, ruleset.most + 1):
        game = Game(ruleset, players)
        for seat in range(1, players - 1):
            game = killed(game, seat)
            assert could_be_over(game) == ends_exactly_now(dict(ruleset.deal(players)), seat), (players, seat)


def test_nothing_is_over_before_anybody_left() -> None:
    assert not could_be_over(table(known=False))


def test_known_roles_answer_whether_it_is_over() -> None:
    game = killed(table(), 4, 5)
    assert not could_be_over(game)
    assert could_be_over(killed(game, 6))


@BOTH
@pytest.mark.parametrize(
    ("role", "companions", "expected"),
    [
        ("killer", (1, 2), Verdict("good", "surrender_killers")),
        ("police", (4, 5), Verdict("killers", "surrender_police")),
    ],
)
def test_the_last_of_a_side_may_surrender(
    ruleset_id: str, role: str, companions: tuple[int, ...], expected: Verdict
) -> None:
    """000 §5.5, 001 §二.5(5): 己方尚有同伴活着的时候严禁投降."""
    game = voted_out(table(ruleset_id), companions[0])
    assert not may_surrender(game, role)
    with pytest.raises(ValueError, match="may not surrender"):
        surrender(game, role)
    game = voted_out(game, companions[1])
    assert may_surrender(game, role)
    assert surrender(game, role) == expected


@BOTH
def test_civilians_never_surrender(ruleset_id: str) -> None:
    """000 §5.5, 001 §二.5(5): 玩家（平民除外）."""
    assert not may_surrender(killed(table(ruleset_id), *CIVILIANS[:-1]), "civilian")
    assert not may_surrender(killed(table(ruleset_id, known=False), *CIVILIANS[:-1]), "civilian")


def test_nobody_is_left_to_surrender_when_all_of_a_side_are_out() -> None:
    """000 §5.5, 001 §二.5(5)."""
    assert not may_surrender(voted_out(table(), *KILLERS), "killer")


def test_a_role_that_is_not_played_surrenders_nothing() -> None:
    assert not may_surrender(table(), "doctor")


def test_while_only_the_judge_knows_a_surrender_is_taken_once_it_may_be_the_last() -> None:
    """000 §5.5, 001 §二.5(5): with three killers, two must be out."""
    game = killed(table(known=False), 7)
    assert not may_surrender(game, "killer")
    game = voted_out(game, 8)
    assert may_surrender(game, "killer")
    assert surrender(game, "killer") == Verdict("good", "surrender_killers")
