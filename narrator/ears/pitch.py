"""How a voice's pitch moves in a short utterance: by how much the sound is like itself a period later."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import soxr
from numpy.typing import NDArray

from narrator.ears.sound import SAMPLE_RATE, Block

Series = NDArray[np.float64]
"""One value for each frame of 10 ms."""

FRAMES_PER_SECOND = 100

_RATE = 8000
"""Samples a second that a pitch is looked for in: voices are loudest below 4 kHz."""
_LOWEST, _HIGHEST = 60.0, 420.0
"""Hertz."""
_HOP = _RATE // FRAMES_PER_SECOND
_WINDOW = 320
"""Samples (40 ms) that are compared with what follows them."""
_LAGS = np.arange(int(_RATE / _HIGHEST), int(_RATE / _LOWEST) + 2)
_SPAN = _WINDOW + int(_LAGS[-1])
_SIZE = 1024
_OCTAVES = np.log2(_RATE / _LAGS)
_LONG_LAG = 0.12
"""What the longest period loses against the shortest: two periods are as alike as one."""
_JUMP, _FARTHEST = 6.0, 1.25
"""What a step of one octave from frame to frame costs, and the most that any step costs."""
_SILENT = 1e-4
"""Share of the loudest frame's energy that hides likeness in frames without a voice."""


@dataclass(frozen=True, slots=True)
class Contour:
    """``octaves`` is the pitch (log2 of hertz), ``likeness`` (to 1) how periodic, ``level`` how loud (dB)."""

    octaves: Series
    likeness: Series
    level: Series


def contour(samples: Block) -> Contour:
    """The contour of mono ``samples`` at 16 kHz; frames without a voice have a pitch too, a chance one."""
    frames = _frames(samples)
    power = np.cumsum(np.pad(frames**2, ((0, 0), (1, 0))), axis=1)
    own = power[:, _WINDOW]
    later = power[:, _LAGS + _WINDOW] - power[:, _LAGS]
    heads = np.zeros_like(frames)
    heads[:, :_WINDOW] = frames[:, :_WINDOW]
    spectra = np.conj(np.fft.rfft(heads, _SIZE)) * np.fft.rfft(frames, _SIZE)
    floor = _SILENT * own.max() + 1e-9
    likeness = np.fft.irfft(spectra, _SIZE)[:, _LAGS] / np.sqrt((own[:, None] + floor) * (later + floor))
    path = _smoothest(1 - likeness * (1 - _LONG_LAG * _LAGS / _LAGS[-1]))
    rows = np.arange(len(frames))
    return Contour(
        octaves=np.log2(_RATE / (_LAGS[path] + _between(likeness, path))),
        likeness=likeness[rows, path],
        level=10 * np.log10(own / _WINDOW + 1e-9),
    )


def _frames(samples: Block) -> NDArray[np.float64]:
    wave = soxr.resample(samples.astype(np.float32), SAMPLE_RATE, _RATE).astype(np.float64)
    wave = np.pad(wave, (0, max(0, _SPAN + _HOP - len(wave))))
    frames = np.lib.stride_tricks.sliding_window_view(wave, _SPAN)[::_HOP]
    centred: NDArray[np.float64] = frames - frames.mean(axis=1, keepdims=True)
    return centred


def _smoothest(costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """The cheapest path through ``costs`` (frames × lags), where jumps in pitch cost too."""
    jumps = np.minimum(_JUMP * np.abs(_OCTAVES[:, None] - _OCTAVES), _FARTHEST)
    total = costs[0]
    came_from = np.zeros(costs.shape, np.intp)
    for frame in range(1, len(costs)):
        reached = total[:, None] + jumps
        came_from[frame] = reached.argmin(axis=0)
        total = reached.min(axis=0) + costs[frame]
    path = np.zeros(len(costs), np.intp)
    path[-1] = total.argmin()
    for frame in range(len(costs) - 1, 0, -1):
        path[frame - 1] = came_from[frame, path[frame]]
    return path


def _between(likeness: NDArray[np.float64], path: NDArray[np.intp]) -> Series:
    """Where the peak lies between the lags, in lags: of a parabola through it and its neighbours."""
    rows, inner = np.arange(len(path)), np.clip(path, 1, len(_LAGS) - 2)
    left, middle, right = (likeness[rows, inner + step] for step in (-1, 0, 1))
    curve = left - 2 * middle + right
    offset = np.divide(left - right, 2 * curve, out=np.zeros(len(path)), where=np.abs(curve) > 1e-9)
    return np.where(path == inner, np.clip(offset, -0.5, 0.5), 0.0)
