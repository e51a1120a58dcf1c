"""The virtual room: what its microphone hears of people, of the narrator and of the noise."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from narrator.rehearsal.room import (
    LEAK_LEVEL,
    SPEECH_LEVEL,
    Room,
    Samples,
    at_level,
    convolve,
    level,
    room_response,
)
from narrator.table.blocks import BLOCK, BLOCK_SECONDS, RATE


def hiss(seconds: float, rms: float, seed: int = 99) -> Samples:
    """Something as loud as a voice, without its pauses."""
    return at_level(np.random.default_rng(seed).standard_normal(int(seconds * RATE)).astype(np.float32), rms)


def hears(room: Room, seconds: float) -> NDArray[np.float64]:
    """What the microphone takes up from now on."""
    return np.concatenate([room.read() for _ in range(round(seconds / BLOCK_SECONDS))]) / 32767


def rms(samples: NDArray[np.float64]) -> float:
    return float(np.sqrt((samples**2).mean()))


def decibels(ratio: float) -> float:
    return float(20 * np.log10(ratio))


@pytest.mark.parametrize("snr", [0.0, 10.0, 20.0, 30.0])
def test_a_voice_stands_as_far_above_the_noise_as_asked(snr: float) -> None:
    noise = rms(hears(Room(1, snr), 10))
    alone = Room(1, 100)
    alone.speak(hiss(3, SPEECH_LEVEL), 0)
    voice = rms(hears(alone, 3))
    assert decibels(voice / noise) == pytest.approx(snr, abs=1.0)


def test_voice_and_noise_add_up() -> None:
    room = Room(1, 10)
    room.speak(hiss(3, SPEECH_LEVEL), 0)
    assert decibels(rms(hears(room, 3)) / SPEECH_LEVEL) == pytest.approx(10 * np.log10(1.1), abs=0.5)


def test_the_narrator_is_heard_louder_than_anybody() -> None:
    room = Room(1, 60)
    # Clips are evened out to an RMS of a tenth of full scale.
    room.play(hiss(2, 0.1))
    assert room.playing
    assert decibels(rms(hears(room, 2)) / LEAK_LEVEL) == pytest.approx(0, abs=1.5)
    assert not room.playing
    assert LEAK_LEVEL > SPEECH_LEVEL


def test_sounds_of_the_narrator_follow_one_another() -> None:
    room = Room(1, 60)
    room.play(hiss(0.5, 0.1))
    room.play(hiss(0.5, 0.1))
    hears(room, 0.9)
    assert room.playing
    hears(room, 0.1)
    assert not room.playing


def test_cutting_the_narrator_short_leaves_people_talking() -> None:
    room, quiet = Room(1, 60), Room(1, 60)
    for each in (room, quiet):
        each.speak(hiss(1, SPEECH_LEVEL), 0.1)
    room.play(hiss(5, 0.1))
    hears(room, 0.2)
    hears(quiet, 0.2)
    room.stop()
    assert not room.playing
    np.testing.assert_array_equal(hears(room, 1), hears(quiet, 1))


def test_somebody_speaks_when_they_said_they_would_and_the_end_is_known() -> None:
    room = Room(1, 60)
    hears(room, 1)
    assert room.now == pytest.approx(1.0)
    assert room.speak(hiss(0.5, SPEECH_LEVEL), 0.4) == pytest.approx(1.9, abs=0.001)
    before, during, after = hears(room, 0.4), hears(room, 0.5), hears(room, 0.5)
    assert rms(during) > 50 * max(rms(before), rms(after))


def test_two_may_speak_at_once() -> None:
    room = Room(1, 60)
    room.speak(hiss(1, SPEECH_LEVEL, seed=1), 0)
    room.speak(hiss(1, SPEECH_LEVEL, seed=2), 0)
    assert decibels(rms(hears(room, 1)) / SPEECH_LEVEL) == pytest.approx(3, abs=0.5)


def test_the_same_seed_is_the_same_room_and_another_is_another() -> None:
    def sound(seed: int) -> NDArray[np.float64]:
        room = Room(seed, 15)
        room.play(hiss(0.3, 0.1))
        return hears(room, 1)

    np.testing.assert_array_equal(sound(4), sound(4))
    assert not np.array_equal(sound(4), sound(5))


def test_the_noise_goes_on_for_longer_than_its_loop() -> None:
    noise = hears(Room(1, 20), 45)
    seconds = [rms(noise[start : start + RATE]) for start in range(0, len(noise), RATE)]
    assert max(seconds) < 2 * min(seconds)


def test_what_is_too_loud_is_clipped_and_does_not_wrap_round() -> None:
    room = Room(1, 20)
    room.speak(np.full(BLOCK, 3.0, dtype=np.float32), 0)
    assert room.read().min() == 32767


def test_everything_the_microphone_hears_is_recorded(tmp_path: Path) -> None:
    with Room(1, 20, tmp_path / "table.wav") as room:
        room.speak(hiss(0.5, SPEECH_LEVEL), 0.2)
        blocks = [room.read() for _ in range(50)]
    with wave.open(str(tmp_path / "table.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        recorded = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
    np.testing.assert_array_equal(recorded, np.concatenate(blocks))


def test_the_recording_is_whole_even_after_a_mishap(tmp_path: Path) -> None:
    def mishap() -> None:
        with Room(1, 20, tmp_path / "table.wav") as room:
            room.read()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        mishap()
    with wave.open(str(tmp_path / "table.wav")) as file:
        assert file.getnframes() == BLOCK


def test_a_level_is_that_of_the_sound_and_not_of_the_pauses_in_it() -> None:
    talk = np.concatenate([hiss(1, 0.05), np.zeros(3 * RATE, dtype=np.float32), hiss(1, 0.05)])
    assert level(talk) == pytest.approx(0.05, rel=0.02)
    assert level(at_level(talk, 0.2)) == pytest.approx(0.2, rel=0.02)
    assert level(np.zeros(RATE, dtype=np.float32)) == level(np.zeros(0, dtype=np.float32)) == 0
    assert not at_level(np.zeros(RATE, dtype=np.float32), 0.1).any()


def test_a_room_keeps_the_energy_of_a_sound_and_lets_it_ring_on() -> None:
    response = room_response(np.random.default_rng(1), t60=0.2, direct=0.7)
    assert float((response**2).sum()) == pytest.approx(1, abs=0.01)
    click = np.zeros(RATE, dtype=np.float32)
    click[0] = 1
    arrived = convolve(click, response)
    assert len(arrived) == len(click) + len(response) - 1
    np.testing.assert_allclose(arrived[: len(response)], response, atol=1e-5)
