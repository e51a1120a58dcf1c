"""``--set``: a table's own rules on the command line, for every command that plays or shows a game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.cli.choice import chosen_rulesets, knobs_of
from narrator.cli.main import main
from narrator.faults import Fault

FRIDAY = 'name = "周五版"\nbase = "standard"\nkillers = 4\nlast_words = "all"\n'


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The host's folder of rulesets."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    monkeypatch.setenv("NARRATOR_LANG", "en")
    folder = tmp_path / "rulesets"
    folder.mkdir()
    return folder


def test_every_set_is_a_rule_the_last_one_of_a_name_counts() -> None:
    assert knobs_of(["killers=3", "last_words=all", "killers=4"]) == (("killers", 4), ("last_words", "all"))
    assert knobs_of([]) == ()


def test_own_rules_without_a_ruleset_are_those_of_the_default(own: Path) -> None:
    (chosen,) = chosen_rulesets(None, 12, knobs_of(["killers=4"]))
    assert (chosen.id, chosen.deal(12)["killer"]) == ("standard", 4)


@pytest.mark.parametrize("command", ["play", "rehearse", "simulate", "rules"])
@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--set", "killers=0"], "without killers"),
        (["--set", "killers=6", "--players", "12"], "parity"),
        (["--set", "police=11", "--players", "12"], "role cards"),
        (["--set", "weather=fine"], "weather"),
        (["--set", "killers"], "killers"),
    ],
    ids=["no killers", "parity", "too many roles", "no such rule", "no value"],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    command: str, given: list[str], why: str, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ruleset = ["standard"] if command == "rules" else ["--ruleset", "standard"]
    assert main([command, *ruleset, *given]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert why in said.err


def test_the_rules_tell_what_can_be_changed_and_what_was(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "standard", "--set", "killers=4", "--set", "vote=2"]) == 0
    text = capsys.readouterr().out
    assert "Own rules: killers=4, vote=2" in text
    assert "last_words=killers, all, none, 1–16" in text


def test_a_host_s_own_ruleset_is_listed_along_with_the_shipped_ones(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "friday.toml").write_text(FRIDAY, encoding="utf-8")
    (own / "broken.toml").write_text("name = 3", encoding="utf-8")
    assert main(["rules", "--json"]) == 0
    said = capsys.readouterr()
    listed = {data["id"]: data for data in json.loads(said.out)}
    assert listed["friday"]["own_rules"] == {"killers": 4, "last_words": "all"}
    assert "standard" in listed
    assert said.err.count("\n") == 1
    assert "broken.toml" in said.err


def test_a_host_s_own_ruleset_is_shown_by_its_own_name(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "friday.toml").write_text(FRIDAY, encoding="utf-8")
    assert main(["rules", "friday"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("周五版 (friday)")
    assert "For beginners" in text


def test_a_ruleset_that_is_not_there_names_the_own_ones_as_well(own: Path) -> None:
    (own / "friday.toml").write_text(FRIDAY, encoding="utf-8")
    with pytest.raises(Fault) as fault:
        chosen_rulesets("saturday", None)
    assert "friday" in str(fault.value.params["known"])
