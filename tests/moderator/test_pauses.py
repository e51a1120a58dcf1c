"""Pausing: from any question, for as long as it takes, and back to where it began."""

from __future__ import annotations

import pytest
from scenes import SCENES, at_ballot
from table import Value, at_day

from narrator.moderator.machine import STATES


@pytest.mark.parametrize("state", SCENES)
@pytest.mark.parametrize("by_command", [False, True], ids=["answered", "commanded"])
def test_a_pause_ends_where_it_began_and_puts_the_question_again(state: str, by_command: bool) -> None:
    table = SCENES[state]()
    assert table.state == state
    before = table.asked
    table.judge("pause")
    assert (table.state, table.about, table.lines) == ("paused", "paused", ["pause.begins"])
    assert table.asked.holds
    if by_command:
        table.judge("resume")
    else:
        table.answer("resume")
    assert table.state == state
    assert table.lines[0] == "pause.ends"
    assert len(table.lines) > 1
    assert table.asked == before
    assert not table.asked.holds


@pytest.mark.parametrize("state", SCENES)
def test_the_game_goes_on_after_a_pause_as_without_one(state: str) -> None:
    table, other = SCENES[state](), SCENES[state]()
    table.judge("pause").answer("resume")
    values: dict[str, Value] = {
        "yesno": True,
        "players": 8,
        "choice": (table.asked.expectation.choices or ("",))[0],
        "seat": 6,
        "number": 1,
        "count": 4,
        "votes": 0,
        "pass": True,
    }
    value = values[table.kind.value]
    assert table.answer(value).latest == other.answer(value).latest


def test_every_state_that_asks_can_be_paused_but_the_review_and_the_pause_itself() -> None:
    assert set(SCENES) <= set(STATES)
    asking = {state for state, scene in SCENES.items() if scene().asked}
    assert asking == set(SCENES)
    silent = {
        "waiting",
        "night.falling",
        "night.waking",
        "night.sleeping",
        "dawn.breaking",
        "dawn.announcing",
    }
    silent |= {"round", "lap", "ballot.opening", "tie.opening", "leaving", "verdict", "ended"}
    assert set(STATES) == asking | silent | {"review", "paused"}


def test_a_confirmation_survives_a_pause() -> None:
    table = at_ballot().doubtful(3).judge("pause").answer("resume")
    assert table.lines == ["pause.ends", "confirm.votes"]
    assert table.answer(True).said("ballot.read")["votes"] == 3


def test_timers_neither_run_out_nor_start_during_a_pause() -> None:
    table = at_day(None).judge("pause")
    assert table.timers == []
    for timer in ("warning", "limit", "grace"):
        assert table.runs_out(timer).latest == ()
    assert table.about == "paused"
    assert table.answer("resume").timers == []


def test_a_long_pause_is_told_to_be_still_one() -> None:
    table = at_day(None).judge("pause").stays_silent()
    assert table.lines == ["pause.still"]
    assert table.asked.patience == "patience_pause"
    assert table.asked.holds


def test_a_pause_ends_with_nothing_but_its_word() -> None:
    table = at_day(None).judge("pause")
    for command in ("pause", "next", "eject", "vote_now"):
        assert table.judge(command, 3).lines == ["refuse.not_now"]
        assert table.about == "paused"
    assert table.mumbles().mumbles().mumbles().lines == ["help.resume"]


def test_a_doubtful_resume_is_asked_back() -> None:
    table = at_day(None).judge("pause").doubtful("resume")
    assert table.lines == ["confirm.choice"]
    assert table.answer(True).lines == ["pause.ends", "speech.please"]


def test_whoever_decides_not_to_stop_in_a_pause_is_still_in_the_pause() -> None:
    table = at_day(None).judge("pause").judge("stop")
    assert table.lines == ["stop.sure"]
    table.answer(False)
    assert (table.state, table.about, table.lines) == ("paused", "paused", ["pause.still"])
    assert table.answer("resume").lines == ["pause.ends", "speech.please"]
    assert (table.state, table.seat) == ("speeches", 1)


def test_resume_is_no_answer_to_whether_to_stop() -> None:
    table = at_day(None).judge("pause").judge("stop").judge("resume")
    assert table.lines == ["refuse.not_now"]
    table.answer(False)
    assert table.state == "paused"
    assert table.judge("resume").state == "speeches"


def test_a_paused_evening_can_be_stopped() -> None:
    assert at_day(None).judge("pause").judge("stop").answer(True).over


def test_one_can_pause_again_and_again() -> None:
    table = at_day(None)
    for _ in range(3):
        table.judge("pause").answer("resume")
        assert (table.state, table.seat) == ("speeches", 1)
    assert table.answer(True).seat == 2
