"""The recogniser's features, exactly as Vosk computes them: 40 Kaldi cepstra every 10 ms."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float32]
"""Frames × 40 cepstra."""

DIMENSION = 40
RATE = 16_000
WINDOW = 400
SHIFT = 160
_PADDED = 512
_PREEMPHASIS = 0.97
_LIFTER = 22.0
_LOW, _HIGH = 20.0, RATE / 2 - 400.0

CONFIG = """\
--use-energy=false
--sample-frequency=16000
--num-mel-bins=40
--num-ceps=40
--low-freq=20
--high-freq=-400
--dither=0.0
"""
"""The same settings as the model's ``conf/mfcc.conf``."""


def mfcc(sound: NDArray[Any]) -> Features:
    """Cepstra of ``sound`` (samples in the range of 16-bit integers); only whole windows count."""
    count = 1 + (len(sound) - WINDOW) // SHIFT if len(sound) >= WINDOW else 0
    if count == 0:
        return np.zeros((0, DIMENSION), np.float32)
    samples = np.ascontiguousarray(sound, dtype=np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::SHIFT][:count]
    frames = frames - frames.mean(axis=1, keepdims=True)
    # Pre-emphasis takes the sample before; the first sample of a window stands in for its own.
    windowed = np.empty_like(frames)
    np.multiply(frames[:, :-1], np.float32(-_PREEMPHASIS), out=windowed[:, 1:])
    np.multiply(frames[:, 0], np.float32(-_PREEMPHASIS), out=windowed[:, 0])
    windowed += frames
    windowed *= _window()
    power = np.abs(np.fft.rfft(windowed, _PADDED, axis=1)).astype(np.float32) ** 2
    energies = np.maximum(power @ _mel_filters(), np.finfo(np.float32).eps)
    return np.asarray(np.log(energies) @ _cosines(), np.float32)


@lru_cache(maxsize=1)
def _window() -> Features:
    phase = 2 * np.pi * np.arange(WINDOW) / (WINDOW - 1)
    return np.asarray((0.5 - 0.5 * np.cos(phase)) ** 0.85, np.float32)


def _mel(hertz: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))


@lru_cache(maxsize=1)
def _mel_filters() -> Features:
    """Triangles on the mel scale: 257 powers × 40 filters."""
    edges = np.linspace(_mel(_LOW), _mel(_HIGH), DIMENSION + 2)
    # The bin of half the sampling rate belongs to no filter.
    bins = _mel(np.arange(_PADDED // 2) * RATE / _PADDED)[:, None]
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (bins - left) / (centre - left), (right - bins) / (right - centre)
    filters = np.maximum(np.minimum(rising, falling), 0.0)
    return np.concatenate([filters, np.zeros((1, DIMENSION))]).astype(np.float32)


@lru_cache(maxsize=1)
def _cosines() -> Features:
    """Cosine transform and lifter in one: 40 log energies × 40 cepstra."""
    row = np.arange(DIMENSION)
    transform = np.sqrt(2 / DIMENSION) * np.cos(np.pi / DIMENSION * np.outer(row, row + 0.5))
    transform[0] = np.sqrt(1 / DIMENSION)
    lifter = 1 + 0.5 * _LIFTER * np.sin(np.pi * row / _LIFTER)
    return np.asarray((transform * lifter[:, None]).T, np.float32)
