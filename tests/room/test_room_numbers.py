"""The room check's numbers against rooms whose numbers are known: ±20 ms, ±2 dB."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_room import Acoustics, Room

from narrator.ears.sound import SAMPLE_RATE
from narrator.room.probe import noise_of, record, room_of
from narrator.room.sweep import LEVEL, SECONDS, sweep

SPEECH_BAND = 10 * np.log10((4000 - 150) / (SAMPLE_RATE / 2))
"""What of white noise lies in the band in which voices are looked for, in dB."""


def decay(response: np.ndarray, fall: float) -> float:
    """Seconds in which the energy still to come falls by ``fall`` dB, from the impulse response itself."""
    left = np.cumsum((response**2)[::-1])[::-1]
    below = np.flatnonzero(10 * np.log10(left / left[0] + 1e-30) <= -fall)
    return (below[0] if len(below) else len(response)) / SAMPLE_RATE


@settings(max_examples=30, deadline=None)
@given(
    delay=st.floats(0.0, 0.8),
    gain=st.floats(-36, 6),
    t60=st.floats(0.1, 0.8),
    direct=st.floats(0.2, 0.95),
    above=st.floats(8, 45),
    rate=st.sampled_from([16_000, 44_100, 48_000]),
    seed=st.integers(0, 10_000),
)
def test_delay_level_noise_and_tail_are_those_of_the_room(
    delay: float, gain: float, t60: float, direct: float, above: float, rate: int, seed: int
) -> None:
    # Below that 16 bits make a noise of their own.
    noise = max(LEVEL + gain - above, -90.0)
    room = Room(rate)
    microphone = room.microphone(Acoustics(delay, gain, t60, direct, noise), seed)
    # Reflections add to one another, or not: what arrives is loud as it happens.
    tone = sweep(SAMPLE_RATE).astype(np.float64)
    echo = 10 * np.log10(np.sum(microphone.arriving(tone) ** 2) / len(tone))
    found = room_of(record(microphone, room, 3), "desk", "box")
    assert found is not None
    assert found.delay == pytest.approx(delay, abs=0.005)
    assert found.echo == pytest.approx(echo, abs=1.0)
    assert found.floor == pytest.approx(noise + SPEECH_BAND, abs=1.0)
    fall = min(echo - found.floor, 40.0)
    assert found.decay == pytest.approx(decay(microphone.response, fall), abs=0.03)
    # The loudspeaker of this room reports its end as soon as it has played.
    assert found.overhang == pytest.approx(found.delay + found.decay, abs=0.021)


@settings(max_examples=20, deadline=None)
@given(
    gain=st.floats(-30, -6),
    t60=st.floats(0.1, 0.8),
    direct=st.floats(0.2, 0.95),
    above=st.floats(12, 40),
    volume=st.integers(-4, 1),
    louder=st.integers(1, 3),
    seed=st.integers(0, 10_000),
)
def test_a_volume_turned_up_later_is_reckoned_with_as_if_it_had_been_measured(
    gain: float, t60: float, direct: float, above: float, volume: int, louder: int, seed: int
) -> None:
    acoustics = Acoustics(0.2, gain, t60, direct, max(LEVEL + gain + 3 * volume - above, -90.0))
    room = Room()
    then = room_of(record(room.microphone(acoustics, seed), room, 3, volume), "desk", "box")
    now = room_of(record(room.microphone(acoustics, seed), room, 3, volume + louder), "desk", "box")
    assert then is not None
    assert now is not None
    reckoned = then.at(volume + louder)
    assert reckoned.volume == now.volume == volume + louder
    assert reckoned.echo == pytest.approx(now.echo, abs=1.0)
    assert reckoned.gain == pytest.approx(now.gain, abs=1.0)
    # The margin of the gate covers what the rate was measured wrong by.
    assert reckoned.tail >= now.overhang


@settings(max_examples=15, deadline=None)
@given(noise=st.floats(-80, -20), seed=st.integers(0, 10_000))
def test_noise_alone_is_never_taken_for_the_tone(noise: float, seed: int) -> None:
    room = Room()
    room.muted = True
    recording = record(room.microphone(Acoustics(noise=noise), seed), room, 3)
    assert room_of(recording, "desk", "box") is None
    assert not recording.silent


def test_a_silent_room_without_any_noise_is_measured_too() -> None:
    room = Room()
    found = room_of(record(room.microphone(Acoustics(0.2, 0.0, noise=-300)), room, 1), "desk", "box")
    assert found is not None
    assert (found.delay, found.echo, found.floor) == (0.2, LEVEL, -120.0)
    assert found.decay < 0.01


def test_a_cough_during_one_tone_changes_nothing() -> None:
    room = Room()
    recording = record(room.microphone(Acoustics(0.15, -20.0, 0.3, noise=-65.0), 3), room, 3)
    calm = room_of(recording, "desk", "box")
    first = recording.takes[0].sound
    cough = np.random.default_rng(1).standard_normal(3000) * 9000
    first[12_000:15_000] = np.clip(first[12_000:15_000] + cough, -32768, 32767).astype(np.int16)
    disturbed = room_of(recording, "desk", "box")
    assert calm is not None
    assert disturbed is not None
    assert disturbed.delay == calm.delay
    assert disturbed.echo == pytest.approx(calm.echo, abs=1.0)


def test_an_echo_that_most_tones_lack_is_none() -> None:
    room = Room()
    microphone = room.microphone(Acoustics(0.15, -10.0))
    recording = record(microphone, room, 1)
    room.muted = True
    unheard = record(microphone, room, 2)
    mixed = type(recording)(recording.quiet, (*recording.takes, *unheard.takes))
    assert room_of(mixed, "desk", "box") is None


def test_noise_that_comes_and_goes_spreads_wider_than_steady_noise() -> None:
    rng = np.random.default_rng(5)
    steady = (rng.standard_normal(SAMPLE_RATE) * 100).astype(np.int16)
    waves = 1 + 4 * (np.sin(2 * np.pi * 3 * np.arange(SAMPLE_RATE) / SAMPLE_RATE) > 0)
    restless = (rng.standard_normal(SAMPLE_RATE) * 100 * waves).astype(np.int16)
    assert noise_of(steady).spread < 4
    assert noise_of(restless).spread > 10


@pytest.mark.parametrize("rate", [16_000, 44_100, 48_000])
def test_the_tone_is_as_loud_as_the_voice_and_begins_and_ends_softly(rate: int) -> None:
    tone = sweep(rate)
    assert len(tone) == round(SECONDS * rate)
    assert 10 * np.log10(np.mean(tone.astype(np.float64) ** 2)) == pytest.approx(LEVEL, abs=0.01)
    assert abs(tone[0]) < 1e-3
    assert abs(tone[-1]) < 1e-3
    assert np.abs(tone).max() < 0.2
