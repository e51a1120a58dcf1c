"""The rhythm: brisk in round one, slower as fewer remain, by public facts alone (002)."""

from __future__ import annotations

from typing import Any

import pytest
from table import Table, at_day, at_night, lobby

from narrator.moderator.effects import Expect, Pace, Say
from narrator.moderator.evening import Secrets
from narrator.moderator.rhythm import EVEN, Beat, beat_of
from narrator.mouth.lines import load_pack
from narrator.resources import voices_folder

BRISK, SLOW, TIGHT = Beat(rounds=1, pauses=0.8), Beat(living=3, pauses=2.0), Beat(living=6, pauses=1.5)
RHYTHM = (BRISK, SLOW, TIGHT)


def paces(table: Table) -> list[float]:
    """How silences were stretched so far."""
    return [effect.pauses for effect in table.log if isinstance(effect, Pace)]


def test_the_first_row_that_holds_is_taken() -> None:
    assert beat_of(RHYTHM, 1, 3) == BRISK
    assert beat_of(RHYTHM, 2, 3) == SLOW
    assert beat_of(RHYTHM, 2, 6) == TIGHT
    assert beat_of(RHYTHM, 2, 7) == EVEN


def test_the_shipped_rhythm_is_brisk_in_round_one_and_slows_down_as_fewer_remain() -> None:
    rhythm = load_pack(voices_folder() / "zh-CN").rhythm
    first = beat_of(rhythm, 1, 16)
    later = [beat_of(rhythm, 2, living) for living in range(16, 1, -1)]
    assert first.pauses < 1 and first.speeches < 1  # noqa: PT018
    for measure in ("pauses", "speeches"):
        values = [getattr(beat, measure) for beat in later]
        assert values == sorted(values)
        assert values[0] < values[-1]
    rates = [beat.rate for beat in later]
    assert rates == sorted(rates, reverse=True)


def test_a_game_begins_briskly_and_slows_down_when_enough_have_left() -> None:
    table = at_day(8, rhythm=RHYTHM)
    assert paces(table) == [0.8]
    table.day({7: 5})
    table.everyone_speaks()
    assert paces(table) == [0.8, 1.5]
    table.night(6)
    assert paces(table) == [0.8, 1.5]


def test_what_was_announced_comes_before_the_change_it_brings() -> None:
    table = at_day(8, rhythm=(Beat(living=7, pauses=2.0),))
    kinds = [effect.line if isinstance(effect, Say) else type(effect) for effect in table.latest]
    told = [kind for kind in kinds if kind in ("day.killed", Pace, "words.please", Expect)]
    assert told == ["day.killed", Pace, "words.please", Expect]


def test_another_game_begins_in_the_first_rhythm_again() -> None:
    table = at_day(8, rhythm=RHYTHM)
    table.day({1: 5})
    table.everyone_speaks()
    table.night(7)
    table.day({2: 4}).answer("again.same", "ready")
    assert paces(table)[-1] == 0.8


def test_in_the_lobby_nothing_is_hurried() -> None:
    assert paces(lobby(rhythm=RHYTHM)) == []


def test_whoever_comes_back_hears_the_rhythm_that_held() -> None:
    table = at_day(8, rhythm=RHYTHM)
    table.hears_back(table.moderator.resume_question())
    assert [effect.pauses for effect in table.latest if isinstance(effect, Pace)] == [0.8]


@pytest.mark.parametrize("secrets", [Secrets.KEYPAD, Secrets.JUDGE])
def test_the_rhythm_is_the_same_whoever_holds_which_card(secrets: Secrets) -> None:
    def heard(**cards: Any) -> list[float]:
        table = at_night(secrets, rhythm=RHYTHM, **cards).night(8, check=5)
        table.day({7: 5})
        table.everyone_speaks()
        return paces(table.night(6, check=5))

    assert heard(killers=(1, 2), police=(3, 4)) == heard(killers=(3, 4), police=(1, 5))


def test_a_speech_is_as_long_as_the_rhythm_has_it() -> None:
    table = at_day(8, rhythm=(Beat(rounds=1, speeches=0.5), Beat(speeches=2.0)), speech_seconds=60)
    seconds = [
        getattr(effect, "seconds", None) for effect in table.latest if "Timer" in type(effect).__name__
    ]
    assert seconds == [30] or seconds == [15, 30]
