"""Louder, softer, faster, slower: at every question, a step at a time, between the first and the last."""

from __future__ import annotations

import pytest
from scenes import SCENES
from table import at_day, at_night

from narrator.moderator.dialog import EVER
from narrator.moderator.effects import Effect, Expect, Note, Say, Tempo, Volume
from narrator.moderator.inputs import Command
from narrator.moderator.moderator import Moderator
from narrator.moderator.offer import Offer
from narrator.moderator.sounds import TEMPOS, VOLUMES

TURNS = ("louder", "softer", "faster", "slower")


@pytest.mark.parametrize(
    ("command", "effect", "line"),
    [
        ("louder", Volume(2), "volume.up"),
        ("softer", Volume(0), "volume.down"),
        ("faster", Tempo(2), "tempo.up"),
        ("slower", Tempo(0), "tempo.down"),
    ],
)
def test_a_step_from_where_it_stands_told_at_the_new_setting(command: str, effect: Effect, line: str) -> None:
    table = at_day(None).judge(command, reading=1)
    changes = [e for e in table.latest if isinstance(e, Volume | Tempo | Say)]
    assert changes == [effect, Say(line)]


@pytest.mark.parametrize(
    ("command", "reading", "line"),
    [
        ("louder", VOLUMES[-1], "volume.most"),
        ("softer", VOLUMES[0], "volume.least"),
        ("faster", TEMPOS[-1], "tempo.most"),
        ("slower", TEMPOS[0], "tempo.least"),
    ],
)
def test_beyond_the_last_step_nothing_changes_and_it_is_said(command: str, reading: int, line: str) -> None:
    table = at_day(None).judge(command, reading=reading)
    assert table.lines == [line]
    assert not [e for e in table.latest if isinstance(e, Volume | Tempo)]
    assert table.noted("setting") == []


def test_what_was_turned_is_noted_for_whoever_keeps_it() -> None:
    table = at_day(None).judge("louder", reading=0).judge("slower", reading=0)
    assert table.noted("setting") == [{"name": "volume", "step": 1}, {"name": "tempo", "step": -1}]


@pytest.mark.parametrize("state", SCENES)
def test_at_every_question_and_the_question_stays(state: str) -> None:
    for command in TURNS:
        table, other = SCENES[state](), SCENES[state]()
        before = table.asked
        assert command in before.expectation.commands
        table.judge(command, reading=0)
        assert table.asked == before
        assert table.timers == []
        # It is no step: what is taken back is what was answered before.
        assert table.judge("undo").lines[:1] == other.judge("undo").lines[:1]


def test_while_an_answer_is_confirmed_and_in_a_pause_and_when_asked_to_go_on() -> None:
    table = at_day(None).judge("eject", 5).judge("louder", reading=0)
    assert (table.lines, table.about) == (["volume.up"], "eject")
    table = at_day(None).judge("pause").judge("slower", reading=0)
    assert (table.lines, table.about) == (["tempo.down"], "paused")
    offer = Offer("ballot.counting", 1)
    offer.begin()
    note, effect, say, expect = offer.handle(Command("softer", reading=0))
    assert (effect, say) == (Volume(-1), Say("volume.down"))
    assert isinstance(note, Note)
    assert isinstance(expect, Expect)


def test_taking_an_answer_back_leaves_volume_and_tempo_alone() -> None:
    table = at_day(None).judge("louder", reading=0).judge("undo")
    assert not [effect for effect in table.latest if isinstance(effect, Volume | Tempo)]


def test_an_evening_that_is_gone_on_with_leaves_them_to_the_settings() -> None:
    table = at_day(None).judge("louder", reading=0)
    again = Moderator(table.setup)
    again.restore(table.moderator.inputs)
    assert not [e for e in again.resume_question() if isinstance(e, Volume | Tempo)]


def test_who_is_asleep_hears_the_same_word_whatever_was_chosen() -> None:
    said = []
    for kill in (5, 8):
        table = at_night().tell(1).tell(2).tell(kill).judge("softer", reading=0)
        said.append([e for e in table.latest if not isinstance(e, Expect)])
    assert said[0] == said[1]


def test_they_are_among_what_can_always_be_said() -> None:
    assert set(TURNS) < set(EVER)
