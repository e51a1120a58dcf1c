"""Loudspeakers play one sound after another and know when the last has ended."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pulse import needs_pulseaudio, pulse_room

from narrator.faults import Fault
from narrator.mouth import loudspeaker as module
from narrator.mouth.loudspeaker import SilentLoudspeaker, SoundDeviceLoudspeaker


def test_the_silent_loudspeaker_plays_for_as_long_as_the_sound_lasts() -> None:
    silent = SilentLoudspeaker(rate=16000)
    assert not silent.playing
    silent.play(np.zeros(16000, np.float32))
    silent.play(np.zeros(8000, np.float32))
    silent.advance(1.4)
    assert silent.playing
    silent.advance(0.1)
    assert not silent.playing


def test_the_silent_loudspeaker_stops_at_once() -> None:
    silent = SilentLoudspeaker(rate=16000)
    silent.play(np.zeros(16000, np.float32))
    silent.stop()
    assert not silent.playing


class FakeCard:
    """A sound card that takes its frames when the test says so."""

    class PortAudioError(Exception):
        pass

    def __init__(self, rate: float = 48000.0, channels: int = 2) -> None:
        self.rate = rate
        self.channels = channels
        self.present = True
        self.streams: list[FakeCard] = []
        self.callback: Callable[..., None] | None = None
        self.latency = 0.05
        self.aborted = False

    def query_devices(self, _device: object, kind: str) -> dict[str, Any]:
        assert kind == "output"
        if not self.present:
            raise ValueError("No output device\nmatching it")
        return {"default_samplerate": self.rate, "max_output_channels": self.channels}

    def OutputStream(self, samplerate: int, channels: int, callback: Any, **_: Any) -> FakeCard:  # noqa: N802
        stream = FakeCard(samplerate, channels)
        stream.callback = callback
        self.streams.append(stream)
        return stream

    def start(self) -> None:
        pass

    def abort(self, ignore_errors: bool = True) -> None:
        self.aborted = True

    def close(self, ignore_errors: bool = True) -> None:
        pass

    def pull(self, frames: int, ahead: float = 0.0) -> np.ndarray:
        out = np.full((frames, self.channels), 9.0, np.float32)
        assert self.callback is not None
        self.callback(out, frames, SimpleNamespace(outputBufferDacTime=ahead, currentTime=0.0), None)
        return out


class Watch:
    """The clock of the test."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> FakeCard:
    card = FakeCard()
    monkeypatch.setattr(module, "_portaudio", lambda: card)
    return card


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    monkeypatch.setattr(module, "time", watch)
    return watch


