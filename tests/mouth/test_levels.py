"""Clips are cut to the sound and are equally loud."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.mouth.clips import Clip
from narrator.mouth.levels import LOUDNESS, PAD_SECONDS, PEAK, evened, trimmed
from narrator.mouth.loudness import loudness

RATE = 22050


def tone(level: float, before: float = 0.0, after: float = 0.0) -> Clip:
    sound = level * np.cos(2 * np.pi * 300 * np.arange(RATE // 2) / RATE)
    silence = [np.zeros(round(seconds * RATE)) for seconds in (before, after)]
    return Clip(np.concatenate([silence[0], sound, silence[1]]).astype(np.float32), RATE)


def test_silence_around_the_sound_becomes_the_same_short_pad() -> None:
    assert trimmed(tone(0.5, before=0.4, after=0.9)).seconds == pytest.approx(
        0.5 + 2 * PAD_SECONDS, abs=0.002
    )
    assert trimmed(tone(0.5)).seconds == pytest.approx(0.5 + 2 * PAD_SECONDS, abs=0.002)


@pytest.mark.parametrize("level", [0.02, 0.2, 0.9])
def test_quiet_and_loud_become_equally_loud(level: float) -> None:
    assert loudness(evened(tone(level)).samples, RATE) == pytest.approx(LOUDNESS, abs=0.1)


def test_half_the_volume_is_six_decibels_less() -> None:
    quiet = evened(tone(0.3), volume=0.5)
    assert loudness(quiet.samples, RATE) == pytest.approx(LOUDNESS - 6.02, abs=0.1)


def test_a_sharp_peak_is_never_clipped() -> None:
    spiky = tone(0.01)
    spiky.samples[5000] = 0.9
    assert np.abs(evened(spiky).samples).max() <= PEAK + 1e-4


def test_pauses_inside_do_not_make_a_clip_louder() -> None:
    paused = Clip(np.concatenate([tone(0.3).samples, np.zeros(RATE, np.float32), tone(0.3).samples]), RATE)
    assert loudness(evened(paused).samples, RATE) == pytest.approx(LOUDNESS, abs=0.5)


def test_pure_silence_is_refused() -> None:
    with pytest.raises(ValueError, match="audible"):
        evened(Clip(np.zeros(1000, np.float32), RATE))
