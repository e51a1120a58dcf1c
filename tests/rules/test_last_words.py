"""Last words: who leaves with them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from game_tables import ejected, killed, table, voted_out

from narrator.rules.game import next_round
from narrator.rules.lastwords import has_last_words, quota


def test_classic_lets_everyone_speak_who_is_killed_or_voted_out() -> None:
    """000 §3.13 and §3.17: 法官指示被殺者留遺言; 公決出局，可留遺言."""
    game = table("classic")
    for victim, voted in ((12, 11), (10, 9), (8, 1)):
        game = killed(game, victim)
        assert has_last_words(game, victim)
        game = voted_out(game, voted)
        assert has_last_words(game, voted)
        game = next_round(game)


@pytest.mark.parametrize(("players", "killers"), [(8, 2), (12, 3), (15, 4)])
def test_standard_lets_the_first_to_leave_speak_as_many_as_killers(players: int, killers: int) -> None:
    """001 §二.3 注释: 留遗言人数与警匪人数相同."""
    game = table("standard", players)
    assert quota(game) == killers
    leaving = range(players, players - killers - 2, -1)
    spoke = []
    for number, seat in enumerate(leaving):
        game = killed(game, seat) if number % 2 == 0 else voted_out(game, seat)
        spoke.append(has_last_words(game, seat))
    assert spoke == [True] * killers + [False] * 2


def test_whoever_had_last_words_keeps_them_when_others_leave_later() -> None:
    """001 §二.3 注释: the quota is filled in the order of leaving."""
    game = voted_out(killed(table("standard", 8), 8), 7)
    assert has_last_words(voted_out(game, 6), 8)


@pytest.mark.parametrize("ruleset_id", ["standard", "classic"])
def test_whoever_is_sent_out_goes_without_a_word(ruleset_id: str) -> None:
    """House decision, The judge's powers: an ejected player leaves without last words."""
    assert not has_last_words(ejected(table(ruleset_id), 5), 5)


def test_being_sent_out_uses_no_last_words_up() -> None:
    """House decision: the quota of two stays for the next two."""
    game = ejected(table("standard", 8), 8)
    game = killed(game, 7)
    assert has_last_words(game, 7)
    game = voted_out(game, 6)
    assert has_last_words(game, 6)
    game = killed(next_round(game), 5)
    assert not has_last_words(game, 5)


def test_nobody_speaks_last_words_while_still_playing() -> None:
    assert not has_last_words(table(), 5)


@pytest.mark.parametrize(("agreed", "speaking"), [("none", 0), (1, 1), (5, 5), ("all", 6)])
def test_a_table_may_agree_on_another_number(agreed: str | int, speaking: int) -> None:
    """001 preface: 遗言数量 is one of the details that differ from table to table."""
    game = table("standard", 12)
    game = replace(game, ruleset=replace(game.ruleset, last_words=agreed))
    for seat in (12, 11, 10, 9, 8, 7):
        game = killed(game, seat)
    assert [has_last_words(game, seat) for seat in (12, 11, 10, 9, 8, 7)] == (
        [True] * speaking + [False] * (6 - speaking)
    )
