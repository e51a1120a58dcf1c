"""What the judge may impose on a player."""

from __future__ import annotations

import pytest
from game_tables import killed, table, voted_out

from narrator.rules.game import Cause, Departure, next_round
from narrator.rules.lastwords import has_last_words
from narrator.rules.penalties import eject, warn
from narrator.rules.victory import Verdict, verdict


def test_warnings_count_and_nothing_follows_by_itself() -> None:
    """000 §5.4, 001 §二.5(4): after warnings the judge *may* send a player out (有权)."""
    game = table()
    warnings: dict[int, int] = {}
    for _ in range(5):
        warnings = warn(game, warnings, 7)
    warnings = warn(game, warnings, 3)
    assert warnings == {7: 5, 3: 1}
    assert game.is_living(7)


def test_a_warning_leaves_earlier_counts_alone() -> None:
    before = {7: 1}
    warn(table(), before, 7)
    assert before == {7: 1}


@pytest.mark.parametrize("seat", [5, 0, 13])
def test_only_players_in_the_game_are_warned_or_sent_out(seat: int) -> None:
    game = killed(table(), 5)
    with pytest.raises(ValueError, match="is not in the game"):
        warn(game, {}, seat)
    with pytest.raises(ValueError, match="is not in the game"):
        eject(game, seat)


@pytest.mark.parametrize("ruleset_id", ["standard", "classic"])
def test_a_player_who_opened_the_eyes_is_sent_out_without_last_words(ruleset_id: str) -> None:
    """000 §5.13-14, 001 §二.5(11), (14)-(15)."""
    game = eject(next_round(table(ruleset_id)), 7)
    assert game.departures == (Departure(7, Cause.EJECTED, 2),)
    assert not has_last_words(game, 7)


def test_sending_out_the_last_killer_ends_the_game() -> None:
    """House decision, Winning: checked after every change of who is alive."""
    game = voted_out(table("standard", 8), 1)
    assert verdict(eject(game, 2)) == Verdict("good", "killers_out")
