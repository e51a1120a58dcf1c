"""Short texts are said inside a longer run of speech and cut out of it again, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from voice_build.carrying import carried, carried_part  # type: ignore[import-not-found]
from voice_build.engines import KokoroEngine, engine  # type: ignore[import-not-found]

from narrator.mouth.reading import Stretch
from narrator.mouth.recipes import Carrier, recipe

RATE = 24_000
CARRIER = Carrier(("na4", "nian4"), 3)

Samples = NDArray[np.float32]


def reading(*syllables: str, mark: str = "，") -> tuple[Stretch, ...]:
    return (Stretch((syllables,), mark),)


def buzz(seconds: float, pitch: float) -> Samples:
    return (0.3 * np.sin(np.arange(round(RATE * seconds)) * 2 * np.pi * pitch / RATE)).astype(np.float32)


def hush(seconds: float) -> Samples:
    return np.random.default_rng(1).normal(0, 0.001, round(RATE * seconds)).astype(np.float32)


def pitches(samples: Samples) -> set[int]:
    """The pitches, of 100, 200 and 300 Hz, that are heard in it."""
    power = np.abs(np.fft.rfft(samples)) ** 2
    hertz = np.fft.rfftfreq(len(samples), 1 / RATE)
    loud = [pitch for pitch in (100, 200, 300) if power[np.abs(hertz - pitch) < 20].max() > power.max() / 50]
    return set(loud)


def test_a_statement_stands_between_two_carriers_and_a_question_at_the_end() -> None:
    assert carried(reading("wu3", "hao4"), CARRIER) == ("na↘ njɛ↘n... u↓xau↘... na↘ njɛ↘n.", 3)
    assert carried(reading("dui4", "ma5", mark="？"), CARRIER) == ("na↘ njɛ↘n... twei↘ma?", 2)


@pytest.mark.parametrize("closure", [0.0, 0.09])
def test_the_text_comes_out_whole_and_alone(closure: float) -> None:
    text = [buzz(0.2, 200), hush(closure), buzz(0.3, 300)]
    run = [hush(0.4), buzz(0.9, 100), hush(0.15), *text, hush(0.15), buzz(1.0, 100), hush(0.4)]
    part = carried_part(np.concatenate(run), RATE, 3, 2)
    assert part is not None
    assert pitches(part) == {200, 300}
    assert len(part) / RATE == pytest.approx(0.5 + closure + 0.15, abs=0.03)


def test_of_a_question_everything_after_the_pause_comes_out() -> None:
    run = [hush(0.4), buzz(0.9, 100), hush(0.15), buzz(0.2, 200), hush(0.09), buzz(0.3, 300), hush(0.4)]
    part = carried_part(np.concatenate(run), RATE, 2, 2)
    assert part is not None
    assert pitches(part) == {200, 300}


CARRIED, PAUSE = buzz(0.9, 100), hush(0.15)


@pytest.mark.parametrize(
    ("run", "parts"),
    [
        # The second pause is missing, and one within the text looks like it.
        ([CARRIED, PAUSE, buzz(0.2, 200), hush(0.09), buzz(0.3, 300), CARRIED], 3),
        ([CARRIED, PAUSE, buzz(0.2, 200), hush(0.09), buzz(0.1, 300), CARRIED], 3),
        ([CARRIED, PAUSE, buzz(0.3, 200), CARRIED], 3),
        ([CARRIED, buzz(0.4, 200)], 2),
        ([hush(0.0)], 3),
        ([np.zeros(RATE, np.float32)], 2),
    ],
)
def test_without_clear_pauses_nothing_comes_out(run: list[Samples], parts: int) -> None:
    assert carried_part(np.concatenate(run), RATE, parts, 2) is None


class Voice:
    """Says a text as the sounds it is given, and keeps what it was asked for."""

    def __init__(self, *runs: Samples) -> None:
        self._runs = list(runs)
        self.said: list[str] = []

    def style(self, blend: object) -> Samples:
        return np.zeros((510, 1, 256), np.float32)

    def say(self, told: str, style: object, speed: float) -> Samples:
        self.said.append(told)
        return self._runs.pop(0)


def speaking(*runs: Samples) -> tuple[Any, Voice]:
    made, voice = KokoroEngine({"zf": 1.0}, 1.0, Path(), None, CARRIER), Voice(*runs)
    made.__dict__["_kokoro"] = voice
    return made, voice


def test_only_short_texts_are_carried() -> None:
    run = np.concatenate([buzz(0.9, 100), hush(0.15), buzz(0.4, 200), hush(0.15), buzz(0.9, 100)])
    made, voice = speaking(run, buzz(1.0, 300))
    assert pitches(made.say(reading("wu3", "hao4"), 1.0)[0]) == {200}
    assert pitches(made.say(reading("qing3", "fa1", "yan2", "le5"), 1.0)[0]) == {300}
    assert [told.count("...") for told in voice.said] == [2, 0]


def test_a_text_that_cannot_be_cut_out_is_said_alone() -> None:
    made, voice = speaking(buzz(2.0, 100), buzz(0.5, 200))
    assert pitches(made.say(reading("wu3", "hao4"), 1.0)[0]) == {200}
    assert [told.count("...") for told in voice.said] == [2, 0]


def test_the_carrier_is_part_of_the_recipe_of_short_texts_only() -> None:
    short, long = reading("wu3", "hao4"), reading("qing3", "fa1", "yan2", "le5")
    other = Carrier(("na4", "me5"), 3)
    assert len({recipe("kokoro", short, one) for one in (None, CARRIER, other)}) == 3
    assert len({recipe("kokoro", long, one) for one in (None, CARRIER, other)}) == 1


def test_a_voices_carrier_is_read_from_its_settings() -> None:
    settings = {"engine": "kokoro", "blend": {"zf": 1.0}, "carrier": "na4 nian4", "carried": 3}
    assert engine(settings, Path(), None).carrier == CARRIER
    del settings["carrier"]
    assert engine(settings, Path(), None).carrier is None


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"carrier": "那我们", "carried": 3}, "carrier"),
        ({"carrier": 3, "carried": 3}, "carrier"),
        ({"carrier": "na4 nian4"}, "carried"),
        ({"carrier": "na4 nian4", "carried": 0}, "carried"),
        ({"carrier": "na4 nian4", "carried": 3, "engine": "espeak"}, "kokoro"),
    ],
)
def test_a_wrong_carrier_is_named(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Carrier.of({"engine": "kokoro", **settings})
