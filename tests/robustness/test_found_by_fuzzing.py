"""What absurd inputs have brought to light, each once more by itself."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.effects import Note
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer
from narrator.moderator.moderator import Moderator
from narrator.mouth.lines import load_pack
from narrator.resources import voices_folder
from narrator.rules.custom import customise, parse
from narrator.rules.ruleset import load, read_ruleset
from narrator.table.journal import Journal
from narrator.table.settings import load_settings

STANDARD = (Path(__file__).parents[2] / "narrator/rules/rulesets/standard.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("players = [8, 10]", "players = [8, 2147483648]"),
        ('hint = "is_killer"', "hint = []"),
        ('hint = "is_killer"', "limits = [{}]"),
    ],
)
def test_a_ruleset_with_an_absurd_value_is_refused_at_once(written: str, instead: str) -> None:
    assert written in STANDARD
    with pytest.raises(Fault) as refused:
        read_ruleset("own", STANDARD.replace(written, instead).encode(), "own.toml")
    assert refused.value.key == "broken_ruleset"


def test_a_number_of_five_thousand_digits_is_no_setting() -> None:
    name, setting = parse("killers=" + "9" * 5000)
    with pytest.raises(Fault) as refused:
        customise(load("standard"), {name: setting})
    assert refused.value.key == "bad_knob"


def test_a_knob_that_no_number_of_players_can_have_is_refused_whoever_asks() -> None:
    for players in (None, 5, 8):
        with pytest.raises(Fault) as refused:
            customise(load("standard"), {"killers": 16}, players)
        assert refused.value.key.startswith("impossible_")


@pytest.mark.parametrize(
    "line",
    ["pace = inf", "speech_seconds = 1e308", "speech_seconds = 0.2", 'model = "~nobody-is-called-so/m"'],
)
def test_settings_that_no_table_can_have_are_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(line, encoding="utf-8")
    with pytest.raises(Fault) as refused:
        load_settings(tmp_path / "settings.toml")
    assert refused.value.key == "bad_settings"
    assert line.split()[0] in message(refused.value.key, **refused.value.params)


def test_a_voice_pack_whose_rhythm_is_a_number_is_refused(tmp_path: Path) -> None:
    text = (voices_folder() / "zh-CN" / "lines.toml").read_text(encoding="utf-8")
    (tmp_path / "lines.toml").write_text(
        "rhythm = 3\n" + text.replace("[[rhythm]]", "[[other]]"), encoding="utf-8"
    )
    with pytest.raises(Fault) as refused:
        load_pack(tmp_path)
    assert "rhythm" in str(refused.value.params["why"])


@pytest.mark.parametrize("setup", ["null", "[]", "3", "{", b"\xff\xfe"])
def test_an_evening_whose_row_is_damaged_cannot_be_gone_on_with_and_nothing_else(
    setup: str | bytes, tmp_path: Path
) -> None:
    file = tmp_path / "narrator.db"
    with closing(Journal(file)) as journal:
        journal.open_evening(Setup(1, ruleset="standard", players=8, secrets=Secrets.JUDGE))
        journal.noted(Note("game", {"ruleset": "standard", "players": 8, "secrets": "judge"}))
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE evening SET setup = CAST(? AS TEXT)", (setup,))
        connection.execute("UPDATE note SET content = CAST(? AS TEXT)", (setup,))
    with closing(Journal(file)) as journal:
        with pytest.raises(Fault) as refused:
            journal.unfinished()
        assert refused.value.key == "resume_impossible"
        assert journal.last_table() is None
        assert journal.last_first_victim() is None


def test_an_answer_that_was_not_offered_is_not_understood() -> None:
    moderator = Moderator(Setup(1, ruleset="standard", players=8, secrets=Secrets.JUDGE))
    moderator.begin()
    moderator.handle(Answer(Kind.YESNO, True))
    assert moderator.state == "dealing"
    moderator.handle(Answer(Kind.CHOICE, "winner.draw"))
    assert moderator.state == "dealing"
    moderator.handle(Answer(Kind.CHOICE, "ready"))
    assert moderator.state.startswith("night")


def test_a_sentence_stays_one_line_whatever_somebody_wrote_in_it() -> None:
    assert message("bad_setting", text="a\nb\x1b[2J\tc").count("\n") == 0
    assert "\x1b" not in message("bad_setting", text="a\nb\x1b[2J\tc")
