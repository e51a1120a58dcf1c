"""A ruleset nobody thought of: a file in a folder and one function; the moderator plays it to its verdict."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from other_games import night
from table import Table, lobby

from narrator.moderator.effects import Say
from narrator.moderator.evening import Secrets
from narrator.rehearsal.simulate import simulate
from narrator.rules import ruleset as rulesets
from narrator.rules.dawn import Dawn
from narrator.rules.game import Game
from narrator.rules.registry import RESOLUTIONS, VICTORIES, register, resolution
from narrator.rules.victory import Verdict

# Nightfall turned upside down: a thief moves who is meant, then the vampires bite, then a priest looks; the
# priest's helper is only seen; speeches go to the right in two laps, votes are spoken, cards are shown.
VAMPIRES = """
source = "nobody's"
rank = 0
last_words = 1
tie = "once_more"
resolution = "swapped"
victory = "vampires"
repeat_first_victim = false
cards = "shown"
laps = [1, 2]
ballot = "spoken"
opening = "speech.defence"
parting = { role = "thief", unless = "swap" }
sides = { vampire = "killers", priest = "good", thief = "good", helper = "good", civilian = "good" }
deals = [{ players = [7, 9], vampire = 2, priest = 1, thief = 1, helper = 1 }]

[[night]]
role = "helper"
first_night = true

[[night]]
role = "thief"
act = "swap"
uses = 2
limits = ["not_self", "not_twice_running"]

[[night]]
role = "vampire"
act = "kill"

[[night]]
role = "priest"
act = "look"
hint = "is_killer"

[wording]
"speech.please" = "speech.defend"
"end.good_win" = "end.good_side_wins"
"""


@pytest.fixture
def vampires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[rulesets.Ruleset]:
    """The folder of rulesets holds only this one; its two functions are registered as a module would."""
    monkeypatch.setitem(RESOLUTIONS, "swapped", replace(RESOLUTIONS["victim_dies"]))
    monkeypatch.setitem(VICTORIES, "vampires", VICTORIES["level"])

    @resolution("swapped", "swap", "kill")
    def swapped(game: Game, choices: Mapping[str, int | None]) -> Dawn:
        """Whoever was to be bitten lives if the thief has taken his place at the table."""
        bitten = choices.get("kill")
        dies = bitten is not None and choices.get("swap") != bitten
        return Dawn((bitten,) if dies and bitten is not None else (), victim=bitten if dies else None)

    @register(VICTORIES, "vampires")
    def over(living: Mapping[str, int], dealt: Mapping[str, int]) -> Verdict | None:
        if living["vampire"] == 0:
            return Verdict("good", "killers_out")
        return Verdict("killers", "half") if 2 * living["vampire"] >= sum(living.values()) else None

    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "vampires.toml").write_text(VAMPIRES, encoding="utf-8")
    monkeypatch.setattr("narrator.rules.ruleset.resources.files", lambda package: tmp_path)
    rulesets._ids.cache_clear()
    rulesets.load.cache_clear()
    yield rulesets.load("vampires")
    rulesets._ids.cache_clear()
    rulesets.load.cache_clear()


def sit_down(way: Secrets) -> Table:
    """Vampires 1 and 2, priest 3, thief 4, helper 5, two civilians; eyes closed for the first time."""
    table = lobby(ruleset="vampires", players=7, secrets=way)
    table.roles = {"vampire": (1, 2), "priest": (3,), "thief": (4,), "helper": (5,)}
    return table.answer(True, "ready")


@pytest.mark.usefixtures("vampires")
@pytest.mark.parametrize("way", list(Secrets))
def test_it_is_played_from_the_lobby_to_the_verdict(way: Secrets) -> None:
    table = sit_down(way)
    night(table, dead=(6,), kill=6, look=1)
    woken = [e.params["role"] for e in table.log if isinstance(e, Say) and e.line == "night.wake"]
    assert woken == ["helper", "thief", "vampire", "priest"]

    # The dead shows the card, may take somebody along, and has the only last words.
    if way is Secrets.JUDGE:
        table.answer(False, True)
    assert "shown.good" in table.lines
    assert table.about == "parting"
    table.answer(None, True)
    assert (table.about, table.seat) == ("last_words", 6)
    table.answer(True)
    assert table.lines[-2:] == ["speech.defence", "speech.defend"]

    # Everybody votes right after speaking.
    spoke = []
    while table.about in ("speech", "name"):
        if table.about == "speech":
            spoke.append(table.seat)
        table.answer(True if table.about == "speech" else 1)
    assert spoke == [7, 1, 2, 3, 4, 5]
    table.answer(True)
    if way is Secrets.JUDGE:
        table.answer(True, True)
    assert "shown.killer" in table.lines
    table.answer(None, True)

    # The second night: the helper sleeps on, the thief saves the one who is bitten; then two laps.
    assert table.moderator.evening.game.round == 2
    night(table, swap=7, kill=7)
    woken = [e.params["role"] for e in table.log if isinstance(e, Say) and e.line == "night.wake"]
    assert woken[4:] == ["thief", "vampire", "priest"]
    assert "day.peaceful" in table.lines
    laps = []
    while table.about in ("speech", "name"):
        if table.about == "speech":
            laps.append(table.seat)
        table.answer(True if table.about == "speech" else 2)
    assert laps == [2, 3, 4, 5, 7, 2, 3, 4, 5, 7]
    table.answer(True)
    if way is Secrets.JUDGE:
        table.answer(True, True, True, "winner.good", True)
    assert table.about == "review"
    assert [verdict["winner"] for verdict in table.noted("verdict")] == ["good"]


@pytest.mark.parametrize("way", list(Secrets))
def test_synthetic_players_play_it_and_agree_with_the_moderator(
    vampires: rulesets.Ruleset, way: Secrets
) -> None:
    rng = random.Random(7)
    for _ in range(4):
        ended = simulate(vampires, rng.randint(7, 9), way, rng.getrandbits(32))
        assert ended.violations == []
        assert ended.winner in ("killers", "good")
