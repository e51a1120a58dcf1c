"""Dealing: how many of each card there are, and which games a table can choose from."""

from __future__ import annotations

import pytest

from narrator.faults import Fault
from narrator.messages import message
from narrator.rules.roles import Side
from narrator.rules.ruleset import all_rulesets, fitting, load


@pytest.mark.parametrize(
    ("players", "special"),
    [(8, 2), (9, 2), (10, 2), (11, 3), (12, 3), (13, 3), (14, 4), (15, 4)],
)
def test_standard_deals_as_many_police_as_killers(players: int, special: int) -> None:
    """001 §二.1: 8-10 人 2 警 2 匪, 11-13 人 3 警 3 匪, 14-15 人 4 警 4 匪."""
    assert load("standard").deal(players) == {
        "killer": special,
        "police": special,
        "civilian": players - 2 * special,
    }


@pytest.mark.parametrize(("players", "special"), [(11, 3), (12, 3), (13, 3), (14, 3), (15, 4), (16, 4)])
def test_classic_deals_as_many_police_as_killers(players: int, special: int) -> None:
    """000 §1: 11-14 人 3 警 3 匪, 15-16 人 4 警 4 匪."""
    assert load("classic").deal(players) == {
        "killer": special,
        "police": special,
        "civilian": players - 2 * special,
    }


def test_the_cards_are_named_special_roles_first() -> None:
    """000 §3.1, 001 §二.3(1): police and killers are named before the civilians."""
    for ruleset in all_rulesets():
        assert list(ruleset.deal(ruleset.most))[-1] == "civilian"


@pytest.mark.parametrize(("ruleset_id", "players"), [("standard", 7), ("standard", 16), ("classic", 10)])
def test_a_table_that_does_not_fit_is_refused_with_the_limits(ruleset_id: str, players: int) -> None:
    """000 §1, 001 §二.1: 参加人数限定在…范围内."""
    ruleset = load(ruleset_id)
    with pytest.raises(Fault) as fault:
        ruleset.deal(players)
    assert fault.value.key == "players_do_not_fit"
    assert fault.value.params == {
        "ruleset": ruleset_id,
        "players": players,
        "fewest": ruleset.fewest,
        "most": ruleset.most,
    }


def test_the_limits_are_the_seeds() -> None:
    """000 §1: 11-16; 001 §二.1: 8-15."""
    assert (load("classic").fewest, load("classic").most) == (11, 16)
    assert (load("standard").fewest, load("standard").most) == (8, 15)


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (5, []),
        (7, ["showdown"]),
        (8, ["standard", "doctor"]),
        (11, ["standard", "classic", "doctor"]),
        (12, ["standard", "classic", "doctor", "werewolf"]),
        (13, ["standard", "classic", "doctor", "butterfly"]),
        (15, ["standard", "classic", "doctor"]),
        (16, ["classic"]),
        (17, []),
    ],
)
def test_only_games_that_fit_are_offered(players: int, expected: list[str]) -> None:
    """001 preface (标准规则为缺省配置): standard is the default and comes first."""
    assert [ruleset.id for ruleset in fitting(players)] == expected


KNOWN = "standard, classic, showdown, doctor, butterfly, werewolf"


def test_an_unknown_game_is_answered_with_those_there_are() -> None:
    with pytest.raises(Fault) as fault:
        load("chess")
    assert fault.value.key == "unknown_ruleset"
    assert fault.value.params == {"ruleset": "chess", "known": KNOWN}
    assert message(fault.value.key, **fault.value.params) == (
        f"There is no ruleset chess; choose one of {KNOWN}."
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_refusal_tells_the_limits_in_both_languages(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARRATOR_LANG", lang)
    with pytest.raises(Fault) as fault:
        load("standard").deal(40)
    said = message(fault.value.key, **fault.value.params)
    assert all(number in said for number in ("40", "8", "15"))
    assert "{" not in said


def test_civilians_play_with_the_police() -> None:
    """000 §4.4, 001 §二.4: 平民的胜负与警察相同."""
    for ruleset in all_rulesets():
        assert ruleset.sides["civilian"] is Side.GOOD
        assert len(ruleset.roles_of(Side.KILLERS)) == 1
        assert ruleset.sides.get("police", Side.GOOD) is Side.GOOD
