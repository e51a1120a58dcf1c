"""Slower or faster, a voice keeps its pitch."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.mouth.clips import Clip
from narrator.mouth.tempo import at_tempo

RATE = 24_000


def voice(seconds: float = 1.0) -> Clip:
    """A voice's buzz: harmonics of 150 Hz."""
    time = np.arange(round(seconds * RATE)) / RATE
    buzz = np.sum([np.sin(2 * np.pi * 150 * n * time) / n for n in range(1, 12)], axis=0)
    return Clip((0.1 * buzz).astype(np.float32), RATE)


def pitch(clip: Clip) -> float:
    spectrum = np.abs(np.fft.rfft(clip.samples * np.hanning(len(clip.samples))))
    return float(np.fft.rfftfreq(len(clip.samples), 1 / RATE)[np.argmax(spectrum)])


@pytest.mark.parametrize("tempo", [0.8, 0.9, 0.95, 1.05, 1.2])
def test_it_lasts_longer_or_shorter_at_the_same_pitch(tempo: float) -> None:
    changed = at_tempo(voice(), tempo)
    assert changed.seconds == pytest.approx(1.0 / tempo, abs=0.04)
    assert pitch(changed) == pytest.approx(150, abs=2)


@pytest.mark.parametrize("tempo", [0.9, 1.1])
def test_it_neither_clicks_nor_flutters(tempo: float) -> None:
    usual, changed = voice(), at_tempo(voice(), tempo)
    assert np.abs(np.diff(changed.samples)).max() < 1.2 * np.abs(np.diff(usual.samples)).max()
    inner = changed.samples[RATE // 10 : -RATE // 10]
    levels = np.sqrt((inner[: len(inner) // 480 * 480].reshape(-1, 480) ** 2).mean(axis=1))
    assert levels.min() > 0.8 * levels.max()


def test_at_the_usual_tempo_nothing_is_touched() -> None:
    clip = voice()
    assert at_tempo(clip, 1.0) is clip
    assert at_tempo(clip, 1.005) is clip


def test_no_sensible_tempo_is_refused() -> None:
    with pytest.raises(ValueError, match="tempo"):
        at_tempo(voice(), 0.1)
