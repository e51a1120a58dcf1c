"""The judge's powers: warning, sending out, surrender."""

from __future__ import annotations

import pytest
from scenes import SCENES, at_ballot, at_tie
from table import at_day, at_night, dealt

from narrator.moderator.effects import Say, StartTimer
from narrator.moderator.evening import Secrets
from narrator.moderator.inputs import Certainty

# Warnings


def test_warnings_of_a_seat_are_counted_and_the_speaker_keeps_the_floor() -> None:
    table = at_day(None)
    for times in (1, 2, 3):
        table.judge("warn", 5)
        assert table.said("warn.seat") == {"seat": 5, "nth": times}
        assert (table.about, table.seat, table.timers) == ("speech", 1, [])
    assert table.judge("warn", 6).said("warn.seat") == {"seat": 6, "nth": 1}
    assert table.noted("warned")[-1] == {"seat": 6, "times": 1}


def test_a_doubtful_warning_is_asked_about_while_timers_stand_still() -> None:
    table = at_day(None).judge("warn", 5, Certainty.DOUBTFUL)
    assert table.lines == ["warn.sure"]
    assert table.asked.holds
    assert table.answer(False).lines == []
    assert (table.about, table.seat, table.asked.holds) == ("speech", 1, False)
    table.judge("warn", 5, Certainty.DOUBTFUL).answer(True)
    assert table.said("warn.seat") == {"seat": 5, "nth": 1}


def test_warnings_are_forgotten_with_the_next_game() -> None:
    table = at_day(8).judge("warn", 5).day({1: 5})
    table.everyone_speaks()
    table.night(2)
    table.answer("again.same", "ready").night(7)
    assert table.judge("warn", 5).said("warn.seat")["nth"] == 1


@pytest.mark.parametrize("command", ["warn", "eject"])
def test_who_is_out_or_does_not_exist_can_be_neither_warned_nor_sent_out(command: str) -> None:
    table = at_day(8)
    assert table.judge(command, 8).said("refuse.out") == {"seat": 8}
    assert table.judge(command, 9).said("refuse.no_such_seat") == {"seat": 9}
    assert table.judge(command, 0).said("refuse.no_such_seat") == {"seat": 0}
    assert table.judge(command).lines == ["refuse.not_now"]
    assert (table.about, table.seat) == ("last_words", 8)


# Sending out


def test_sending_out_is_asked_first_and_a_no_changes_nothing() -> None:
    table = at_day(None).judge("eject", 5)
    assert table.says == [Say("eject.sure", {"seat": 5})]
    assert table.asked.holds
    table.answer(False)
    assert table.moderator.evening.game.is_living(5)
    assert (table.about, table.seat, table.asked.holds) == ("speech", 1, False)


def test_silence_sends_nobody_out() -> None:
    table = at_day(None).judge("eject", 5)
    for _ in range(4):
        assert table.stays_silent().lines == ["eject.sure"]
    assert table.moderator.evening.game.is_living(5)


def test_who_is_sent_out_leaves_without_words_and_the_speaker_goes_on() -> None:
    table = at_day(None).judge("eject", 5).answer(True)
    assert table.lines == ["eject.done"]
    assert (table.about, table.seat, table.timers) == ("speech", 1, [])
    assert table.noted("ejected") == [{"round": 1, "seat": 5}]
    assert table.everyone_speaks() == [1, 2, 3, 4, 6, 7, 8]


def test_the_speaker_who_is_sent_out_loses_the_floor() -> None:
    table = at_day(None).judge("eject", 1).answer(True)
    assert table.lines == ["eject.done", "speech.please"]
    assert (table.about, table.seat) == ("speech", 2)
    assert StartTimer("limit", 60) in table.latest


def test_who_is_sent_out_uses_up_no_last_words() -> None:
    table = at_day(8)
    table.judge("eject", 5).answer(True).day({7: 4})
    assert (table.about, table.seat) == ("last_words", 7)


def test_a_ballot_begins_again_without_who_was_sent_out() -> None:
    table = at_ballot().answer(2, 1).judge("eject", 5).answer(True)
    assert table.lines == ["eject.done", "ballot.opens", "ballot.hands"]
    assert (table.about, table.seat) == ("votes", 1)
    assert table.answer(7).said("ballot.too_many") == {"count": 6}
    assert table.hands({}) == [1, 2, 3, 4, 6, 7]


