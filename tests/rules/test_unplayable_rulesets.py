"""Rulesets that look right and could not be played to the end, and a folder in which one is broken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from game_tables import TINY

from narrator.faults import Fault
from narrator.rules import ruleset as module
from narrator.rules.ruleset import all_rulesets, fitting, load, playable, read_ruleset

FIVE = "{ players = [4, 5], killer = 1, police = 1 }"
SIX_WITH_DOCTOR = "{ players = [6, 6], killer = 1, police = 1, doctor = 1 }"
POLICE_CHECK = '{ role = "police", act = "check", hint = "is_killer" }'
DOCTOR_LOOKS = '{ role = "doctor", act = "look", hint = "is_killer" }'
DOCTORED = TINY.replace('civilian = "good"', 'civilian = "good", doctor = "good"')


def why(text: str) -> str:
    with pytest.raises(Fault, match="broken_ruleset") as fault:
        read_ruleset("mine", text.encode(), "mine.toml")
    return str(fault.value.params["why"])


def test_civilians_can_not_be_on_the_killers_side() -> None:
    """000 §4.4, 001 §二.4: 平民的胜负与警察相同."""
    text = TINY.replace('civilian = "good"', 'civilian = "killers"')
    assert why(text) == "civilians win or lose with the police, their side is good"


def test_a_role_that_only_the_larger_table_deals_must_wake_too() -> None:
    """House decision, Night: every special role has its step."""
    assert (
        why(DOCTORED.replace(FIVE, f"{FIVE}, {SIX_WITH_DOCTOR}")) == "night step of role 'doctor' is missing"
    )


def test_a_role_that_some_table_does_not_deal_can_not_wake_there() -> None:
    """Nobody could be learned as its holder in the first night."""
    text = DOCTORED.replace(POLICE_CHECK, f"{POLICE_CHECK}, {DOCTOR_LOOKS}")
    assert why(text) == "role 'doctor' wakes but is not dealt to 4 players"
    assert why(text.replace(FIVE, f"{FIVE}, {SIX_WITH_DOCTOR}")) == (
        "role 'doctor' wakes but is not dealt to 4 players"
    )
    assert read_ruleset("mine", text.replace(FIVE, SIX_WITH_DOCTOR).encode(), "mine.toml").deal(6) == {
        "killer": 1,
        "police": 1,
        "doctor": 1,
        "civilian": 3,
    }


@pytest.mark.parametrize(
    "key", ["source", "last_words", "tie", "resolution", "victory", "repeat_first_victim"]
)
def test_whatever_is_left_out_is_named(key: str) -> None:
    lines = [line for line in TINY.splitlines() if not line.startswith(f"{key} =")]
    assert len(lines) == len(TINY.splitlines()) - 1
    assert why("\n".join(lines)) == f"{key} is missing"


@pytest.mark.parametrize("key", ["sides", "deals", "night"])
def test_whichever_table_is_left_out_is_named(key: str) -> None:
    lines = [line for line in TINY.splitlines() if not line.startswith(f"{key} =")]
    assert len(lines) == len(TINY.splitlines()) - 1
    assert why("\n".join(lines)) == f"{key} is missing"


@pytest.mark.parametrize("span", ["[4]", "[4, 5, 6]", "[4, '5']", "[-4, 5]", "[4.0, 5.0]"])
def test_a_deal_is_for_two_numbers_of_players_from_fewest_to_most(span: str) -> None:
    """000 §1, 001 §二.1 give each deal such a range."""
    assert why(TINY.replace("[4, 5]", span)) == f"players = {span} of a deal is not [fewest, most]"


@pytest.mark.parametrize("key", ["deals", "night"])
def test_a_list_of_anything_but_tables_is_refused(key: str) -> None:
    lines = [f"{key} = [1, 2]" if line.startswith(key) else line for line in TINY.splitlines()]
    assert why("\n".join(lines)) == f"{key} is not a list of tables, each under [[{key}]]"


def test_where_much_is_wrong_the_same_thing_is_named_every_time() -> None:
    assert why("") == "deals is missing"
    assert why(f"zeal = 1\nluck = 2\nnerve = 3\n{TINY}") == "luck is unknown"


def test_a_line_that_is_no_toml_is_found_by_its_place() -> None:
    assert "line 2" in why("rank = 1\nlast_words = \n")


def test_killers_at_parity_are_refused_and_one_fewer_is_not() -> None:
    """House decision, Impossible tables: killers already at parity."""
    six = FIVE.replace("[4, 5]", "[6, 6]")
    with_three = TINY.replace(FIVE, six.replace("killer = 1", "killer = 3"))
    assert why(with_three) == "3 killers are not fewer than the others of 6 players"
    with_two = TINY.replace(FIVE, six.replace("killer = 1", "killer = 2"))
    assert read_ruleset("mine", with_two.encode(), "mine.toml").deal(6)["killer"] == 2


# The folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of rulesets that takes the place of the project's own."""
    monkeypatch.setattr(module, "resources", SimpleNamespace(files=lambda package: tmp_path))
    (tmp_path / "rulesets").mkdir()
    module._ids.cache_clear()
    load.cache_clear()
    yield tmp_path / "rulesets"
    module._ids.cache_clear()
    load.cache_clear()


