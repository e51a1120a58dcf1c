"""A room's response to the tone: when it came back, how loud, and how long it lingered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from narrator.ears.sound import SAMPLE_RATE, Block
from narrator.room.sweep import HIGH, LEVEL, LOW, sweep

BIN = 16
"""Samples in a bin of the response: 1 ms."""

_BIN_SECONDS = BIN / SAMPLE_RATE
_HEARD = 10.0
"""dB by which the first arrival stands above the median of the response; noise reaches 7."""
_FIRST = 10.0
"""The first arrival may lie so many dB below the strongest: where it is far, reflections add up."""
_SMOOTHED = 20
"""Bins over which the response is followed into the noise."""
_SHORTEST_NOISE = 50
"""Bins of noise that its level is taken from, at least."""

Response = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Echo:
    """One tone heard: ``delay`` in seconds from its first sample written, ``level`` in dB of full scale.

    ``decay`` tells in how many seconds its reverberation falls by a number of dB.
    """

    delay: float
    level: float
    decay: Decay


@dataclass(frozen=True, slots=True)
class Decay:
    """What is left of a sound, in dB, at every millisecond after its end (a falling curve from 0)."""

    curve: tuple[float, ...]

    def seconds(self, fall: float) -> float:
        """Seconds until it has fallen by ``fall`` dB, or for as long as it could be followed."""
        below = next((at for at, left in enumerate(self.curve) if left <= -fall), len(self.curve))
        return below * _BIN_SECONDS


def find_echo(sound: Block, played: int) -> Echo | None:
    """Look for the tone in ``sound`` (16 kHz), written at sample ``played``; None if it isn't heard.

    ``sound`` should begin some tenths of a second before ``played`` and last a second longer than the
    tone, for the delay and the reverberation.
    """
    samples = sound.astype(np.float64) / 32768
    tone = sweep(SAMPLE_RATE).astype(np.float64)
    response = _response(samples, tone)
    bins = _energy(response[: len(samples) - len(tone)])
    strongest = int(np.argmax(bins))
    if not bins[strongest] or bins[strongest] < np.median(bins) * 10 ** (_HEARD / 10):
        return None
    first = int(np.argmax(bins >= bins[strongest] * 10 ** (-_FIRST / 10)))
    if first * BIN < played - BIN:
        return None
    noise = _noise(bins, first)
    end = _lost_in_noise(bins, strongest, noise)
    kept = np.zeros_like(response)
    kept[max(0, (first - 3) * BIN) : end * BIN] = response[max(0, (first - 3) * BIN) : end * BIN]
    return Echo(
        delay=(_onset(response, first) - played) / SAMPLE_RATE,
        level=_level(kept, tone),
        decay=_decay(bins[first:end] - noise),
    )


def _response(samples: Response, tone: Response) -> Response:
    """The sound with the tone divided out: a pulse for every path from the loudspeaker to the microphone."""
    size = 1 << (len(samples) + len(tone)).bit_length()
    heard, played = np.fft.rfft(samples, size), np.fft.rfft(tone, size)
    power = np.abs(played) ** 2
    quotient = heard * np.conj(played) / (power + power.max() * 1e-4)
    return np.asarray(np.fft.irfft(quotient * _band(size), size))


def _band(size: int) -> Response:
    """The speech band with soft edges: hard ones would ring for longer than a small room does."""
    hertz = np.fft.rfftfreq(size, 1 / SAMPLE_RATE)
    rise = np.clip((hertz - LOW) / LOW, 0.0, 1.0)
    fall = np.clip((HIGH - hertz) / (0.2 * HIGH), 0.0, 1.0)
    return np.asarray(np.sin(np.pi / 2 * rise) ** 2 * np.sin(np.pi / 2 * fall) ** 2)


def _energy(response: Response) -> Response:
    whole = response[: len(response) // BIN * BIN].reshape(-1, BIN)
    return np.asarray((whole**2).sum(axis=1))


def _onset(response: Response, first: int) -> int:
    """The sample at which the first arrival peaks, around the bin ``first``."""
    start = max(0, (first - 1) * BIN)
    return start + int(np.argmax(np.abs(response[start : (first + 2) * BIN])))


def _noise(bins: Response, first: int) -> float:
    """Energy of the noise in a bin: before the tone came or long after it, whichever is less disturbed."""
    before, after = bins[: max(0, first - 10)], bins[-300:]
    found = [float(part.mean()) for part in (before, after) if len(part) >= _SHORTEST_NOISE]
    return min(found, default=0.0)


def _lost_in_noise(bins: Response, strongest: int, noise: float) -> int:
    """The bin from which the response is no more than noise."""
    after = bins[strongest:]
    smoothed = np.convolve(after, np.full(_SMOOTHED, 1 / _SMOOTHED), mode="valid")
    lost = np.flatnonzero(smoothed < 2 * noise)
    return strongest + (int(lost[0]) if len(lost) else len(after)) + 1


def _level(kept: Response, tone: Response) -> float:
    """RMS in dB of full scale of the tone as it came back, without the room's noise."""
    return LEVEL + _loudness(kept, tone) - _loudness_of_the_tone()


def _loudness(kept: Response, tone: Response) -> float:
    size = len(kept) + len(tone)
    spectrum = np.fft.rfft(kept, size) * np.fft.rfft(tone, size)
    heard = np.fft.irfft(spectrum, size)
    return 10 * float(np.log10(max(float((heard**2).sum()), 1e-12)))


@cache
def _loudness_of_the_tone() -> float:
    """What comes out for a room that changes nothing: the band's soft edges cost a little."""
    tone = sweep(SAMPLE_RATE).astype(np.float64)
    silence = np.zeros(SAMPLE_RATE)
    return _loudness(_response(np.concatenate([silence, tone, silence]), tone), tone)


def _decay(energy: Response) -> Decay:
    """Schroeder's integral: what of the energy is still to come."""
    left = np.maximum.accumulate(np.cumsum(energy[::-1]))[::-1]
    curve = 10 * np.log10(np.maximum(left / left[0], 1e-12)) if len(left) and left[0] > 0 else np.zeros(0)
    return Decay(tuple(float(value) for value in np.round(curve, 3)))
