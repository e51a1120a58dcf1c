"""``narrator rules``: what a person, and a program, reads about the rulesets."""

from __future__ import annotations

import json

import pytest

from narrator.cli.main import main
from narrator.messages import catalogue
from narrator.rules.ruleset import all_rulesets


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_all_rulesets_are_shown_the_default_first(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys)
    titles = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert [ruleset.id for ruleset in all_rulesets()] == [line.split("(")[1].split(")")[0] for line in titles]
    assert "standard" in titles[0]


def test_one_ruleset_shows_its_deals(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "standard")
    assert "8–10 players: killers 2, police 2, civilians 4–6" in text
    assert "11–13 players: killers 3, police 3, civilians 5–7" in text
    assert "14–15 players: killers 4, police 4, civilians 6–7" in text
    assert "classic" not in text


def test_twelve_players_see_only_their_deal(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--players", "12")
    assert text.count("12 players: killers 3, police 3, civilians 6") == 2
    assert "11–13" not in text


def test_nine_players_are_not_offered_classic(capsys: pytest.CaptureFixture[str]) -> None:
    assert "classic" not in printed(capsys, "--players", "9")


def test_json_holds_what_the_files_hold(capsys: pytest.CaptureFixture[str]) -> None:
    (data,) = json.loads(printed(capsys, "classic", "--json"))
    assert data["id"] == "classic"
    assert data["players"] == [11, 16]
    assert data["deals"]["15"] == {"killer": 4, "police": 4, "civilian": 7}
    assert [step["act"] for step in data["night"]] == ["kill", "check"]
    assert data["last_words"] == "all"
    assert data["sides"] == {"killer": "killers", "police": "good", "civilian": "good"}


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["--players", "40"], ["classic", "--players", "9"], ["--players", "few"]],
    ids=" ".join,
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.id)
def test_everything_a_ruleset_names_has_a_word(ruleset) -> None:  # type: ignore[no-untyped-def]
    keys = {f"rules_ruleset_{ruleset.id}", f"rules_tie_{ruleset.tie}", f"rules_victory_{ruleset.victory}"}
    keys.add(f"rules_resolution_{ruleset.resolution}")
    keys |= {f"rules_role_{role}" for role in ruleset.sides}
    keys |= {f"rules_act_{step.act or 'seen'}" for step in ruleset.night}
    keys |= {f"rules_order_{ruleset.day.order}", f"rules_ballot_{ruleset.day.ballot}"}
    keys |= {f"rules_cards_{ruleset.cards}"} if ruleset.cards != "hidden" else set()
    keys |= {f"rules_hint_{step.hint}" for step in ruleset.night if step.hint}
    if isinstance(ruleset.last_words, str):
        keys.add(f"rules_last_words_{ruleset.last_words}")
    assert keys - set(catalogue("en")) == set()
