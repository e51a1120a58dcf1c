"""How loud speech is to the ear: ITU-R BS.1770 (EBU R 128), also for clips shorter than its blocks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_BLOCK_SECONDS = 0.4
_STEP_SECONDS = 0.1
_ABSOLUTE_GATE = -70.0
_RELATIVE_GATE = -10.0


def loudness(samples: NDArray[np.float32], rate: int) -> float:
    """Return the gated loudness in LUFS of mono ``samples`` (-1 to 1); ``-inf`` when nothing is heard.

    A clip shorter than 400 ms, for which the standard has no answer, is one block of its own length.
    """
    weighted = _weighted(samples, rate)
    size = min(len(weighted), round(_BLOCK_SECONDS * rate))
    if not size:
        return -math.inf
    energy = np.concatenate([[0.0], np.cumsum(weighted**2)])
    starts = np.arange(0, len(weighted) - size + 1, round(_STEP_SECONDS * rate))
    powers = (energy[starts + size] - energy[starts]) / size
    for gate in (_ABSOLUTE_GATE, None):
        if gate is None:
            gate = _decibels(float(powers.mean())) + _RELATIVE_GATE
        powers = powers[powers > 10 ** ((gate + 0.691) / 10)]
        if not len(powers):
            return -math.inf
    return _decibels(float(powers.mean()))


def _decibels(power: float) -> float:
    return -0.691 + 10 * math.log10(power)


def _weighted(samples: NDArray[np.float32], rate: int) -> NDArray[np.float64]:
    """Return the samples as the head and the ear weigh them (the standard's K-weighting)."""
    # The filters' ringing needs room, or it would come back in at the start.
    size = len(samples) + round(0.1 * rate)
    turn = np.exp(-2j * np.pi * np.fft.rfftfreq(size))
    spectrum = np.fft.rfft(samples.astype(np.float64), size)
    for above, below in (_shelf(rate), _high_pass(rate)):
        spectrum *= np.polyval(above[::-1], turn) / np.polyval(below[::-1], turn)
    return np.fft.irfft(spectrum, size)[: len(samples)]


def _shelf(rate: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the first filter, 4 dB more above some 1.7 kHz, as coefficients of falling powers of time."""
    gain, quality = 10 ** (3.999843853973347 / 20), 0.7071752369554196
    middle = gain**0.4996667741545416
    k = math.tan(math.pi * 1681.974450955533 / rate)
    above = [gain + middle * k / quality + k * k, 2 * (k * k - gain), gain - middle * k / quality + k * k]
    below = [1 + k / quality + k * k, 2 * (k * k - 1), 1 - k / quality + k * k]
    return np.array(above), np.array(below)


def _high_pass(rate: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the second filter, which takes away what lies below some 40 Hz."""
    quality = 0.5003270373238773
    k = math.tan(math.pi * 38.13547087602444 / rate)
    scale = 1 + k / quality + k * k
    below = [1.0, 2 * (k * k - 1) / scale, (1 - k / quality + k * k) / scale]
    return np.array([1.0, -2.0, 1.0]), np.array(below)