@pytest.mark.parametrize("state", ["ballot.agreeing", "ballot.amending", "ballot.recounting"])
def test_a_ballot_begins_again_from_wherever_it_was(state: str) -> None:
    table = SCENES[state]().judge("eject", 5).answer(True)
    assert table.lines[-2:] == ["ballot.opens", "ballot.hands"]
    assert table.state == "ballot.counting"
    table.hands({1: 3})
    assert table.answer(True).said("ballot.leaves") == {"seat": 1}


def test_a_ballot_among_the_tied_begins_again_among_those_left() -> None:
    table = at_day(8).day({1: 2, 2: 2, 6: 2})
    table.everyone_speaks()
    table.judge("eject", 2).answer(True)
    assert table.lines == ["eject.done", "ballot.again", "ballot.hands"]
    assert table.hands({}) == [1, 6]


def test_when_all_the_tied_are_sent_out_nobody_is_left_to_vote_on() -> None:
    table = at_tie()
    table.judge("eject", 2).answer(True).judge("eject", 1).answer(True)
    assert table.noted("verdict")[-1]["reason"] == "killers_out"
    table = at_day(None).day({7: 4, 8: 4})
    table.judge("eject", 8).answer(True).judge("eject", 7).answer(True)
    assert table.lines[-1] == "ballot.nobody"
    assert "night.falls" in table.answer(True).lines


def test_sending_out_the_last_of_a_side_ends_the_game_at_once() -> None:
    table = at_day(1)
    table.everyone_speaks()
    table.judge("eject", 2).answer(True)
    assert table.lines[:4] == ["eject.done", "end.game_over", "end.killers_out", "end.good_win"]
    assert table.about == "review"


def test_sending_out_a_speaker_can_end_the_game_and_stops_the_clock() -> None:
    table = at_day(1).answer(True)
    assert table.seat == 2
    table.judge("eject", 2).answer(True)
    assert table.timers == ["-warning", "-limit", "-grace"]
    assert table.noted("verdict")[-1]["winner"] == "good"


def test_who_is_sent_out_at_night_can_be_chosen_no_more() -> None:
    table = at_night(Secrets.CODES).tell(1).tell(2).judge("eject", 8).answer(True)
    assert table.lines == ["eject.done", "secret.codes"]
    assert table.whisper(8).lines == ["secret.again"]


def test_the_judge_who_keeps_the_roles_is_asked_whether_sending_out_ended_the_game() -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(8)
    table.everyone_speaks()
    table.judge("eject", 7).answer(True)
    assert (table.about, table.lines) == ("over", ["eject.done", "end.over"])
    table.answer(False)
    assert (table.about, table.seat) == ("votes", 1)
    assert "ballot.opens" in table.lines


def test_the_floor_passes_on_after_the_judge_says_the_game_is_not_over() -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(8).answer(True)
    table.judge("eject", 1).answer(True, False)
    assert (table.about, table.seat) == ("speech", 2)


def test_the_judge_s_verdict_after_sending_out_is_confirmed_and_final() -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(8).answer(True)
    table.judge("eject", 1).answer(True, True, "winner.good")
    assert table.lines == ["confirm.choice"]
    table.answer(True)
    assert table.lines[:3] == ["end.game_over", "end.judge_good", "end.good_win"]
    assert table.about == "review"


def test_one_sent_out_too_few_to_end_a_game_is_not_asked_about() -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(None)
    assert table.judge("eject", 7).answer(True).about == "speech"


# Surrender


@pytest.mark.parametrize("role", ["killer", "police"])
def test_a_side_with_two_left_may_not_surrender(role: str) -> None:
    table = at_day(8).judge(f"surrender_{role}")
    assert table.said("refuse.surrender") == {"role": role}
    assert table.about == "last_words"


@pytest.mark.parametrize(
    ("role", "victim", "winner", "reason"),
    [("killer", 1, "good", "surrender_killers"), ("police", 3, "killers", "surrender_police")],
    ids=["killer", "police"],
)
def test_the_last_of_a_side_may_surrender(role: str, victim: int, winner: str, reason: str) -> None:
    table = at_day(victim).judge(f"surrender_{role}")
    assert table.said("surrender.sure") == {"role": role}
    assert table.asked.holds
    table.answer(True)
    assert table.noted("verdict") == [
        {"winner": winner, "reason": reason, "rounds": 1, "number": 1, "first_victim": victim}
    ]
    assert f"end.{reason}" in table.lines
    assert table.about == "review"


def test_a_surrender_taken_back_changes_nothing() -> None:
    table = at_day(1).answer(True).judge("surrender_killer").answer(False)
    assert (table.about, table.seat) == ("speech", 2)
