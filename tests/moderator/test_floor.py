"""The day until the ballot: last words, speeches in order, and the clock of whoever has the floor."""

from __future__ import annotations

from typing import Any

import pytest
from table import Table, at_day, at_night

from narrator.moderator.effects import Say, StartTimer
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Kind

COMMANDS_ON_THE_FLOOR = {"next", "more_time", "vote_now"}


def speaking(**known: Any) -> Table:
    """Seat 1 has the floor after a peaceful night."""
    table = at_day(None, **known)
    assert (table.about, table.seat) == ("speech", 1)
    return table


# Last words


def test_in_the_standard_game_as_many_leave_words_as_killers_were_dealt() -> None:
    table = at_day(8)
    assert (table.about, table.seat) == ("last_words", 8)
    table.day({7: 4})
    assert (table.about, table.seat) == ("last_words", 7)
    table.everyone_speaks()
    table.night(6)
    assert table.about == "speech"
    table.day({5: 4})
    assert table.about != "last_words"


def test_in_the_classic_game_everyone_who_leaves_has_the_last_word() -> None:
    table = at_night(players=11, ruleset="classic", killers=(1, 2, 3), police=(4, 5, 6))
    words = []
    for kill, voted in ((11, 10), (9, 1), (2, 8)):
        table.night(kill)
        assert table.about == "last_words"
        words.append(table.seat)
        table.day({voted: 4})
        assert table.about == "last_words"
        words.append(table.seat)
        table.everyone_speaks()
    assert words == [11, 10, 9, 1, 2, 8]


def test_words_come_before_speeches_after_a_night_and_before_night_after_a_ballot() -> None:
    table = at_day(8)
    assert table.lines[-2:] == ["day.killed", "words.please"]
    table.answer(True)
    assert table.about == "speech"
    table.day({7: 4})
    assert table.lines[-2:] == ["ballot.leaves", "words.please"]
    table.answer(True)
    assert "night.falls" in table.lines


# Order


def test_the_first_to_the_right_of_the_victim_speaks_first() -> None:
    table = at_day(5)
    assert table.everyone_speaks() == [5, 6, 7, 8, 1, 2, 3, 4]


def test_a_table_numbered_the_other_way_speaks_the_other_way_round() -> None:
    table = at_day(5, right_hand=-1)
    assert table.everyone_speaks() == [5, 4, 3, 2, 1, 8, 7, 6]


def test_after_a_peaceful_first_night_seat_1_begins() -> None:
    assert at_day(None).everyone_speaks() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_after_a_later_peaceful_night_the_right_of_whoever_left_last_begins() -> None:
    table = at_day(8).day({4: 4})
    table.everyone_speaks()
    table.night(None)
    assert table.everyone_speaks() == [5, 6, 7, 1, 2, 3]


def test_candidates_are_called_in_the_order_of_the_speeches() -> None:
    table = at_day(5)
    table.everyone_speaks()
    assert table.hands({}) == [6, 7, 8, 1, 2, 3, 4]


def test_everyone_speaks_once_a_day() -> None:
    table = at_day(8)
    assert sorted(table.everyone_speaks()[1:]) == [1, 2, 3, 4, 5, 6, 7]
    assert table.about == "votes"


# The floor and its clock


def test_whoever_has_the_floor_is_named_and_their_time_starts() -> None:
    table = speaking()
    assert table.kind is Kind.PASS
    assert table.latest[-4:-2] == (StartTimer("warning", 45), StartTimer("limit", 60))
    assert table.latest[-2] == Say("speech.please", {"seat": 1})
    assert set(table.asked.expectation.commands) >= COMMANDS_ON_THE_FLOOR
    assert table.asked.patience == "patience_speech"


def test_time_is_set_by_the_table() -> None:
    table = at_day(None, speech_seconds=120)
    assert [effect for effect in table.latest if isinstance(effect, StartTimer)] == [
        StartTimer("warning", 105),
        StartTimer("limit", 120),
    ]


@pytest.mark.parametrize("seconds", [20, 30])
def test_a_short_speech_is_not_warned(seconds: int) -> None:
    assert at_day(None, speech_seconds=seconds).timers == ["+limit"]


def test_pass_ends_a_speech_and_its_timers_and_calls_the_next() -> None:
    table = speaking().answer(True)
    assert table.timers == ["-warning", "-limit", "-grace", "+warning", "+limit"]
    assert table.said("speech.please") == {"seat": 2}


def test_the_warning_tells_how_much_is_left_and_listens_on() -> None:
    table = speaking().runs_out("warning")
    assert table.lines == ["speech.seconds_left"]
    assert table.said("speech.seconds_left") == {"seconds": 15}
    assert (table.about, table.seat) == ("speech", 1)


