"""The recap after the verdict: what is told of a game, and that it is told as often as one likes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from table import Table, at_day

from narrator.moderator.evening import Secrets
from narrator.moderator.recap import DETAILED, losing_run, recap
from narrator.mouth.lines import load_pack
from narrator.pinyin import syllables
from narrator.resources import voices_folder
from narrator.rules.dawn import Dawn
from narrator.rules.game import Cause, Game, leave, next_round, remember
from narrator.rules.ruleset import load
from narrator.rules.victory import Verdict

HALF_A_MINUTE = 130
"""Syllables that fit into it at the pack's rate, pauses included."""


def reviewed(**known: Any) -> Table:
    """Eight players; killers 1 and 2, police 3 and 4. Seat 8 and 7 die, the killers are voted out."""
    table = at_day(8, **known)
    table.day({1: 5})
    table.everyone_speaks()
    table.night(7)
    table.day({2: 4})
    if table.about == "winner":
        table.answer("winner.good", True)
    assert table.about == "review"
    return table


def test_the_recap_tells_the_roles_every_night_and_every_day() -> None:
    table = reviewed().answer("again.recap")
    assert table.lines[:2] == ["end.reveal", "end.reveal"]
    assert [line for line in table.lines if line.startswith("recap.") and line != "recap.hit"] == [
        "recap.night",
        "recap.out_as",
        "recap.night",
        "recap.out_as",
    ]
    told = [(say.line, dict(say.params)) for say in table.says]
    assert ("recap.night", {"night": 2, "seats": (7,)}) in told
    assert ("recap.out_as", {"day": 2, "seat": 2, "role": "killer"}) in told


def test_after_the_recap_the_question_is_the_same_and_it_can_be_heard_again() -> None:
    table = reviewed().answer("again.recap")
    assert table.about == "review"
    assert table.lines[-1] == "end.again"
    first = table.lines
    assert table.answer("again.recap").lines == first
    assert table.answer("again.same").state == "dealing"


def test_where_only_the_judge_knows_the_roles_none_is_told() -> None:
    table = reviewed(secrets=Secrets.JUDGE).answer("again.recap")
    told = [line for line in table.lines if line != "end.again"]
    assert told
    assert set(told) == {"recap.night", "recap.out"}


# Single games

DEAL = {1: "killer", 2: "killer", 3: "police", 4: "police", **dict.fromkeys(range(5, 9), "civilian")}


def game(*rounds: tuple[int | None, int | None, int | None], roles: dict[int, str] | None = DEAL) -> Game:
    """A game of eight: in every round (killed, checked, voted out)."""
    ruleset = load("standard")
    played = Game(ruleset, 8, roles)
    for number, (killed, checked, voted) in enumerate(rounds):
        played = next_round(played) if number else played
        dead = () if killed is None else (killed,)
        choices = {"kill": killed, "check": checked} if roles else {}
        played = leave(remember(played, Dawn(dead, victim=killed), choices), dead, Cause.KILLED)
        played = leave(played, () if voted is None else (voted,), Cause.VOTED)
    return played


GOOD = Verdict("good", "killers_out")
KILLERS = Verdict("killers", "police_out")


def lines(played: Game, verdict: Verdict) -> list[tuple[str, dict[str, object]]]:
    return [(say.line, dict(say.params)) for say in recap(played, verdict) if say.line != "end.reveal"]


def test_the_first_check_that_found_a_killer_is_told() -> None:
    played = game((8, 5, 6), (7, 2, 2), (None, 1, 1))
    assert lines(played, GOOD)[0] == ("recap.hit", {"night": 2, "role": "police", "seat": 2})
    assert "recap.hit" not in dict(lines(game((8, 5, 1), (7, 6, 2)), GOOD))


def test_a_night_without_a_death_is_told_as_one() -> None:
    told = lines(game((None, None, 1), (8, None, 2)), GOOD)
    assert told[0] == ("recap.quiet", {"night": 1})
    assert told[2] == ("recap.night", {"night": 2, "seats": (8,)})


def test_a_day_that_nobody_left_is_passed_over() -> None:
    told = lines(game((8, None, None), (7, None, 1), (6, None, 2)), GOOD)
    assert ("recap.night", {"night": 1, "seats": (8,)}) in told
    assert not any(params.get("day") == 1 for _, params in told)


def test_the_turn_is_where_the_losers_began_to_lose_one_after_the_other() -> None:
    assert lines(game((8, None, 7), (3, None, 4)), KILLERS)[-1] == (
        "recap.turn",
        {"round": 1, "side": "good", "people": 4},
    )
    lost = game((None, None, 5), (None, None, 1), (None, None, 2))
    assert losing_run(lost, GOOD) is not None
    assert lines(lost, GOOD)[-1] == ("recap.turn", {"round": 2, "side": "killers", "people": 2})


@pytest.mark.parametrize("verdict", [GOOD, Verdict("draw", "third_tie")])
def test_without_a_run_of_losses_there_is_no_turn_to_tell(verdict: Verdict) -> None:
    assert "recap.turn" not in dict(lines(game((8, None, 1), (7, None, 2)), verdict))


def test_a_long_game_is_told_in_short() -> None:
    played = game((None, None, 5), (6, None, None), (None, None, 7), (8, None, 1), (None, None, 2))
    assert played.round > DETAILED
    assert lines(played, GOOD)[:2] == [
        ("recap.nights", {"seats": (6, 8)}),
        ("recap.days", {"seats": (5, 7, 1, 2)}),
    ]


def long_game(rounds: int) -> Game:
    """Sixteen players, the same number of deaths and votes as there are rounds."""
    ruleset = load("classic")
    deck = [role for role, count in ruleset.deal(16).items() for _ in range(count)]
    played = Game(ruleset, 16, dict(enumerate(deck, start=1)))
    for number in range(rounds):
        played = next_round(played) if number else played
        killed, voted = 16 - number, 1 + number
        played = remember(played, Dawn((killed,), victim=killed), {"kill": killed, "check": 1})
        played = leave(leave(played, (killed,), Cause.KILLED), (voted,), Cause.VOTED)
    return played


@pytest.mark.parametrize("rounds", range(1, 9))
def test_the_longest_game_is_told_in_half_a_minute(rounds: int) -> None:
    pack = load_pack(Path(voices_folder()) / "zh-CN")
    told = "".join(pack.text(say.line, say.params) for say in recap(long_game(rounds), KILLERS))
    spoken = [part for part in syllables(told) if part.isalnum()]
    assert len(spoken) <= HALF_A_MINUTE
