"""Earcons are short, soft and free of clicks."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.mouth.earcons import earcon, names
from narrator.mouth.levels import LOUDNESS
from narrator.mouth.loudness import loudness


def test_all_the_moments_have_a_sound_of_their_own() -> None:
    assert {"listen", "understood", "not_understood", "warning", "nightfall", "dawn"} <= set(names())
    sounds = {earcon(name, 16000).tobytes() for name in names()}
    assert len(sounds) == len(names())


@pytest.mark.parametrize("rate", [16000, 48000])
@pytest.mark.parametrize("name", names())
def test_an_earcon_is_gentle(name: str, rate: int) -> None:
    sound = earcon(name, rate)
    assert sound.dtype == np.float32
    assert 0.03 < np.abs(sound).max() < 0.5
    assert len(sound) <= 2 * rate
    assert abs(sound[0]) < 0.001
    assert abs(sound[-1]) < 0.001
    assert np.abs(np.diff(sound)).max() < 0.2


@pytest.mark.parametrize("name", names())
def test_no_earcon_is_louder_than_speech(name: str) -> None:
    assert loudness(earcon(name, 48000), 48000) < LOUDNESS - 1


def notes(name: str) -> list[int]:
    """The pitches of an earcon, one after another, in whole semitones."""
    sound = earcon(name, 16000)
    found: list[int] = []
    for start in range(0, len(sound) - 800, 400):
        frame = sound[start : start + 1600]
        if np.abs(frame).max() > 0.25 * np.abs(sound).max():
            spectrum = np.abs(np.fft.rfft(frame * np.hanning(len(frame)), 16000))
            spectrum[:200] = 0
            semitone = round(12 * np.log2(int(np.argmax(spectrum[:1300])) / 440))
            if not found or found[-1] != semitone:
                found.append(semitone)
    return found


def test_what_opens_or_brightens_rises_and_what_fails_or_darkens_falls() -> None:
    for name, rises in (("listen", True), ("understood", True), ("dawn", True)):
        heard = notes(name)
        assert (heard[-1] > heard[0]) is rises, (name, heard)
    for name in ("not_understood", "nightfall"):
        heard = notes(name)
        assert heard[-1] < heard[0], (name, heard)


def test_two_earcons_that_rise_alike_differ_in_how_long_they_ring() -> None:
    assert len(earcon("understood", 16000)) > 1.8 * len(earcon("listen", 16000))
    assert len(earcon("dawn", 16000)) > 3 * len(earcon("understood", 16000))


def test_the_microphone_is_announced_in_a_fifth_of_a_second() -> None:
    assert len(earcon("listen", 16000)) <= 0.2 * 16000


def test_nobody_can_spoil_an_earcon_for_the_others() -> None:
    with pytest.raises(ValueError, match="read-only"):
        earcon("listen", 16000)[0] = 1.0


def test_an_unknown_earcon_is_an_error() -> None:
    with pytest.raises(KeyError):
        earcon("nosuch", 16000)
