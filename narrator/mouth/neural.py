"""The neural synthesisers themselves: text to samples. Only the worker process loads them."""

from __future__ import annotations

import os
from typing import Any, Protocol

import numpy as np

from narrator.mouth.clips import Samples
from narrator.mouth.engines import Engine, Kind
from narrator.mouth.phonemes import phonemes
from narrator.mouth.reading import Readings

_SLOWEST, _FASTEST = 0.5, 2.0
_THREADS = 2


class Speaker(Protocol):
    """A synthesiser that is loaded and waits for texts."""

    def say(self, text: str, speed: float) -> tuple[Samples, int]:
        """Return mono samples from -1 to 1 and their rate in Hz; ``speed`` multiplies the usual rate."""


class PiperSpeaker:
    """Piper, with a voice that reads text itself."""

    def __init__(self, engine: Engine) -> None:
        from piper import PiperVoice, SynthesisConfig

        self._settings = SynthesisConfig
        self._voice: Any = PiperVoice.load(str(engine.model))

    def say(self, text: str, speed: float) -> tuple[Samples, int]:
        """Say it sentence by sentence, joined."""
        settings = self._settings(length_scale=self._voice.config.length_scale / speed)
        chunks = list(self._voice.synthesize(text, settings))
        parts = [np.asarray(chunk.audio_float_array, np.float32) for chunk in chunks]
        samples = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        return samples, int(self._voice.config.sample_rate)


class KokoroSpeaker:
    """Kokoro, told by syllable and tone what to say: its own reading of Chinese knows neither."""

    def __init__(self, engine: Engine) -> None:
        import onnxruntime
        from kokoro_onnx import Kokoro

        options = onnxruntime.SessionOptions()
        # Threads that wait by spinning would take the recogniser's time.
        options.intra_op_num_threads = min(_THREADS, os.cpu_count() or 1)
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(str(engine.model), options, ["CPUExecutionProvider"])
        self._kokoro: Any = Kokoro.from_session(session, str(engine.styles))
        if engine.voice not in self._kokoro.get_voices():
            known = ", ".join(voice for voice in self._kokoro.get_voices() if voice.startswith("z"))
            raise ValueError(f"kokoro_voice = {engine.voice!r} ({known})")
        self._voice = engine.voice
        self._readings = Readings.load(engine.readings) if engine.readings else Readings.none()

    def say(self, text: str, speed: float) -> tuple[Samples, int]:
        """Say it; ``ValueError`` for what has no reading."""
        told = phonemes(self._readings.read(text))
        speed = min(_FASTEST, max(_SLOWEST, speed))
        samples, rate = self._kokoro.create(told, self._voice, speed, is_phonemes=True, trim=False)
        return np.asarray(samples, np.float32), int(rate)


def load(engine: Engine) -> Speaker:
    """Load a neural engine; whatever its library raises tells what is wrong with its files."""
    return PiperSpeaker(engine) if engine.kind is Kind.PIPER else KokoroSpeaker(engine)
