"""Own rules at a keyboard: asked for, turned, played, written down, and there again next time."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from doubles import Evening, script_of

from narrator.moderator.effects import Note
from narrator.moderator.evening import Agreement, Secrets, Setup
from narrator.moderator.inputs import Command
from narrator.rules.library import OwnRules, library
from narrator.table.journal import Journal
from narrator.table.resume import revive

KNOWN = Setup(3, ruleset="standard", players=12, secrets=Secrets.JUDGE)
FRIDAY = OwnRules("friday", 'name = "周五版"\nbase = "standard"\nkillers = 4')


def customised(folder: Path, journal: Journal) -> Evening:
    """A table that typed its own rules and has its cards dealt."""
    evening = Evening(
        KNOWN, folder, ears=False, script=script_of(KNOWN), rests={"agree", "knob"}, witnesses=(journal,)
    )
    evening.until_asked("agree")
    evening.keyboard.type("自定义")
    for typed in ("4个", "不改", "都没有", "不限", "改完了"):
        evening.until_taken()
        evening.until_asked("knob")
        evening.keyboard.type(typed)
    evening.until_taken()
    evening.until_asked("agree")
    evening.keyboard.type("对")
    evening.until_asked("dealt")
    return evening


def test_own_rules_are_typed_in_the_words_in_which_they_are_said(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "narrator.db")) as journal:
        journal.open_evening(KNOWN)
        evening = customised(tmp_path, journal)
    assert evening.log.note("game").data["knobs"] == ("killers=4", "last_words=none")
    assert {"own.begin", "own.last_words.none", "lobby.changes", "lobby.right"} <= set(evening.log.lines)


def test_the_table_of_last_time_comes_with_its_own_rules(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "narrator.db")) as journal:
        journal.open_evening(KNOWN)
        customised(tmp_path, journal)
        table = journal.last_table()
    assert table == Agreement("standard", 12, Secrets.JUDGE, (("killers", 4), ("last_words", "none")))


def test_an_interrupted_game_goes_on_by_the_same_own_rules(tmp_path: Path) -> None:
    file = tmp_path / "narrator.db"
    with closing(Journal(file)) as journal:
        journal.open_evening(KNOWN)
        customised(tmp_path, journal)
    with closing(Journal(file)) as journal:
        unfinished = journal.unfinished()
        assert unfinished is not None
        assert Command("own_rules") in unfinished.inputs
        moderator = revive(unfinished).moderator
    assert moderator.evening.table.knobs == (("killers", 4), ("last_words", "none"))
    assert moderator.evening.ruleset.deal(12)["killer"] == 4


def test_an_interrupted_game_by_a_host_s_own_ruleset_needs_no_file_any_more(tmp_path: Path) -> None:
    file = tmp_path / "narrator.db"
    setup = replace(KNOWN, ruleset="friday", own=(FRIDAY,))
    with closing(Journal(file)) as journal:
        journal.open_evening(setup)
    with closing(Journal(file)) as journal:
        unfinished = journal.unfinished()
        assert unfinished is not None
        assert unfinished.setup == setup
        assert unfinished.setup.library.load("friday").deal(12)["killer"] == 4


@pytest.mark.parametrize(
    "data",
    [
        {"ruleset": "friday", "players": 12, "secrets": "judge"},
        {"ruleset": "standard", "players": 12, "secrets": "judge", "knobs": ["weather=fine"]},
        {"ruleset": "standard", "players": 12, "secrets": "judge", "knobs": ["killers=9"]},
        {"ruleset": "standard", "players": 12, "secrets": "judge", "knobs": [3]},
        {"ruleset": "standard", "players": 12, "secrets": "judge", "knobs": 3},
    ],
    ids=["its file is gone", "no such rule any more", "impossible now", "no text", "no list"],
)
def test_own_rules_that_can_no_longer_be_played_are_not_offered_again(
    data: dict[str, str | int | tuple[str, ...]], tmp_path: Path
) -> None:
    with closing(Journal(tmp_path / "narrator.db")) as journal:
        journal.open_evening(KNOWN)
        journal.noted(Note("game", data))
        assert journal.last_table() is None
        if data["ruleset"] == "friday":
            assert journal.last_table(library((FRIDAY,))) == Agreement("friday", 12, Secrets.JUDGE)
