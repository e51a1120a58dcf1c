"""Evens out what a synthesiser makes: no silence around a clip, and every clip equally loud."""

from __future__ import annotations

import math

import numpy as np

from narrator.mouth.clips import Clip, Samples, on_grid
from narrator.mouth.loudness import loudness

PAD_SECONDS = 0.015
LOUDNESS = -20.0
"""What every clip is brought to, in LUFS."""
PEAK = 0.95
AUDIBLE = 0.004
"""Samples below this share of full scale count as silence, in a clip of the common loudness."""


def audible(samples: Samples) -> tuple[int, int]:
    """Return where the sound begins and, one beyond, where it ends; ``(0, 0)`` when there is none."""
    loud = np.flatnonzero(np.abs(samples) > AUDIBLE)
    return (int(loud[0]), int(loud[-1]) + 1) if len(loud) else (0, 0)


def trimmed(clip: Clip) -> Clip:
    """Return the clip with the same short silence on both sides; ``ValueError`` when nothing is audible."""
    start, end = audible(clip.samples)
    if start == end:
        raise ValueError("nothing audible")
    pad = np.zeros(round(PAD_SECONDS * clip.rate), dtype=np.float32)
    return Clip(np.concatenate([pad, clip.samples[start:end], pad]), clip.rate)


def levelled(clip: Clip, volume: float = 1.0) -> Clip:
    """Return the clip at the common loudness times ``volume`` (0 to 1), quieter where its peak forbids it.

    Raises ``ValueError`` when nothing is audible.
    """
    now = loudness(clip.samples, clip.rate)
    if math.isinf(now):
        raise ValueError("nothing audible")
    gain = min(10 ** ((LOUDNESS - now) / 20), PEAK / float(np.abs(clip.samples).max())) * volume
    return Clip((clip.samples * np.float32(gain)).astype(np.float32), clip.rate)


def evened(clip: Clip, volume: float = 1.0) -> Clip:
    """Return the clip trimmed and at the common loudness times ``volume`` (0 to 1)."""
    short = levelled(trimmed(clip), volume)
    return Clip(on_grid(short.samples), clip.rate)
