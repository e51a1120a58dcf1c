"""When a voice is on, in rooms of every loudness."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from narrator.ears.voicing import Voicing, level


def noise(decibels: float, seconds: float) -> NDArray[np.int16]:
    """Noise whose speech band lies near ``decibels`` of full scale."""
    # Half of white noise's power lies in the speech band.
    scale = 32768 * 10 ** (decibels / 20) * 2**0.5
    samples = np.random.default_rng(3).standard_normal(round(seconds * 16_000)) * scale
    return samples.clip(-32768, 32767).astype(np.int16)


def active(voicing: Voicing, sound: NDArray[np.int16]) -> list[bool]:
    return [voicing.feed(sound[start : start + 320]) for start in range(0, len(sound) - 319, 320)]


def test_levels_are_measured_in_the_speech_band() -> None:
    time = np.arange(320) / 16_000
    tone = (0.5 * 32767 * np.sin(2 * np.pi * 500 * time)).astype(np.int16)
    hum = (0.5 * 32767 * np.sin(2 * np.pi * 50 * time)).astype(np.int16)
    assert level(tone) == pytest.approx(-9, abs=0.2)
    assert level(hum) < -60
    assert level(np.zeros(320, np.int16)) == -120


@pytest.mark.parametrize("room", [-90, -70, -50, -40])
def test_a_voice_is_heard_above_whatever_noise_the_room_has(room: float) -> None:
    voicing = Voicing()
    active(voicing, noise(room, 4))
    assert sum(active(voicing, noise(room, 2))) <= 1
    assert all(active(voicing, noise(room + 30, 0.4)))
    assert not any(active(voicing, noise(room, 1))[2:])


def test_a_known_floor_saves_learning_it_again() -> None:
    assert sum(active(Voicing(), noise(-45, 0.5))) > 10
    assert not any(active(Voicing(floor=-45), noise(-45, 0.5)))


def test_the_floor_rises_when_a_fan_is_switched_on() -> None:
    voicing = Voicing()
    active(voicing, noise(-70, 3))
    fan = active(voicing, noise(-45, 6))
    assert fan[0]
    assert not any(fan[200:])
    assert voicing.floor == pytest.approx(-45, abs=3)


def test_what_dies_away_after_a_voice_is_no_voice() -> None:
    voicing = Voicing()
    active(voicing, noise(-70, 2))
    assert all(active(voicing, noise(-20, 0.4)))
    # A room's echo: 28 dB below the voice and 20 above the floor, and falling.
    tail = np.concatenate([noise(-48 - step, 0.02) for step in range(20)])
    assert not any(active(voicing, tail))
    assert all(active(voicing, noise(-30, 0.2))), "the next word rises from it"


def test_a_breath_after_a_voice_is_no_voice_but_a_soft_word_later_is() -> None:
    voicing = Voicing()
    active(voicing, noise(-75, 2))
    active(voicing, noise(-15, 0.4))
    assert not any(active(voicing, noise(-75, 0.1)))
    assert not any(active(voicing, noise(-55, 0.1))), "lips, 40 dB below what was said"
    assert not any(active(voicing, noise(-75, 0.4)))
    assert all(active(voicing, noise(-55, 0.1)))
