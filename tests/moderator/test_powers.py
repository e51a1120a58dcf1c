"""The judge's powers: pausing, warning, sending out, surrender, stopping; and what can't be done now."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from other_games import at_day as other_day
from other_games import votes_aloud
from table import Table, Value, at_day, at_night, dealt, lobby

from narrator.moderator.effects import Expect, Say, StartTimer
from narrator.moderator.evening import Agreement, Secrets
from narrator.moderator.inputs import Certainty
from narrator.moderator.machine import STATES


def at_ballot() -> Table:
    table = at_day(8)
    table.everyone_speaks()
    return table


def at_tally() -> Table:
    table = at_ballot()
    table.hands({1: 4, 7: 3})
    return table


def at_hint() -> Table:
    return at_night().tell(1).tell(2).tell(8).tell(3).tell(4).tell(1)


def at_tie() -> Table:
    return at_day(None).day({1: 4, 2: 4})


def at_over() -> Table:
    return dealt(Secrets.JUDGE).answer("ready").night(8).day({7: 4})


def at_first_vote(ruleset: str, way: Secrets) -> Table:
    table = other_day(ruleset, way, dead=(9,))
    votes_aloud(table, {}, otherwise=6)
    return table.answer(True)


SCENES: dict[str, Callable[[], Table]] = {
    "lobby.offering": lambda: lobby(previous=Agreement("standard", 8, Secrets.CODES)),
    "lobby.players": lobby,
    "lobby.ruleset": lambda: lobby().answer(12),
    "lobby.customising": lambda: (
        lobby(players=12, ruleset="standard").judge("own_rules").answer("secrets.codes")
    ),
    "lobby.secrets": lambda: lobby().answer(16),
    "lobby.agreeing": lambda: lobby().answer(16, "secrets.codes"),
    "dealing": dealt,
    "night.identifying": lambda: at_night(Secrets.CODES),
    "night.choosing": lambda: at_night().tell(1).tell(2),
    "night.hinting": at_hint,
    "dawn.reporting": lambda: at_night(Secrets.JUDGE).until_dawn(),
    "judging": at_over,
    "showing": lambda: at_first_vote("butterfly", Secrets.JUDGE),
    "parting": lambda: other_day("werewolf", kill=9),
    "naming": lambda: other_day("butterfly", kill=9).answer(True, True),
    "words": lambda: at_day(8),
    "speeches": lambda: at_day(None),
    "ballot.counting": at_ballot,
    "ballot.agreeing": at_tally,
    "ballot.amending": lambda: at_tally().answer(False),
    "ballot.recounting": lambda: at_tally().answer(False, 1),
    "tie.speeches": at_tie,
}


# Pausing


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


# Stopping, and what can't be done now


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
        table.judge(command, 3)
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
