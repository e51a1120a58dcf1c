"""Any accepted combination of own rules is a game that comes to its verdict."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from narrator.cli.main import main
from narrator.faults import Fault
from narrator.moderator.effects import Expect
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Kind
from narrator.moderator.ownrules import REST
from narrator.rehearsal.simulate import simulate
from narrator.rehearsal.wishes import Wishes
from narrator.rules.custom import Setting, customise, knob_of, setting_of
from narrator.rules.registry import KNOBS
from narrator.rules.ruleset import Ruleset, all_rulesets, load

GAMES = 8
"""Games a ruleset, each with own rules of its own."""


def any_setting(ruleset: Ruleset, name: str, rng: random.Random) -> Setting:
    knob = knob_of(ruleset, name)
    numbers = () if knob.least is None else range(knob.least, min(knob.most, knob.least + 5) + 1)
    settings: list[Setting] = [*knob.words, *numbers]
    return rng.choice(settings)


def any_table(ruleset: Ruleset, rng: random.Random) -> tuple[Ruleset, int]:
    """A ruleset with own rules that can be played, and a number of players who can."""
    while True:
        players = rng.choice(list(ruleset.deals))
        names = rng.sample(ruleset.knobs, rng.randint(1, len(ruleset.knobs)))
        try:
            chosen = customise(ruleset, {name: any_setting(ruleset, name, rng) for name in names}, players)
        except Fault as fault:
            if not fault.key.startswith("impossible_"):
                raise
        else:
            return chosen, players


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.id)
def test_any_own_rules_that_are_accepted_make_a_game_that_ends(ruleset: Ruleset) -> None:
    for number in range(GAMES):
        rng = random.Random(f"{ruleset.id}:{number}")
        chosen, players = any_table(ruleset, rng)
        ended = simulate(chosen, players, rng.choice(list(Secrets)), rng.getrandbits(32))
        assert ended.violations == [], (chosen.changes, players)
        assert ended.winner in ("killers", "good", "draw")


def sayable(ruleset: Ruleset, name: str, rng: random.Random) -> Setting:
    """A setting other than the ruleset's own that can be told aloud."""
    knob = knob_of(ruleset, name)
    words = KNOBS[name].words if name in KNOBS else ()
    numbers: Sequence[int] = knob.spoken
    if not knob.spoken and knob.least is not None:
        numbers = range(knob.least, min(knob.most, knob.least + 4) + 1)
    own = setting_of(ruleset, name, ruleset.most)
    others: list[Setting] = [setting for setting in (*words, *numbers) if setting != own]
    return rng.choice(others)


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.id)
def test_own_rules_told_in_the_lobby_are_the_rules_that_are_played(ruleset: Ruleset) -> None:
    for number in range(GAMES):
        rng = random.Random(f"{ruleset.id}:aloud:{number}")
        players = rng.choice(list(ruleset.deals))
        own = [name for name in ruleset.knobs if name in KNOBS]
        wanted = {name: sayable(ruleset, name, rng) for name in rng.sample(own, rng.randint(1, len(own)))}
        chosen = customise(ruleset, wanted, players)
        ended = simulate(chosen, players, rng.choice(list(Secrets)), rng.getrandbits(32), by_voice=True)
        assert ended.violations == [], (wanted, players)


def test_a_host_who_asks_and_then_changes_nothing_plays_the_rules_as_they_are() -> None:
    assert simulate(load("standard"), 9, Secrets.KEYPAD, 4, by_voice=True).violations == []


def test_a_rule_that_was_not_told_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    tells = Wishes.answer

    def forgets(wishes: Wishes, expect: Expect) -> tuple[Kind, int | str]:
        tells(wishes, expect)
        return Kind.CHOICE, REST

    monkeypatch.setattr(Wishes, "answer", forgets)
    ended = simulate(customise(load("standard"), {"tie": "draw"}), 9, Secrets.KEYPAD, 4, by_voice=True)
    assert any("agreed to ()" in violation for violation in ended.violations)


@pytest.mark.parametrize("secrets", list(Secrets))
def test_a_run_off_ends_as_the_hands_mean(secrets: Secrets) -> None:
    chosen = customise(load("standard"), {"vote": 2})
    for seed in range(5):
        assert simulate(chosen, 10, secrets, seed, noise=0.2).violations == []


def test_a_tie_that_is_a_draw_ends_the_game_at_once() -> None:
    chosen = customise(load("standard"), {"tie": "draw"})
    ended = [simulate(chosen, 8, Secrets.KEYPAD, seed) for seed in range(20)]
    assert [game.violations for game in ended] == [[]] * 20
    assert any(game.reason == "tie" and game.rounds == 1 for game in ended)


# The command


def simulated(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["simulate", "--games", "4", "--json", *arguments]) == 0
    figures: dict[str, object] = json.loads(capsys.readouterr().out)
    return figures


def test_own_rules_are_simulated_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    figures = simulated(capsys, "--set", "killers=3", "--set", "last_words=all", "--set", "vote=1")
    assert figures["ruleset"] == "standard"
    assert figures["own_rules"] == {"killers": 3, "last_words": "all", "vote": 1}


def test_a_host_s_own_ruleset_is_simulated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    (tmp_path / "rulesets").mkdir()
    text = 'name = "周五版"\nbase = "doctor"\ndoctor = 0\npeaceful = "day"\n'
    (tmp_path / "rulesets" / "friday.toml").write_text(text, encoding="utf-8")
    figures = simulated(capsys, "--ruleset", "friday", "--players", "9")
    assert figures["ruleset"] == "friday"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--set", "killers=0"],
        ["--set", "killers=9", "--players", "15"],
        ["--set", "killers"],
        ["--set", "weather=fine"],
        ["--set", "tie=coin"],
        ["--ruleset", "butterfly", "--set", "vote=2"],
    ],
    ids=" ".join,
)
def test_own_rules_that_cannot_be_played_are_refused_in_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
