"""The microphone's edge: PortAudio played by a double, resampling and loss for real."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from narrator.ears import microphone
from narrator.ears.microphone import MicrophoneLost, SoundDeviceMicrophone
from narrator.faults import Fault


class PortAudioError(Exception):
    pass


class FakeSoundDevice(ModuleType):
    """A sound card of 48 kHz that plays a tone into the callback when asked to."""

    PortAudioError = PortAudioError

    def __init__(self, broken: bool = False) -> None:
        super().__init__("sounddevice")
        self.broken = broken
        self.closed = 0
        self.opened: dict[str, Any] = {}

    def query_devices(self, device: str | None, kind: str) -> dict[str, float]:
        if device == "gone":
            raise ValueError("No input device matching 'gone'")
        return {"default_samplerate": 48_000.0}

    def InputStream(self, **settings: Any) -> SimpleNamespace:  # noqa: N802
        if self.broken:
            raise PortAudioError("Invalid sample rate")
        self.opened = settings
        return SimpleNamespace(start=lambda: None, close=self._close)

    def _close(self, ignore_errors: bool) -> None:
        self.closed += 1

    def play(self, hertz: float, seconds: float) -> None:
        step = self.opened["blocksize"]
        time = np.arange(round(seconds * 48_000)) / 48_000
        tone = (10_000 * np.sin(2 * np.pi * hertz * time)).astype(np.int16)
        for start in range(0, len(tone), step):
            chunk = tone[start : start + step].reshape(-1, 1)
            self.opened["callback"](chunk, len(chunk), None, None)
            # PortAudio reuses its buffer as soon as the callback returns.
            chunk[:] = 0


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> FakeSoundDevice:
    fake = FakeSoundDevice()
    monkeypatch.setitem(sys.modules, "sounddevice", fake)
    monkeypatch.setattr(microphone, "PATIENCE", 0.05)
    return fake


def test_a_card_runs_at_its_own_rate_and_is_heard_at_ours(card: FakeSoundDevice) -> None:
    mic = SoundDeviceMicrophone()
    assert (card.opened["samplerate"], card.opened["blocksize"]) == (48_000, 960)
    card.play(1000, 1.0)
    blocks = [mic.read() for _ in range(45)]
    assert {(block.dtype, len(block)) for block in blocks} == {(np.dtype(np.int16), 320)}
    sound = np.concatenate(blocks[5:]).astype(np.float64)
    assert np.argmax(np.abs(np.fft.rfft(sound))) * 16_000 / len(sound) == pytest.approx(1000, abs=3)
    assert np.abs(sound).max() == pytest.approx(10_000, rel=0.02)


def test_a_card_that_falls_silent_is_lost_and_a_card_that_returns_is_heard(card: FakeSoundDevice) -> None:
    mic = SoundDeviceMicrophone()
    with pytest.raises(MicrophoneLost):
        mic.read()
    card.play(1000, 0.2)
    assert len(mic.read()) == 320


def test_closing_twice_is_no_error(card: FakeSoundDevice) -> None:
    mic = SoundDeviceMicrophone()
    mic.close()
    mic.close()
    assert card.closed == 1
    with pytest.raises(MicrophoneLost):
        mic.read()


def test_a_card_that_is_not_there_or_refuses_is_a_fault(card: FakeSoundDevice) -> None:
    with pytest.raises(Fault) as caught:
        SoundDeviceMicrophone("gone")
    assert (caught.value.key, caught.value.params["device"]) == ("no_microphone", "gone")
    card.broken = True
    with pytest.raises(Fault, match="no_microphone"):
        SoundDeviceMicrophone()


def test_without_portaudio_the_fault_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def find_spec(self, name: str, path: object, target: object = None) -> None:
            if name == "sounddevice":
                raise OSError("PortAudio library not found")

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(Fault, match="no_portaudio"):
        SoundDeviceMicrophone()