def test_rulesets_are_offered_by_rank_and_those_without_one_last(folder: Path) -> None:
    (folder / "a.toml").write_text(TINY, encoding="utf-8")
    (folder / "b.toml").write_text(f"rank = 2\n{TINY}", encoding="utf-8")
    (folder / "c.toml").write_text(f"rank = 1\n{TINY}", encoding="utf-8")
    (folder / "notes.txt").write_text("nothing to play", encoding="utf-8")
    assert [ruleset.id for ruleset in all_rulesets()] == ["c", "b", "a"]
    assert [ruleset.id for ruleset in fitting(5)] == ["c", "b", "a"]
    assert fitting(6) == ()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"rank = \n", "Invalid value"),
        ("source = '桌子'".encode("gbk"), "'utf-8' codec can't decode"),
        (f"rank = 'first'\n{TINY}".encode(), "rank = 'first' is no number"),
    ],
)
def test_one_broken_file_does_not_keep_the_others_from_being_played(
    folder: Path, content: bytes, reason: str
) -> None:
    (folder / "fine.toml").write_text(f"rank = 1\n{TINY}", encoding="utf-8")
    (folder / "broken.toml").write_bytes(content)
    assert load("fine").deal(4)["killer"] == 1
    with pytest.raises(Fault, match="broken_ruleset") as fault:
        load("broken")
    assert fault.value.params["file"] == "broken.toml"
    assert str(fault.value.params["why"]).startswith(reason)


def test_the_unknown_ones_answer_names_what_the_folder_holds(folder: Path) -> None:
    (folder / "fine.toml").write_text(TINY, encoding="utf-8")
    with pytest.raises(Fault, match="unknown_ruleset") as fault:
        load("standard")
    assert fault.value.params == {"ruleset": "standard", "known": "fine"}


def test_a_table_that_no_game_fits_is_told_the_fewest_and_the_most_of_all(folder: Path) -> None:
    """000 §1, 001 §二.1: 参加人数限定在…范围内, taken over all the games there are."""
    (folder / "small.toml").write_text(TINY, encoding="utf-8")
    large = TINY.replace(FIVE, FIVE.replace("[4, 5]", "[7, 9]"))
    (folder / "large.toml").write_text(large, encoding="utf-8")
    assert [ruleset.id for ruleset in playable(8)] == ["large"]
    for players in (3, 6, 10):
        with pytest.raises(Fault, match="no_ruleset_fits") as fault:
            playable(players)
        assert fault.value.params == {"players": players, "fewest": 4, "most": 9}