def test_sounds_follow_each_other_without_a_gap_on_every_channel(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker()
    assert speaker.rate == 48000
    speaker.play(np.full(100, 0.1, np.float32))
    speaker.play(np.full(100, 0.2, np.float32))
    out = np.concatenate([card.streams[0].pull(75) for _ in range(4)])
    expected = np.concatenate([np.full(100, 0.1), np.full(100, 0.2), np.zeros(100)]).astype(np.float32)
    np.testing.assert_array_equal(out, np.stack([expected, expected], axis=1))


def test_playing_lasts_until_the_last_sample_has_left_the_device(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker()
    assert not speaker.playing
    speaker.play(np.ones(480, np.float32))
    assert speaker.playing
    card.streams[0].pull(960, ahead=0.2)
    watch.now += 0.205
    assert speaker.playing
    watch.now += 0.01
    assert not speaker.playing


def test_a_device_without_times_is_trusted_for_its_latency(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker()
    speaker.play(np.ones(480, np.float32))
    card.streams[0].pull(480, ahead=0.0)
    watch.now += 0.055
    assert speaker.playing
    watch.now += 0.01
    assert not speaker.playing


def test_stop_drops_what_is_left(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker()
    speaker.play(np.ones(48000, np.float32))
    card.streams[0].pull(480)
    speaker.stop()
    assert not card.streams[0].pull(480).any()
    watch.now += 0.1
    assert not speaker.playing


def test_a_bed_lies_under_what_is_played_and_is_not_waited_for(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker()
    speaker.bed(np.full(48000, 0.05, np.float32))
    assert not speaker.playing
    card.streams[0].pull(48000)
    speaker.play(np.full(100, 0.2, np.float32))
    np.testing.assert_allclose(card.streams[0].pull(100), 0.25, atol=1e-6)
    speaker.stop()
    np.testing.assert_allclose(card.streams[0].pull(100), 0.05, atol=1e-6)
    speaker.bed(None)
    card.streams[0].pull(9600)
    assert not card.streams[0].pull(480).any()
    watch.now += 0.1
    assert not speaker.playing


def test_an_unplugged_loudspeaker_never_holds_up_the_game(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker("USB")
    speaker.play(np.ones(48000, np.float32))
    card.present = False
    watch.now += 4.5
    assert speaker.lost
    assert not speaker.playing
    watch.now += 1.0
    speaker.play(np.ones(480, np.float32))
    assert speaker.lost
    assert not speaker.playing


def test_a_loudspeaker_that_is_plugged_in_again_speaks_on_at_the_same_rate(
    card: FakeCard, watch: Watch
) -> None:
    speaker = SoundDeviceLoudspeaker("USB")
    speaker.play(np.full(48000, 0.1, np.float32))
    card.rate = 44100.0
    watch.now += 5.0
    speaker.play(np.full(480, 0.2, np.float32))
    assert speaker.playing
    assert speaker.rate == card.streams[1].rate == 48000
    assert card.streams[0].aborted
    # What was said while nobody could hear it is not said again.
    np.testing.assert_array_equal(card.streams[1].pull(480)[:, 0], np.full(480, 0.2, np.float32))


def test_a_missing_loudspeaker_is_one_sentence(card: FakeCard) -> None:
    card.present = False
    with pytest.raises(Fault) as caught:
        SoundDeviceLoudspeaker("USB")
    assert caught.value.key == "no_loudspeaker"
    assert caught.value.params == {"device": "USB", "why": "No output device matching it"}


def test_a_missing_portaudio_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(Fault) as caught:
        SoundDeviceLoudspeaker()
    assert caught.value.key == "no_portaudio"


PLAYED_AND_HEARD = """
import time
import numpy as np
import sounddevice
from narrator.mouth.loudspeaker import SoundDeviceLoudspeaker

loud = []

def hear(block, frames, moment, status):
    if np.abs(block).max() > 0.1:
        loud.append((time.monotonic(), float(np.abs(block).max())))

def until_silent():
    while speaker.playing:
        time.sleep(0.002)
    return time.monotonic()

speaker = SoundDeviceLoudspeaker("pulse")
rate = speaker.rate
tone = (0.5 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)).astype(np.float32)
microphone = sounddevice.InputStream(
    samplerate=rate, device="pulse", channels=1, dtype="float32", latency=0.02, callback=hear
)
with microphone:
    # A freshly opened PulseAudio stream asks for its second buffer only after a second or two.
    time.sleep(2.5)
    started = time.monotonic()
    speaker.play(tone)
    ended = until_silent()
    time.sleep(0.3)
    print(ended - started, ended - loud[-1][0], max(level for _moment, level in loud))
    speaker.play(np.tile(tone, 5))
    time.sleep(0.5)
    started = time.monotonic()
    speaker.stop()
    ended = until_silent()
    time.sleep(0.3)
    print(ended - started, ended - loud[-1][0])
speaker.close()
"""


@pytest.mark.soundcard
@needs_pulseaudio
def test_a_real_sound_card_plays_it_and_the_microphone_hears_it(tmp_path: Path) -> None:
    """One second plays in one second plus latency; a stop doesn't wait for five seconds to end."""
    command = [sys.executable, "-c", PLAYED_AND_HEARD]
    with pulse_room(tmp_path) as env:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    lasted, early, level, stopped, stopped_early = (float(word) for word in done.stdout.split())
    assert 1.0 <= lasted < 1.4
    assert stopped < 0.3
    # "Playing" ends when the microphone hears silence, give or take a block on either side.
    assert abs(early) < 0.15
    assert abs(stopped_early) < 0.15
    assert level == pytest.approx(0.5, abs=0.05)


def test_given_back_for_a_moment_it_goes_on_where_it_was(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker()
    speaker.play(np.full(100, 0.5, np.float32))
    seen: list[tuple[bool, bool]] = []
    speaker.renew(lambda: seen.append((card.streams[0].aborted, speaker.lost)))
    # Let go of, yet nothing that anybody has to be told.
    assert seen == [(True, False)]
    assert len(card.streams) == 2
    np.testing.assert_array_equal(card.streams[1].pull(100), np.full((100, 2), 0.5, np.float32))


def test_a_device_that_is_gone_when_it_is_wanted_back_is_lost(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker()
    speaker.renew(lambda: setattr(card, "present", False))
    assert speaker.lost
    assert not speaker.playing
    card.present = True
    watch.now += 5
    speaker.play(np.ones(10, np.float32))
    assert not speaker.lost


def test_once_closed_it_is_not_opened_again(card: FakeCard, watch: Watch) -> None:
    speaker = SoundDeviceLoudspeaker()
    speaker.close()
    speaker.renew(lambda: pytest.fail("nothing is to be looked for any more"))
    assert len(card.streams) == 1
