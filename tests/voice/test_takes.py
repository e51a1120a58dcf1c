"""A take is cut, levelled and coded so that clips can be joined."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from narrator.mouth.levels import LOUDNESS, audible
from narrator.mouth.loudness import loudness
from narrator.mouth.takes import LEAD_SECONDS, RATE, TAIL_SECONDS, decoded, take


def spoken(level: float, seconds: float, before: float = 0.4, after: float = 1.0) -> NDArray[np.float32]:
    """Syllables of a buzzing voice with silence around them, as a synthesiser gives them."""
    time = np.arange(round(seconds * RATE)) / RATE
    buzz = np.sum([np.sin(2 * np.pi * 150 * n * time) / n for n in range(1, 20)], axis=0)
    syllables = level * buzz * (0.3 + 0.7 * np.abs(np.sin(np.pi * 4 * time)))
    around = [np.zeros(round(silence * RATE)) for silence in (before, after)]
    return np.concatenate([around[0], syllables, around[1]]).astype(np.float32)


@pytest.mark.parametrize("level", [0.02, 0.3])
@pytest.mark.parametrize("seconds", [0.3, 0.7, 3.0])
def test_whatever_its_length_and_level_every_take_is_equally_loud(level: float, seconds: float) -> None:
    clip = decoded(take(spoken(level, seconds), RATE))
    assert loudness(clip.samples, clip.rate) == pytest.approx(LOUDNESS, abs=0.5)


def test_lead_and_tail_are_the_same_for_all() -> None:
    for before, after in ((0.0, 0.0), (0.4, 1.0), (0.01, 2.0)):
        clip = decoded(take(spoken(0.2, 0.6, before, after), RATE))
        start, end = audible(clip.samples)
        assert start / RATE == pytest.approx(LEAD_SECONDS, abs=0.012)
        assert (len(clip.samples) - end) / RATE == pytest.approx(TAIL_SECONDS, abs=0.045)


def test_another_rate_becomes_the_packs() -> None:
    clip = decoded(take(spoken(0.2, 1.0)[::2], RATE // 2))
    assert clip.rate == RATE
    assert clip.seconds == pytest.approx(1.0 + LEAD_SECONDS + TAIL_SECONDS, abs=0.05)


def test_a_second_of_speech_takes_little_room() -> None:
    short, long = (len(take(spoken(0.2, seconds), RATE)) for seconds in (1.0, 5.0))
    assert (long - short) / 4 * 8 < 24_000


def test_silence_is_no_take() -> None:
    with pytest.raises(ValueError, match="audible"):
        take(np.zeros(RATE, np.float32), RATE)