def test_the_limit_asks_for_pass_and_grants_a_grace() -> None:
    table = speaking().runs_out("limit")
    assert table.lines == ["speech.time_up"]
    assert StartTimer("grace", 10) in table.latest
    assert (table.about, table.seat) == ("speech", 1)


def test_after_the_grace_the_speaker_is_cut_and_the_next_called() -> None:
    table = speaking().runs_out("warning").runs_out("limit").runs_out("grace")
    assert table.lines == ["speech.cut", "speech.please"]
    assert table.seat == 2
    assert table.timers[:3] == ["-warning", "-limit", "-grace"]


def test_last_words_have_the_same_clock() -> None:
    table = at_day(8).runs_out("warning")
    assert table.lines == ["speech.seconds_left"]
    assert table.runs_out("limit").lines == ["speech.time_up"]
    assert table.runs_out("grace").lines == ["speech.cut", "remind.left", "speech.please"]


def test_a_strange_timer_is_nobody_s() -> None:
    assert speaking().runs_out("kettle").latest == ()


def test_a_silent_speaker_is_asked_whether_that_was_all() -> None:
    table = speaking().stays_silent()
    assert table.lines == ["speech.done"]
    assert (table.about, table.seat) == ("speech", 1)


def test_a_doubtful_end_of_a_speech_must_come_again() -> None:
    table = speaking().doubtful(True)
    assert table.lines == ["speech.done"]
    assert (table.about, table.seat) == ("speech", 1)
    assert table.doubtful(True).seat == 2
    assert table.doubtful(True).lines == ["speech.done"], "each speaker is asked anew"
    assert table.answer(True).seat == 3


def test_more_time_after_the_limit_begins_anew() -> None:
    table = speaking().runs_out("limit").judge("more_time")
    assert table.lines == ["speech.more"]
    assert table.timers == ["-warning", "-limit", "-grace", "+limit"]
    assert StartTimer("limit", 30) in table.latest
    assert (table.about, table.seat) == ("speech", 1)
    assert table.runs_out("limit").lines == ["speech.time_up"]


def test_more_time_comes_on_top_of_what_is_left() -> None:
    table = speaking().judge("more_time", reading=40)
    assert table.said("speech.more") == {"seconds": 30}
    assert [effect for effect in table.latest if isinstance(effect, StartTimer)] == [
        StartTimer("warning", 55),
        StartTimer("limit", 70),
    ]


def test_after_the_limit_the_grace_is_no_time_to_add_to() -> None:
    table = speaking().runs_out("limit").judge("more_time", reading=9)
    assert StartTimer("limit", 30) in table.latest
    table.judge("more_time", reading=20)
    assert StartTimer("limit", 50) in table.latest


def test_next_passes_the_floor_on() -> None:
    table = speaking().judge("next")
    assert table.said("speech.please") == {"seat": 2}
    assert table.timers[:3] == ["-warning", "-limit", "-grace"]


def test_next_ends_last_words_too() -> None:
    assert at_day(8).judge("next").about == "speech"


def test_vote_now_ends_the_speeches_of_this_lap() -> None:
    table = speaking().judge("vote_now")
    assert table.lines == ["ballot.now", "ballot.hands"]
    assert table.timers == ["-warning", "-limit", "-grace"]
    assert table.seat == 1


def test_vote_now_at_the_last_words_skips_the_speeches() -> None:
    table = at_day(8).judge("vote_now")
    assert table.about == "votes"


def test_vote_now_in_a_tie_s_speeches_votes_again_at_once() -> None:
    table = at_day(None).day({1: 4, 2: 4})
    assert table.state == "tie.speeches"
    table.judge("vote_now")
    assert table.lines == ["ballot.again", "ballot.hands"]


def test_reminding_the_dead_takes_nothing_from_the_speaker() -> None:
    table = speaking().judge("remind")
    assert table.lines == ["remind.dead"]
    assert table.timers == []
    assert (table.about, table.seat) == ("speech", 1)


def test_repeat_says_again_who_has_the_floor_without_more_time() -> None:
    table = speaking().judge("repeat")
    assert table.lines == ["speech.please"]
    assert table.timers == []


@pytest.mark.parametrize("secrets", list(Secrets))
def test_a_day_is_the_same_however_secrets_are_kept(secrets: Secrets) -> None:
    table = at_day(8, secrets=secrets)
    assert table.everyone_speaks() == [8, 1, 2, 3, 4, 5, 6, 7]
