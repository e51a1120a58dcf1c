"""What a table's own rules do in the game: stories of one knob each."""

from __future__ import annotations

from typing import Any

import pytest
from table import Table, at_day, at_night, dealt

from narrator.moderator.effects import StartTimer
from narrator.moderator.evening import Secrets
from narrator.moderator.rhythm import Beat
from narrator.rules.custom import Setting


def night(**knobs: Setting) -> Table:
    """A table of eight with own rules, its eyes closed for the first time: 1, 2 killers, 3, 4 police."""
    return at_night(knobs=tuple(knobs.items()))


def day(kill: int | None = 8, **knobs: Setting) -> Table:
    """The same after its first night."""
    return at_day(kill, knobs=tuple(knobs.items()))


def limits(table: Table) -> list[float]:
    """Every limit that was just set, in seconds."""
    return [e.seconds for e in table.latest if isinstance(e, StartTimer) and e.timer == "limit"]


# Cards dealt


def test_three_killers_at_a_table_of_eight_are_all_asked_for() -> None:
    table = dealt(knobs=(("killers", 3),), killers=(1, 2, 5), police=(3, 4)).answer("ready")
    asked = []
    while table.about == "who":
        asked.append((table.asked.params["role"], table.asked.params["index"]))
        table.step(8)
    assert asked[:3] == [("killer", 1), ("killer", 2), ("killer", 3)]
    assert table.about == "act"


# Checks


def one_night(table: Table, check: int | None) -> list[str]:
    """A night in which the killers choose nobody; everything that was said until the day's first question."""
    said: list[str] = []
    while table.about in ("dealt", "who", "act", "noted", "hint"):
        table.step(None, check)
        said += table.lines
    return said


def test_police_whose_checks_are_used_up_are_called_with_the_same_words() -> None:
    table = night(checks=1)
    one_night(table, 1)
    table.day({})
    assert table.about == "act"
    table.tell(None)
    before = [line for line in table.lines if line.startswith("night.")]
    unlimited = night()
    one_night(unlimited, 1)
    unlimited.day({})
    unlimited.tell(None)
    assert before == [line for line in unlimited.lines if line.startswith("night.")]
    assert "night.check" in before


def test_a_check_too_many_is_met_like_a_misheard_answer() -> None:
    table = night(checks=1)
    one_night(table, 1)
    table.day({}).tell(None)
    assert table.asked.params["act"] == "check"
    refused = table.whisper(2).lines
    assert refused == table.mumbles().lines
    table.tell(None)
    assert table.about == "hint"


# Voting


def test_a_run_off_lets_the_first_and_the_next_debate_and_a_second_vote_decides() -> None:
    table = day(vote=1)
    table.everyone_speaks()
    table.hands({1: 3, 2: 2, 3: 1})
    assert table.said("ballot.result") == {"seat": 1, "votes": 3}
    table.answer(True)
    assert table.said("runoff.opens") == {"seats": (1, 2)}
    assert table.everyone_speaks() == [1, 2]
    assert "ballot.again" in table.lines
    assert table.hands({2: 5, 1: 2}) == [1, 2]
    table.answer(True)
    assert table.said("ballot.leaves") == {"seat": 2}
    assert [ballot["stage"] for ballot in table.noted("ballot")] == [1, 2]


def test_a_tie_in_the_second_vote_goes_the_way_of_every_tie() -> None:
    table = day(vote=1)
    table.day({1: 3, 2: 2})
    table.day({1: 3, 2: 3})
    assert table.said("tie.first") == {"seats": (1, 2)}


def test_a_tie_for_the_first_place_is_a_run_off_first() -> None:
    table = day(vote=1)
    table.day({1: 3, 2: 3})
    assert table.said("runoff.opens") == {"seats": (1, 2)}


def test_the_next_day_s_vote_runs_off_again() -> None:
    table = day(None, vote=1)
    table.day({1: 3, 2: 2})
    table.day({})
    table.night(None)
    table.day({1: 3, 2: 2})
    assert table.said("runoff.opens") == {"seats": (1, 2)}


def test_a_ballot_taken_up_again_in_a_run_off_is_between_those_who_stand_in_it() -> None:
    table = day(vote=1)
    table.day({1: 3, 2: 2})
    table.everyone_speaks()
    table.answer(1).judge("eject", 5).answer(True)
    assert table.hands({}) == [1, 2]


def test_with_plurality_most_votes_leave_at_once() -> None:
    table = day(vote="plurality").day({1: 3, 2: 2})
    assert table.said("ballot.leaves") == {"seat": 1}


@pytest.mark.parametrize(
    ("tie", "line"),
    [("nobody_leaves", "ballot.nobody_leaves"), ("draw", "end.draw"), ("three_step", "tie.first")],
)
def test_a_tie_leads_to_what_the_table_wants(tie: str, line: str) -> None:
    assert line in day(tie=tie).day({1: 3, 2: 3}).lines


# Last words, speeches, cards, quiet nights


def test_nobody_leaves_words_where_the_table_wants_none() -> None:
    assert day(last_words="none").about == "speech"
    assert day().about == "last_words"


def test_a_speech_of_the_table_s_own_length_is_as_long_in_every_round() -> None:
    brisk: dict[str, Any] = {"rhythm": (Beat(rounds=1, speeches=0.5),)}
    assert limits(at_day(8, **brisk)) == [30]
    assert limits(at_day(8, knobs=(("speech", 90),), **brisk)) == [90]


def test_whoever_leaves_shows_the_card_where_the_table_wants_it() -> None:
    assert not [line for line in day(cards="hidden").lines if line.startswith("shown.")]
    assert [line for line in day(cards="shown").lines if line.startswith("shown.")]


def test_after_a_night_without_deaths_the_next_night_falls_at_once() -> None:
    table = night(peaceful="night")
    while table.about != "hint":
        table.step(None)
    table.step(None)
    assert "day.peaceful" in table.lines
    assert "night.falls" in table.lines[table.lines.index("day.peaceful") :]
    assert table.moderator.evening.game.round == 2


def test_where_the_judge_keeps_the_secrets_own_rules_hold_as_well() -> None:
    table = at_night(Secrets.JUDGE, knobs=(("killers", 3), ("last_words", "none"))).night(8)
    assert table.about == "speech"


# The judge's manner


def test_whoever_has_left_is_reminded_to_be_silent_once_the_last_words_are_said() -> None:
    table = day()
    assert "remind.left" not in table.lines
    table.answer(True)
    assert table.lines[0] == "remind.left"
    assert table.about == "speech"


def test_speeches_that_are_cut_lead_to_the_vote_in_the_judge_s_own_words() -> None:
    table = day()
    table.answer(True).judge("vote_now")
    assert table.lines[0] == "ballot.now"
    table = day()
    table.everyone_speaks()
    assert "ballot.opens" in table.lines
