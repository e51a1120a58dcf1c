"""Loudness is measured as broadcasters do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from narrator.mouth.loudness import loudness

RATE = 48_000


def sine(decibels: float, seconds: float, hertz: float = 997.0, rate: int = RATE) -> NDArray[np.float32]:
    time = np.arange(round(seconds * rate)) / rate
    return (10 ** (decibels / 20) * np.sin(2 * np.pi * hertz * time)).astype(np.float32)


def test_a_full_sine_is_as_loud_as_the_standard_says() -> None:
    """ITU-R BS.1770: a 997 Hz sine at full scale in one channel reads -3.01."""
    assert loudness(sine(0.0, 3.0), RATE) == pytest.approx(-3.01, abs=0.02)


@pytest.mark.parametrize("rate", [16_000, 22_050, 24_000, 44_100, 48_000])
def test_the_rate_of_the_samples_makes_no_difference(rate: int) -> None:
    assert loudness(sine(-20.0, 2.0, rate=rate), rate) == pytest.approx(-23.01, abs=0.05)


def test_silence_between_words_does_not_count() -> None:
    """EBU Tech 3341, third case: 10 s at -36, 60 s at -23, 10 s at -36 dBFS is -23 LUFS in two channels."""
    programme = np.concatenate([sine(-36.0, 10.0), sine(-23.0, 60.0), sine(-36.0, 10.0)])
    assert loudness(programme, RATE) == pytest.approx(-23.0 - 3.01, abs=0.1)


def test_low_rumble_hardly_counts_and_sibilants_count_more() -> None:
    level = loudness(sine(-20.0, 2.0), RATE)
    assert loudness(sine(-20.0, 2.0, hertz=25.0), RATE) < level - 10
    assert loudness(sine(-20.0, 2.0, hertz=6000.0), RATE) == pytest.approx(level + 3.3, abs=0.2)


@pytest.mark.parametrize("seconds", [0.05, 0.2, 0.39, 0.41, 1.0])
def test_something_short_is_as_loud_as_something_long(seconds: float) -> None:
    assert loudness(sine(-20.0, seconds), RATE) == pytest.approx(-23.01, abs=0.25)


def test_nothing_is_not_loud_at_all() -> None:
    assert loudness(np.zeros(RATE, np.float32), RATE) == -math.inf
    assert loudness(np.zeros(0, np.float32), RATE) == -math.inf
