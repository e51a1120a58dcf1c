"""Which commands may be given at which question, and what becomes of the others; stopping."""

from __future__ import annotations

import pytest
from scenes import SCENES, at_ballot
from table import at_night

from narrator.moderator.effects import Expect


@pytest.mark.parametrize("state", SCENES)
def test_the_evening_can_be_stopped_at_any_question_but_only_on_purpose(state: str) -> None:
    table = SCENES[state]()
    before = table.asked
    table.judge("stop")
    assert table.lines == ["stop.sure"]
    assert table.asked.holds
    table.answer(False)
    assert table.asked == before
    table.judge("stop").answer(True)
    assert table.over
    assert table.lines == ["end.goodbye"]


@pytest.mark.parametrize("state", SCENES)
def test_a_command_that_is_not_legal_now_is_refused_and_the_question_stays(state: str) -> None:
    commands = ("pause", "repeat", "remind", "eject", "warn", "surrender_killer", "surrender_police")
    table = SCENES[state]()
    legal = table.asked.expectation.commands
    for command in (*commands, "next", "more_time", "vote_now", "resume", "no_such_command"):
        if command in legal:
            continue
        before = table.asked
        table.judge(command, 3)
        assert table.lines == ["refuse.not_now"]
        assert table.asked == before


@pytest.mark.parametrize("state", SCENES)
def test_every_command_that_is_legal_now_is_understood(state: str) -> None:
    for command in SCENES[state]().asked.expectation.commands:
        table = SCENES[state]()
        table.judge(command, 3, reading=3)
        assert "refuse.not_now" not in table.lines
        assert [effect for effect in table.latest if isinstance(effect, Expect)]


def test_votes_cannot_be_called_for_at_night() -> None:
    assert at_night().judge("vote_now").lines == ["refuse.not_now"]


def test_the_judge_can_have_the_question_repeated_in_full() -> None:
    table = at_ballot().stays_silent()
    assert table.lines == ["ballot.how_many"]
    assert table.judge("repeat").lines == ["ballot.hands"]


def test_nothing_private_is_among_a_command_s_notes() -> None:
    table = at_night().judge("eject", 5)
    assert table.noted("command") == [{"name": "eject", "seat": 5}]
