"""How loud everything is: a gain in steps, the same for all clips; peaks that would clip are held down."""

from __future__ import annotations

import numpy as np

from narrator.mouth.clips import Samples
from narrator.mouth.levels import PEAK

STEP_DECIBELS = 3.0

_BLOCK_SECONDS = 0.01


def at_volume(samples: Samples, rate: int, step: int) -> Samples:
    """Return the samples ``step`` steps of 3 dB louder; the same samples at 0.

    However loud, no sample lies beyond the peak that every clip keeps to. Around a peak that would, the
    gain sinks and rises again within some hundredths of a second, which bends no wave out of shape.
    """
    if not step or not len(samples):
        return samples
    louder = (samples * np.float32(10 ** (STEP_DECIBELS * step / 20))).astype(np.float32)
    if np.abs(louder).max() <= PEAK:
        return louder
    size = round(_BLOCK_SECONDS * rate)
    blocks = -(-len(louder) // size)
    peaks = np.abs(np.pad(louder, (0, blocks * size - len(louder)))).reshape(blocks, size).max(axis=1)
    gains = np.minimum(1.0, PEAK / np.maximum(peaks, PEAK))
    # At a block's edges, so that it lies nowhere above what the block bears; held for a block on both sides.
    edges = np.lib.stride_tricks.sliding_window_view(np.pad(gains, 2, constant_values=1.0), 4).min(axis=1)
    gain = np.interp(np.arange(len(louder)), np.arange(blocks + 1) * size, edges)
    held: Samples = (louder * gain).astype(np.float32)
    return held
