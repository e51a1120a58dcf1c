"""What anybody may ask in the middle of a game: who lives, which day it is, how long, what can be said."""

from __future__ import annotations

import pytest
from scenes import SCENES, at_ballot
from table import Table, at_day, at_night, heard, lobby

from narrator.moderator.dialog import EVER
from narrator.moderator.effects import Expect, Say
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.help import MOST, MOST_ANSWERS, help_now
from narrator.moderator.inputs import Command
from narrator.moderator.offer import Offer

IN_A_GAME = sorted(state for state in SCENES if not state.startswith("lobby") and state != "dealing")


def listed(say: Say, *params: str) -> list[str]:
    """The items of a line's lists."""
    found: list[str] = []
    for param in params or tuple(say.params):
        items = say.params.get(param, ())
        assert isinstance(items, tuple)
        found += map(str, items)
    return found


# Who is still alive


def test_while_nobody_is_out_all_are_still_there() -> None:
    assert at_day(None).judge("living").says == [Say("living.all")]


def test_a_few_who_are_out_are_named_rather_than_all_the_others() -> None:
    assert at_day(8).judge("living").says == [Say("living.but", {"seats": (8,)})]
    table = at_day(8).judge("eject", 5).answer(True).judge("living")
    assert table.says == [Say("living.but", {"seats": (5, 8)})]


def test_once_many_are_out_those_who_are_left_are_named() -> None:
    table = at_day(9, players=9)
    for seat in (5, 6, 7):
        table.judge("eject", seat).answer(True)
    assert table.judge("living").says == [Say("living.are", {"seats": (1, 2, 3, 4, 8)})]


@pytest.mark.parametrize("secrets", [Secrets.CODES, Secrets.KEYPAD])
def test_at_night_nobody_learns_who_has_just_been_chosen(secrets: Secrets) -> None:
    table = at_night(secrets).tell(1).tell(2)
    before, asked = table.judge("living").latest, table.asked
    table.tell(8)
    assert table.asked != asked
    table.judge("living")
    assert [effect for effect in table.latest if isinstance(effect, Say)] == [
        effect for effect in before if isinstance(effect, Say)
    ]
    assert table.says == [Say("living.all")]


def test_whom_the_judge_has_told_to_be_dead_is_out_before_it_is_announced() -> None:
    table = at_night(Secrets.JUDGE, players=9, ruleset="doctor", killers=(1, 2), police=(3, 4)).until_dawn()
    assert table.judge("living").says == [Say("living.all")]
    table.answer(8, True)
    assert table.about == "dawn"
    assert table.judge("living").says == [Say("living.but", {"seats": (8,)})]
    assert table.judge("day").says[0].params["people"] == 8


# Which day


def test_a_night_is_a_night_and_a_day_a_day() -> None:
    assert at_night().judge("day").says == [Say("when.night", {"night": 1, "people": 8})]
    table = at_day(8)
    assert table.judge("day").says == [Say("when.day", {"day": 1, "people": 7})]
    table.day({7: 4}).everyone_speaks()
    assert table.judge("day").says == [Say("when.night", {"night": 2, "people": 6})]


def test_a_pause_at_night_is_still_night() -> None:
    assert at_night().judge("pause").judge("day").lines == ["when.night"]


# How long


def test_whoever_speaks_is_told_how_long_he_has_in_round_numbers_that_are_not_too_much() -> None:
    told = {59: 50, 60: 60, 45: 40, 15: 15, 14: 10, 10: 10, 119: 90}
    for left, said in told.items():
        assert at_day(None).judge("time_left", reading=left).says == [Say("left.seconds", {"left": said})]
    for left, said in {120: 2, 359: 5, 600: 10, 3600: 10}.items():
        assert at_day(None).judge("time_left", reading=left).says == [Say("left.minutes", {"minutes": said})]
    assert at_day(None).judge("time_left", reading=9).lines == ["left.nearly"]


def test_after_the_limit_the_time_is_up() -> None:
    table = at_day(None).runs_out("limit").judge("time_left", reading=8)
    assert table.lines == ["speech.time_up"]
    assert table.answer(True).judge("time_left", reading=50).lines == ["left.seconds"]


def test_asking_takes_no_time_and_gives_none() -> None:
    for command in ("time_left", "living", "day", "help"):
        table = at_day(None).judge(command, reading=30)
        assert table.timers == []
        assert (table.about, table.seat, table.asked.holds) == ("speech", 1, False)


def test_where_nobody_has_the_floor_no_time_is_running() -> None:
    assert at_ballot().judge("time_left", reading=30).lines == ["refuse.not_now"]


# What can be said


def test_help_names_the_answer_first_and_then_what_only_this_question_has() -> None:
    (say,) = at_day(None).judge("help").says
    assert say.line == "help.now"
    assert say.params["answers"] == ("done",)
    assert listed(say, "commands")[:3] == ["next", "more_time", "time_left"]


