"""What follows from a room's numbers: the gate, the gain, when a voice is a voice, and the verdict."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from narrator.ears.preamplifier import Preamplifier
from narrator.ears.voicing import Voicing, VoicingSettings, level
from narrator.room.measured import Room, Verdict

USUAL = Room(
    microphone="desk",
    loudspeaker="box",
    floor=-65.0,
    spread=2.5,
    echo=-26.0,
    delay=0.18,
    decay=0.25,
    overhang=0.21,
)


def test_a_usual_room_keeps_what_the_ears_were_made_for() -> None:
    assert USUAL.gain == 0.0
    assert (USUAL.voicing.on, USUAL.voicing.off) == (VoicingSettings().on, VoicingSettings().off)
    assert USUAL.voicing.first_floor == -65.0


def test_the_gate_waits_for_the_longest_echo_and_a_little() -> None:
    assert USUAL.tail == pytest.approx(0.27)
    assert replace(USUAL, overhang=0.0).tail == pytest.approx(0.12)
    assert replace(USUAL, overhang=4.0).tail == pytest.approx(1.5)


def test_a_microphone_too_quiet_for_its_voices_is_amplified() -> None:
    faint = replace(USUAL, floor=-95.0, echo=-55.0)
    assert faint.gain == pytest.approx(27.0)
    # Once somebody has spoken his voice counts, not a guess from the tone.
    assert faint.with_voices(-48.0, -51.0).gain == pytest.approx(11.0)
    assert faint.heard_floor == pytest.approx(-68.0)


def test_a_louder_voice_echoes_for_longer_at_the_rate_that_was_measured() -> None:
    """39 dB above the noise it fades by a dB in 5 ms; beyond 40 dB nobody follows it."""
    room = replace(USUAL, echo=-45.0, fading=0.005)
    louder = room.at(3)
    assert (louder.volume, louder.echo) == (3, -36.0)
    assert louder.decay - room.decay == pytest.approx(0.045)
    assert louder.tail - room.tail == pytest.approx(0.045, abs=0.01)
    assert replace(room, echo=-26.0).at(3).decay - room.decay == pytest.approx(0.005)
    # What was measured at one volume is the same seen from any other.
    assert room.at(3).at(3) == room.at(3)


def test_after_a_softer_voice_the_gate_opens_no_earlier_than_was_measured() -> None:
    softer = USUAL.at(-4)
    assert softer.echo == -38.0
    assert (softer.tail, softer.decay, softer.delay) == (USUAL.tail, USUAL.decay, USUAL.delay)


@pytest.mark.parametrize("fading", [None, 0.01])
def test_a_room_from_before_fades_as_it_did_on_the_whole(fading: float | None) -> None:
    """Once 20 dB took it 0.2 s; a room whose echo drowned in the noise tells nothing of its own."""
    before = replace(USUAL, echo=-45.0, decay=0.2, fading=fading)
    assert before.at(1).decay == pytest.approx(0.23)
    assert replace(USUAL, echo=-70.0, decay=0.0).at(3).tail == USUAL.tail


def test_people_speak_as_they_do_however_loud_the_program_is() -> None:
    faint = replace(USUAL, floor=-95.0, echo=-55.0)
    for volume in range(-6, 4):
        assert faint.at(volume).gain == faint.gain == pytest.approx(27.0)
        assert faint.at(volume).voicing == faint.voicing
        assert faint.at(volume).verdict is faint.verdict


def test_noise_is_not_amplified_with_it() -> None:
    assert replace(USUAL, floor=-52.0, echo=-55.0).gain == 0.0
    assert replace(USUAL, floor=-62.0, echo=-55.0).gain == pytest.approx(12.0)


def test_over_a_restless_noise_a_voice_begins_higher() -> None:
    restless = replace(USUAL, floor=-50.0, spread=8.0)
    assert (restless.voicing.on, restless.voicing.off) == (11.0, 8.0)
    assert replace(restless, spread=30.0).voicing.on == 14.0
    # But never so high that the far end would be missed.
    assert restless.with_voices(-30.0, -32.0).voicing.on == 10.0
    assert restless.with_voices(-30.0, -45.0).voicing.on == VoicingSettings().on


@pytest.mark.parametrize(
    ("floor", "judge", "far", "verdict"),
    [
        (-65.0, -30.0, -42.0, Verdict.FINE),
        (-65.0, -30.0, -55.0, Verdict.FAR),
        (-65.0, -30.0, None, Verdict.FAR),
        (-38.0, -20.0, -30.0, Verdict.NOISY),
        (-38.0, -20.0, None, Verdict.NOISY),
        (-65.0, None, -30.0, Verdict.FINE),
        (-65.0, None, None, Verdict.UNHEARD),
    ],
)
def test_the_verdict_is_about_the_weakest_voice(
    floor: float, judge: float | None, far: float | None, verdict: Verdict
) -> None:
    assert replace(USUAL, floor=floor).with_voices(judge, far).verdict is verdict


class Repeating:
    """A microphone that gives the same blocks over and over."""

    def __init__(self, *blocks: np.ndarray) -> None:
        self._blocks = itertools.cycle(blocks)
        self.closed = False

    def read(self) -> np.ndarray:
        return next(self._blocks)

    def close(self) -> None:
        self.closed = True


def tone(amplitude: float) -> np.ndarray:
    return np.round(amplitude * np.sin(2 * np.pi * 500 * np.arange(320) / 16_000)).astype(np.int16)


def test_a_faint_voice_passes_for_one_only_with_the_gain_that_was_measured() -> None:
    faint = replace(USUAL, floor=-95.0, echo=-60.0).with_voices(-64.0, -66.0)
    heard = {}
    for gain in (0.0, faint.gain):
        microphone = Preamplifier(Repeating(tone(25.0)), gain)
        voicing = Voicing(replace(faint.voicing, first_floor=faint.floor + gain))
        heard[gain] = [voicing.feed(microphone.read()) for _ in range(10)]
    assert level(tone(25.0)) < VoicingSettings().lowest_floor + VoicingSettings().on
    assert not any(heard[0.0])
    assert all(heard[faint.gain])


def test_gain_is_loudness_in_decibels_and_never_wraps_around() -> None:
    assert level(Preamplifier(Repeating(tone(100)), 20.0).read()) == pytest.approx(level(tone(1000)), abs=0.1)
    assert Preamplifier(Repeating(tone(30_000)), 20.0).read().max() == 32767
    untouched = tone(100)
    assert Preamplifier(Repeating(untouched)).read() is untouched


def test_the_loudest_moment_is_that_of_the_voice_before_the_gain() -> None:
    microphone = Preamplifier(Repeating(tone(3000), tone(30), tone(300)), 12.0)
    microphone.read()
    assert microphone.loudest == -120.0
    microphone.begin_metering()
    microphone.read()
    microphone.read()
    assert microphone.loudest == pytest.approx(level(tone(300)))
    microphone.read()
    assert microphone.loudest == pytest.approx(level(tone(3000)))
    microphone.end_metering()
    microphone.close()
