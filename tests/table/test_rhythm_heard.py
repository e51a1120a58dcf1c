"""The rhythm at the table: silences, patience and the voice follow it; an interruption doesn't lose it."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles import RATE, Bell, Evening, Loudspeaker, voice_pack

from narrator.moderator.effects import Effect, Expect, Pace, Say, Wait
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Unclear
from narrator.moderator.rhythm import Beat
from narrator.mouth.clips import ClipCache
from narrator.mouth.speech import Mouth
from narrator.table.blocks import BLOCK_SECONDS
from narrator.table.performance import Performance

ASKED = Expect(Expectation(Kind.YESNO), "agree")


def performance(folder: Path) -> tuple[Performance, Mouth]:
    mouth = Mouth(voice_pack(), Bell(), ClipCache(folder), RATE)
    return Performance(mouth, Loudspeaker(), (), listening=False), mouth


def seconds_until_asked(performing: Performance, *effects: Effect) -> float:
    performing.add((*effects, ASKED))
    for ticks in range(100_000):
        performing.loudspeaker.advance(BLOCK_SECONDS)
        if performing.tick(BLOCK_SECONDS) is not None:
            return ticks * BLOCK_SECONDS
    raise AssertionError("never asked")


def test_silences_are_as_long_as_the_rhythm_has_them(tmp_path: Path) -> None:
    performing, _ = performance(tmp_path)
    even = seconds_until_asked(performing, Wait("eyes_close"))
    slow = seconds_until_asked(performing, Pace(2.0, 1.0), Wait("eyes_close"))
    assert slow - even == pytest.approx(voice_pack().wait("eyes_close"), abs=3 * BLOCK_SECONDS)
    again = seconds_until_asked(performing, Wait("eyes_close"))
    assert again == pytest.approx(slow, abs=3 * BLOCK_SECONDS)


def test_lines_asked_for_after_a_change_are_spoken_at_its_rate(tmp_path: Path) -> None:
    performing, mouth = performance(tmp_path)
    performing.add((Say("night.falls"), Pace(1.0, 0.9), Say("day.breaks")))
    assert mouth.tempo == 0.9


def test_who_answers_before_the_end_does_not_lose_the_rhythm(tmp_path: Path) -> None:
    performing, _ = performance(tmp_path)
    performing.add((Say("night.falls"), Pace(2.0, 1.0), ASKED))
    performing.cut()
    assert performing.pauses == 2.0


def test_patience_is_as_long_as_the_rhythm_has_it(tmp_path: Path) -> None:
    def seconds(*rhythm: Beat) -> float:
        setup = Setup(3, ruleset="standard", players=8, secrets=Secrets.JUDGE, rhythm=rhythm)
        evening = Evening(setup, tmp_path, rests={"noted"})
        evening.until_asked("noted")
        asked = evening.session.elapsed
        assert isinstance(evening.until_taken(), Unclear)
        return evening.session.elapsed - asked

    patience = voice_pack().wait("patience_night")
    assert seconds(Beat(pauses=2.0)) - seconds() == pytest.approx(patience, abs=0.2)
