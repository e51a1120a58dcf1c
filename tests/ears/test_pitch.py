"""The pitch of a voice is followed: of glides that are known, among noise, and where nobody speaks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from narrator.ears.pitch import FRAMES_PER_SECOND, contour

RATE = 16_000


def glide(first: float, last: float, seconds: float = 0.5) -> NDArray[np.float64]:
    """A buzzing voice whose pitch moves evenly, in octaves, from ``first`` to ``last`` hertz."""
    places = np.linspace(0, 1, round(seconds * RATE))
    hertz = first * (last / first) ** places
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    return sum((np.sin(number * phase) / number for number in range(1, 12)), np.zeros(len(places))) * 4_000


@pytest.mark.parametrize(("first", "last"), [(110, 110), (90, 180), (320, 200), (400, 390)])
@pytest.mark.parametrize("noise", [0, 600])
def test_a_glide_is_followed(first: float, last: float, noise: int) -> None:
    voice = glide(first, last)
    sound = voice + np.random.default_rng(1).normal(0, 1, len(voice)) * noise
    heard = contour(sound.astype(np.int16))
    # A frame's pitch is that of the moments its windows lie around.
    inner = slice(5, -10)
    true = np.log2(first) + np.log2(last / first) * (np.arange(len(heard.octaves)) + 2) / 50
    assert np.abs(heard.octaves - true)[inner].max() < 0.06
    assert heard.likeness[inner].min() > 0.8


def test_noise_is_hardly_like_itself() -> None:
    noise = np.random.default_rng(2).normal(0, 2_000, RATE).astype(np.int16)
    assert contour(noise).likeness.mean() < 0.4


def test_there_is_a_value_for_every_hundredth_of_a_second() -> None:
    heard = contour(glide(150, 150, 1.0).astype(np.int16))
    assert len(heard.octaves) == len(heard.likeness) == len(heard.level)
    # The last windows need what comes after them.
    assert FRAMES_PER_SECOND - 8 <= len(heard.octaves) <= FRAMES_PER_SECOND


@pytest.mark.parametrize("samples", [0, 1, 300])
def test_no_sound_is_too_short_or_too_silent(samples: int) -> None:
    heard = contour(np.zeros(samples, np.int16))
    assert np.isfinite(heard.octaves).all()
    assert np.isfinite(heard.likeness).all()
    assert np.isfinite(heard.level).all()


def test_loudness_changes_the_level_only() -> None:
    voice = glide(180, 120) / 4
    soft, loud = contour(voice.astype(np.int16)), contour((voice * 4).astype(np.int16))
    assert np.abs(soft.octaves - loud.octaves).max() < 0.01
    assert (loud.level - soft.level).mean() == pytest.approx(12.04, abs=0.1)
