"""Louder and softer by steps: every clip by the same, and never beyond what a loudspeaker can take."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from narrator.moderator.sounds import VOLUMES
from narrator.mouth.levels import PEAK
from narrator.mouth.loudness import loudness
from narrator.mouth.volume import STEP_DECIBELS, at_volume

RATE = 24_000


def voice(level: float, seconds: float = 1.0) -> NDArray[np.float32]:
    """Something like a voice: a tone and its overtones, pulsing, with a single high peak in the middle."""
    time = np.arange(round(seconds * RATE)) / RATE
    wave = sum(np.sin(2 * np.pi * 150 * times * time) / times for times in range(1, 9))
    samples = wave * (0.55 + 0.45 * np.sin(2 * np.pi * 4 * time))
    samples *= level / np.abs(samples).max()
    middle = len(samples) // 2
    samples[middle : middle + 20] *= 3.0
    return samples.astype(np.float32)


@pytest.mark.parametrize("step", [step for step in VOLUMES if step])
def test_a_step_is_three_decibels_for_every_clip(step: int) -> None:
    for level in (0.02, 0.05):
        before = voice(level)
        after = at_volume(before, RATE, step)
        gained = loudness(after, RATE) - loudness(before, RATE)
        # What is measured near silence falls below the measure's gate.
        assert gained == pytest.approx(STEP_DECIBELS * step, abs=0.1)


def test_as_recorded_nothing_is_touched() -> None:
    before = voice(0.3)
    assert at_volume(before, RATE, 0) is before


@pytest.mark.parametrize("level", [0.1, 0.3, 0.9])
def test_no_sample_ever_clips(level: float) -> None:
    loudest = at_volume(voice(level), RATE, VOLUMES[-1])
    assert np.abs(loudest).max() <= PEAK + 1e-6
    assert loudest.dtype == np.float32


def test_one_high_peak_holds_down_its_own_moment_only() -> None:
    before = voice(0.2)
    after = at_volume(before, RATE, 3)
    gain = 10 ** (3 * STEP_DECIBELS / 20)
    far = slice(0, len(before) // 2 - round(0.05 * RATE))
    assert np.allclose(after[far], before[far] * gain, atol=1e-5)
    middle = len(before) // 2
    assert np.abs(after[middle : middle + 20]).max() <= PEAK + 1e-6


def test_a_voice_that_is_held_down_keeps_its_sound() -> None:
    """Cut off at the peak it would have overtones that nobody spoke."""
    time = np.arange(RATE) / RATE
    tone = (0.9 * np.sin(2 * np.pi * 200 * time)).astype(np.float32)
    gain = 10 ** (STEP_DECIBELS * VOLUMES[-1] / 20)
    assert strange(at_volume(tone, RATE, VOLUMES[-1])) < 1e-3 < strange(np.clip(tone * gain, -PEAK, PEAK))


def strange(samples: NDArray[np.float32]) -> float:
    """The share of power that is elsewhere than at 200 Hz."""
    inside = samples[RATE // 4 : 3 * RATE // 4]
    power = np.abs(np.fft.rfft(inside * np.hanning(len(inside)))) ** 2
    hertz = np.fft.rfftfreq(len(inside), 1 / RATE)
    return float(power[np.abs(hertz - 200) > 20].sum() / power.sum())


@pytest.mark.parametrize("size", [0, 1, 7, 239, 241])
def test_any_length_stays_what_it_is(size: int) -> None:
    samples = np.full(size, 0.8, dtype=np.float32)
    after = at_volume(samples, RATE, 3)
    assert len(after) == size
    assert not size or np.abs(after).max() <= PEAK + 1e-6
