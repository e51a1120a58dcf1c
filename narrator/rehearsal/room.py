"""A virtual room: one loudspeaker, one microphone, people around a table, and noise.

It plays both edges of the table at once, the microphone and the loudspeaker, faster than real time and
the same every time for the same seed.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self
from wave import Wave_write
from wave import open as open_wave

import numpy as np
from numpy.typing import NDArray

from narrator.table.blocks import BLOCK, BLOCK_SECONDS, RATE

Samples = NDArray[np.float32]

SPEECH_LEVEL = 10 ** (-26 / 20)
"""RMS of a voice at the microphone (full scale = 1)."""

LEAK_LEVEL = 10 ** (-20 / 20)
"""RMS of the narrator's own voice at the microphone: it stands closer than anybody."""

_NOISE_SECONDS = 20


def level(samples: Samples) -> float:
    """The RMS of the parts that are not silence; 0 for silence."""
    if not len(samples):
        return 0.0
    frames = samples[: len(samples) // BLOCK * BLOCK].reshape(-1, BLOCK)
    energy = (frames.astype(np.float64) ** 2).mean(axis=1)
    if not len(energy) or energy.max() <= 0:
        return 0.0
    return float(np.sqrt(energy[energy > energy.max() * 1e-3].mean()))


def at_level(samples: Samples, wanted: float) -> Samples:
    """The same sound at another RMS."""
    now = level(samples)
    if now <= 0:
        return samples
    return np.asarray(samples * (wanted / now), dtype=np.float32)


def room_response(rng: np.random.Generator, t60: float, direct: float) -> Samples:
    """A small room's impulse response: the direct sound and a decaying tail of ``t60`` seconds."""
    length = int(t60 * RATE)
    times = np.arange(length) / RATE
    tail = rng.standard_normal(length) * 10 ** (-3 * times / t60)
    tail[: int(0.002 * RATE)] = 0
    tail /= np.sqrt((tail**2).sum())
    response = tail * np.sqrt(1 - direct)
    response[0] = np.sqrt(direct)
    return np.asarray(response, dtype=np.float32)


def convolve(samples: Samples, response: Samples) -> Samples:
    """A sound as it arrives through a room response."""
    size = len(samples) + len(response) - 1
    spectrum = np.fft.rfft(samples, size) * np.fft.rfft(response, size)
    return np.asarray(np.fft.irfft(spectrum, size), dtype=np.float32)


def _pink_noise(rng: np.random.Generator, seconds: float) -> Samples:
    size = int(seconds * RATE)
    spectrum = np.fft.rfft(rng.standard_normal(size))
    frequencies = np.fft.rfftfreq(size, 1 / RATE)
    spectrum /= np.sqrt(np.maximum(frequencies, 60.0))
    noise = np.fft.irfft(spectrum, size)
    return np.asarray(noise / np.sqrt((noise**2).mean()), dtype=np.float32)


class _Track:
    """Sound that is still to come, from now on."""

    def __init__(self) -> None:
        self._samples: Samples = np.zeros(0, dtype=np.float32)

    def add(self, samples: Samples, start: int) -> None:
        """Mix in a sound that begins ``start`` samples from now."""
        self._reserve(start + len(samples))
        self._samples[start : start + len(samples)] += samples

    def take(self) -> Samples:
        """The next block."""
        self._reserve(BLOCK)
        block, self._samples = self._samples[:BLOCK], self._samples[BLOCK:]
        return block

    def clear(self) -> None:
        """Nothing more comes."""
        self._samples = self._samples[:0]

    def _reserve(self, length: int) -> None:
        missing = length - len(self._samples)
        if missing > 0:
            self._samples = np.concatenate([self._samples, np.zeros(missing, dtype=np.float32)])


class Room:
    """Microphone and loudspeaker of a table that is only computed.

    ``snr`` is the distance in dB between a voice's level and the noise at the microphone. ``rate`` is
    what the loudspeaker takes. Everything the microphone hears can be recorded to ``wav``.
    """

    rate = RATE

    def __init__(self, seed: int, snr: float, wav: Path | None = None) -> None:
        rng = np.random.default_rng(seed)
        self._noise = _pink_noise(rng, _NOISE_SECONDS) * np.float32(SPEECH_LEVEL * 10 ** (-snr / 20))
        self._leak = room_response(rng, 0.15, 0.8)
        # Two tracks: cutting the narrator short must not cut people short.
        self._voices = _Track()
        self._speech = _Track()
        self._left = 0
        self._blocks = 0
        self._wav: Wave_write | None = None
        if wav is not None:
            self._wav = open_wave(str(wav), "wb")  # noqa: SIM115 - closed by close()
            self._wav.setnchannels(1)
            self._wav.setsampwidth(2)
            self._wav.setframerate(RATE)

    @property
    def now(self) -> float:
        """Seconds of the room's own time."""
        return self._blocks * BLOCK_SECONDS

    # The loudspeaker

    def play(self, samples: Samples) -> None:
        """The narrator speaks; it leaks into the microphone."""
        leaked = convolve(samples * np.float32(LEAK_LEVEL / 0.1), self._leak)
        self._speech.add(leaked, self._left)
        self._left += len(samples)

    def stop(self) -> None:
        """Silence at once."""
        self._speech.clear()
        self._left = 0

    def bed(self, samples: Samples | None) -> None:
        """Rehearsed nights have no backdrop: it ends before anybody is listened to."""

    @property
    def playing(self) -> bool:
        """Whether the narrator is still heard."""
        return self._left > 0

    @property
    def lost(self) -> bool:
        """Nothing can be unplugged in a virtual room."""
        return False

    def advance(self, seconds: float) -> None:
        """The room moves by its microphone alone."""

    # The people

    def speak(self, samples: Samples, delay: float) -> float:
        """Somebody says something ``delay`` seconds from now; returns when it will have ended."""
        start = int(delay * RATE)
        self._voices.add(samples, start)
        return self.now + (start + len(samples)) / RATE

    def hush(self) -> None:
        """Whoever is still talking stops."""
        self._voices.clear()

    # The microphone

    def read(self) -> NDArray[np.int16]:
        """The next block: voices, the narrator's leaking voice, and noise."""
        place = (self._blocks * BLOCK) % (len(self._noise) - BLOCK)
        mixed = self._voices.take() + self._speech.take() + self._noise[place : place + BLOCK]
        self._left = max(0, self._left - BLOCK)
        self._blocks += 1
        block = (np.clip(mixed, -1, 1) * 32767).astype(np.int16)
        if self._wav is not None:
            self._wav.writeframesraw(block.tobytes())
        return block

    def close(self) -> None:
        """Finish the recording."""
        if self._wav is not None:
            self._wav.close()
            self._wav = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
