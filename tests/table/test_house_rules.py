"""The host's own rulesets in files: what is listed, told and left out, said and understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.faults import Fault
from narrator.heard import Heard
from narrator.messages import message
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer
from narrator.mouth.lines import load_pack
from narrator.resources import voices_folder
from narrator.rules.library import OwnRules, library
from narrator.rules.ruleset import all_rulesets
from narrator.table.houserules import Words, own_library, own_rules
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import load_phrasebook

FRIDAY = """
name = "周五版"
base = "standard"
killers = 3
last_words = "all"
"""

WHOLE = """
name = "小桌版"
source = "our table"
last_words = "none"
tie = "draw"
resolution = "victim_dies"
victory = "one_kind_out"
repeat_first_victim = true
sides = { killer = "killers", police = "good", civilian = "good" }
deals = [{ players = [5, 7], killer = 1, police = 1 }]
night = [{ role = "killer", act = "kill" }, { role = "police", act = "check", hint = "is_killer" }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The host's folder of rulesets, still empty."""
    (tmp_path / "rulesets").mkdir()
    return tmp_path / "rulesets"


@pytest.fixture
def words() -> Words:
    voice = voices_folder() / "zh-CN"
    return Words(load_pack(voice), load_phrasebook(voice / "phrases.toml"))


def unexpected(fault: Fault) -> None:
    raise fault


def left_out(folder: Path, words: Words | None = None) -> str:
    """The one sentence told about the only file, which is left out."""
    told: list[Fault] = []
    assert own_rules(told.append, words, folder) == ()
    (fault,) = told
    sentence = message(fault.key, **fault.params)
    assert sentence.count("\n") == 0
    return sentence


def test_no_folder_no_rulesets(tmp_path: Path) -> None:
    assert own_library(unexpected, tmp_path / "nothing").all() == all_rulesets()


def test_a_file_may_change_a_few_rules_of_a_shipped_ruleset(folder: Path) -> None:
    (folder / "friday.toml").write_text(FRIDAY, encoding="utf-8")
    friday = own_library(unexpected, folder).load("friday")
    assert (friday.name, friday.last_words) == ("周五版", "all")
    assert friday.deal(8) == {"killer": 3, "police": 2, "civilian": 3}
    assert friday.changes == (("killers", 3), ("last_words", "all"))


def test_a_file_may_be_a_whole_ruleset_for_a_table_that_no_shipped_one_fits(folder: Path) -> None:
    (folder / "small.toml").write_text(WHOLE, encoding="utf-8")
    known = own_library(unexpected, folder)
    assert [ruleset.id for ruleset in known.playable(5)] == ["small"]
    assert known.load("small").deal(5) == {"killer": 1, "police": 1, "civilian": 3}


def test_own_rulesets_are_offered_after_the_shipped_ones(folder: Path) -> None:
    for name in ("zoo", "friday"):
        text = FRIDAY.replace("周五版", f"{name}版")
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    known = own_library(unexpected, folder)
    assert [ruleset.id for ruleset in known.all()[-2:]] == ["friday", "zoo"]
    assert known.all()[0].id == "standard"


def test_knobs_may_be_turned_on_top_of_an_own_ruleset(folder: Path) -> None:
    (folder / "friday.toml").write_text(FRIDAY, encoding="utf-8")
    chosen = own_library(unexpected, folder).chosen("friday", (("police", 3),), 12)
    assert chosen.deal(12) == {"killer": 3, "police": 3, "civilian": 6}
    assert (chosen.id, chosen.name, chosen.last_words) == ("friday", "周五版", "all")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "name is missing"),
        ('name = " "\nbase = "standard"', "name is missing"),
        ("name = ", "Invalid value"),
        ('name = "周五版"\nbase = "poker"', "poker"),
        ('name = "周五版"\nbase = "standard"\nkillers = 0', "without killers"),
        ('name = "周五版"\nbase = "standard"\nkillers = 8', "parity"),
        ('name = "周五版"\nbase = "standard"\npolice = 12', "role cards"),
        ('name = "周五版"\nbase = "standard"\nbutterfly = 1', "butterfly"),
        ('name = "周五版"\nbase = "standard"\ncards = "burnt"', "burnt"),
        ('name = "周五版"\nbase = "standard"\nkillers = [3]', "killers"),
        (WHOLE.replace('act = "kill"', 'act = "tickle"'), "kill"),
        (WHOLE.replace('"none"', '"some"'), "last_words"),
        (WHOLE + 'knobs = ["weather"]', "weather"),
    ],
    ids=[
        "empty", "no name", "no TOML", "no such base", "no killers", "parity", "too many roles",
        "no such knob", "no such setting", "no setting", "no killing", "no such words", "no such knob listed",
    ],
)  # fmt: skip
def test_a_broken_file_is_told_in_one_sentence_and_left_out(
    folder: Path, text: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NARRATOR_LANG", "en")
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    sentence = left_out(folder)
    assert why in sentence
    assert "mine.toml" in sentence


def test_a_file_with_the_name_of_a_shipped_ruleset_is_left_out(folder: Path) -> None:
    (folder / "standard.toml").write_text(FRIDAY, encoding="utf-8")
    assert "standard" in left_out(folder)


def test_a_file_that_is_no_text_is_left_out(folder: Path) -> None:
    (folder / "mine.toml").write_bytes(b"\xff\xfe\x00")
    assert "mine.toml" in left_out(folder)


def test_a_broken_file_does_not_take_the_others_along(folder: Path) -> None:
    (folder / "broken.toml").write_text("name =", encoding="utf-8")
    (folder / "friday.toml").write_text(FRIDAY, encoding="utf-8")
    told: list[Fault] = []
    assert [rules.id for rules in own_rules(told.append, folder=folder)] == ["friday"]
    assert len(told) == 1


# Saying and understanding


def test_an_own_ruleset_is_said_and_understood_by_its_name(folder: Path, words: Words) -> None:
    (folder / "friday.toml").write_text(FRIDAY, encoding="utf-8")
    assert len(own_rules(unexpected, words, folder)) == 1
    offer = words.pack.text("lobby.ruleset", {"players": 12, "rulesets": ("standard", "friday")})
    assert "周五版" in offer
    assert words.pack.text("confirm.choice", {"choice": "ruleset.friday"}) == "周五版，对吗？"
    expectation = Expectation(Kind.CHOICE, ("ruleset.standard", "ruleset.friday"))
    answer = understand(Heard("周五版", typed=True), expectation, words.phrasebook)
    assert answer == Answer(Kind.CHOICE, "ruleset.friday")


def test_a_name_that_already_means_a_ruleset_is_refused(folder: Path, words: Words) -> None:
    (folder / "mine.toml").write_text(FRIDAY.replace("周五版", "标准版"), encoding="utf-8")
    assert "标准版" in left_out(folder, words)


def test_two_own_rulesets_of_one_name_are_told_apart_by_leaving_the_second_out(
    folder: Path, words: Words
) -> None:
    (folder / "a.toml").write_text(FRIDAY, encoding="utf-8")
    (folder / "b.toml").write_text(FRIDAY, encoding="utf-8")
    told: list[Fault] = []
    assert [rules.id for rules in own_rules(told.append, words, folder)] == ["a"]
    assert told[0].params["file"] == folder / "b.toml"


def test_a_role_that_the_voice_pack_has_no_word_for_is_told(folder: Path, words: Words) -> None:
    text = WHOLE.replace("police", "clown")
    (folder / "mine.toml").write_text(text.replace('"one_kind_out"', '"level"'), encoding="utf-8")
    assert "clown" in left_out(folder, words)


# As the evening keeps them


def test_a_table_s_own_rulesets_are_kept_word_for_word() -> None:
    own = (OwnRules("friday", FRIDAY),)
    assert library(own).load("friday").deal(8)["killer"] == 3
    assert library(own) is library(own)
