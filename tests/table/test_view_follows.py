"""What the view knows while a table plays: what everybody has heard, when they have heard it."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles import Bell, Evening, phrasebook

from narrator.moderator.evening import Secrets, Setup
from narrator.table.view.board import Board, Facts, Remark

EVERYBODY = tuple(range(1, 9))


class Onlooker:
    """An evening and the board that follows it; the questions named in ``rests`` are answered by the test."""

    def __init__(self, folder: Path, secrets: Secrets, rests: set[str], reveal: bool = False) -> None:
        self.board = Board(phrasebook(), reveal)
        setup = Setup(3, ruleset="standard", players=8, secrets=secrets)
        self.evening = Evening(setup, folder, bell=Bell(), witnesses=(self.board,), rests=rests)
        self.board.follow(self.evening.session, phrasebook())

    @property
    def facts(self) -> Facts:
        return self.board.facts()

    def type(self, text: str) -> None:
        """Answer the open question, and let the table take it."""
        self.evening.keyboard.type(text)
        self.evening.until_taken()

    def until_said(self, line: str) -> None:
        said = len(self.evening.log.lines)
        self.evening.until(lambda: line in self.evening.log.lines[said:])


def test_before_a_session_and_before_the_first_question_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert Board(phrasebook()).facts() == Facts()
    assert Onlooker(tmp_path, Secrets.JUDGE, set()).facts == Facts()


def test_the_dead_are_in_the_game_until_the_table_has_heard_of_it(tmp_path: Path) -> None:
    table = Onlooker(tmp_path, Secrets.JUDGE, {"dawn", "confirm", "last_words", "speech"})
    table.until_said("night.falls")
    assert (table.facts.standing.phase, table.facts.standing.round) == ("night", 1)
    table.until_said("day.breaks")
    assert (table.facts.standing.phase, table.facts.awaited) == ("dawn", "")
    table.evening.until_asked("dawn")
    assert (table.facts.awaited, table.facts.standing.living) == ("seat", EVERYBODY)
    table.type("3")
    table.evening.until_asked("confirm")
    assert table.facts.standing.living == EVERYBODY
    table.type("y")
    table.until_said("day.killed")
    assert table.facts.standing.living == EVERYBODY
    table.evening.until_asked("last_words")
    assert table.facts.standing.living == (1, 2, 4, 5, 6, 7, 8)
    assert table.facts.seat == 3


def test_a_speech_has_a_seat_and_a_clock_that_stands_still_while_somebody_interrupts(tmp_path: Path) -> None:
    table = Onlooker(tmp_path, Secrets.JUDGE, {"speech", "paused"})
    table.evening.until_asked("speech")
    began = table.facts
    assert began.awaited == "pass"
    assert began.seat is not None
    assert began.left is not None
    assert began.standing.phase == "speeches"
    table.evening.wait(5)
    assert table.facts.left == began.left - 5
    table.type("暂停")
    table.evening.until_asked("paused")
    assert table.facts.standing.phase == "paused"
    assert table.facts.remark == Remark("暂停", typed=True)
    left = table.facts.left
    table.evening.wait(5)
    assert (table.facts.left, table.facts.holds) == (left, True)


def test_what_is_taken_back_is_taken_back_here(tmp_path: Path) -> None:
    table = Onlooker(tmp_path, Secrets.JUDGE, {"last_words", "dawn", "confirm"})
    table.evening.until_asked("dawn")
    table.type("3")
    table.evening.until_asked("confirm")
    table.type("y")
    table.evening.until_asked("last_words")
    assert 3 not in table.facts.standing.living
    table.type("撤销")
    table.evening.until_asked("dawn")
    assert table.facts.standing.living == EVERYBODY


@pytest.mark.parametrize("reveal", [False, True])
def test_secrets_are_known_to_it_only_where_they_were_asked_for(tmp_path: Path, reveal: bool) -> None:
    table = Onlooker(tmp_path, Secrets.KEYPAD, {"speech"}, reveal)
    told = set()
    while table.evening.about != "speech":
        private = table.facts.private
        table.evening.until_taken()
        if private:
            told.add(table.facts.remark.text)
        table.evening.until(lambda: bool(table.evening.about))
    assert told
    assert (told == {"***"}) is not reveal
    assert bool(table.facts.standing.roles) is reveal