def test_help_names_the_words_that_can_be_chosen_from() -> None:
    (say,) = lobby().answer(16).judge("help").says
    assert say.line == "help.now_choices"
    assert say.params["choices"] == ("secrets.codes", "secrets.keypad", "secrets.judge")
    table = lobby(players=12, ruleset="standard").judge("own_rules").answer("secrets.codes")
    (say,) = table.judge("help").says
    assert say.line == "help.now_either"
    assert say.params["answers"] == ("count",)


@pytest.mark.parametrize("state", SCENES)
def test_everything_help_names_is_legal_and_can_be_kept_in_mind(state: str) -> None:
    table = SCENES[state]()
    expected = table.asked.expectation
    (say,) = table.judge("help").says
    answers, commands = listed(say, "answers", "choices"), listed(say, "commands")
    assert set(commands) <= set(expected.commands)
    assert set(listed(say, "choices")) <= set(expected.choices)
    assert expected.voice <= len(answers) <= MOST_ANSWERS * expected.voice
    assert commands
    assert len(answers) + len(commands) <= MOST


@pytest.mark.parametrize("state", SCENES)
def test_nothing_is_named_twice_and_nothing_that_would_do_nothing(state: str) -> None:
    (say,) = SCENES[state]().judge("help").says
    commands = listed(say, "commands")
    assert not set(commands) & set(listed(say, "choices"))
    for name in {"undo", "correct"} & set(commands):
        assert f"{name}.nothing" not in SCENES[state]().judge(name).lines


def test_before_the_first_answer_there_is_nothing_to_take_back() -> None:
    for table in (lobby(), lobby().judge("pause")):
        assert not {"undo", "correct"} & set(listed(table.judge("help").says[0], "commands"))
    assert "undo" in listed(lobby().answer(12).judge("pause").judge("help").says[0], "commands")


def test_every_kind_of_answer_has_its_word() -> None:
    for kind in Kind:
        expectation = Expectation(kind, ("ready",) if kind is Kind.CHOICE else (), commands=EVER)
        assert listed(help_now(expectation), "answers", "choices")


def test_at_the_keypad_help_names_commands_only_so_that_nobody_says_the_secret() -> None:
    table = at_night(Secrets.KEYPAD)
    for _ in range(2):
        (say,) = table.judge("help").says
        assert say.line == "help.now_commands"
        assert {"pause", "repeat"} <= set(listed(say, "commands"))
        assert len(listed(say, "commands")) == MOST
        table.answer(1)


def test_while_an_answer_is_confirmed_help_is_about_the_confirmation() -> None:
    table = at_ballot().doubtful(3).judge("help")
    assert listed(table.says[0], "answers") == ["yes", "no"]
    assert table.about == "confirm"
    assert table.answer(True).said("ballot.read")["votes"] == 3


def test_help_at_night_is_the_same_whatever_was_chosen() -> None:
    said = []
    for kill in (5, 8):
        table = at_night(Secrets.CODES).tell(1).tell(2).tell(kill)
        said.append(heard([e for e in table.judge("help").latest if not isinstance(e, Expect)]))
    assert said[0] == said[1]


def test_the_offer_to_go_on_can_be_asked_too_what_can_be_said() -> None:
    offer = Offer("speeches", 2)
    offer.begin()
    say, expect = offer.handle(Command("help"))
    assert isinstance(say, Say)
    assert listed(say, "answers") == ["yes", "no"]
    assert isinstance(expect, Expect)


# Wherever it makes sense


@pytest.mark.parametrize("state", IN_A_GAME)
def test_in_a_game_one_can_ask_who_lives_and_which_day_it_is_and_nothing_changes(state: str) -> None:
    assert {"living", "day"} <= set(SCENES[state]().asked.expectation.commands)
    for command in ("living", "day", "help"):
        table, other = SCENES[state](), SCENES[state]()
        before = table.asked
        table.judge(command)
        assert len(table.says) == 1
        assert table.asked == before
        assert table.moderator.inputs[:-1] == other.moderator.inputs
        assert table.judge("undo").lines[:1] == other.judge("undo").lines[:1]


@pytest.mark.parametrize("command", ["living", "day"])
def test_without_a_game_there_is_nobody_to_ask_about(command: str) -> None:
    for table in (lobby(), lobby().judge("pause")):
        assert table.judge(command).lines == ["refuse.not_now"]


def test_a_pause_answers_what_the_interrupted_question_would() -> None:
    def paused() -> Table:
        return at_day(8).judge("pause")

    assert paused().judge("living").lines == ["living.but"]
    table = paused().judge("help")
    assert listed(table.says[0], "choices") == ["resume"]
    assert table.about == "paused"
    assert table.answer("resume").lines == ["pause.ends", "words.please"]
