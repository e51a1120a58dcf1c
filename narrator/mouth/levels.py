"""Evens out what the synthesiser makes: no silence around a clip, and every clip equally loud."""

from __future__ import annotations

import numpy as np

from narrator.mouth.clips import Clip, on_grid

PAD_SECONDS = 0.015
SPEECH_RMS = 0.12
PEAK = 0.95
_FRAME_SECONDS = 0.02
_AUDIBLE = 0.004


def trimmed(clip: Clip) -> Clip:
    """Return the clip with the same short silence on both sides; ``ValueError`` when nothing is audible."""
    loud = np.flatnonzero(np.abs(clip.samples) > _AUDIBLE)
    if not len(loud):
        raise ValueError("nothing audible")
    pad = np.zeros(round(PAD_SECONDS * clip.rate), dtype=np.float32)
    return Clip(np.concatenate([pad, clip.samples[loud[0] : loud[-1] + 1], pad]), clip.rate)


def speech_rms(clip: Clip) -> float:
    """Return the loudness of the voiced part, as the root mean square of its louder 20 ms frames."""
    frame = round(_FRAME_SECONDS * clip.rate)
    count = max(1, len(clip.samples) // frame)
    frames = np.resize(clip.samples, (count, frame)).astype(np.float64)
    power = (frames**2).mean(axis=1)
    return float(np.sqrt(power[power >= power.max() / 100].mean()))


def evened(clip: Clip, volume: float = 1.0) -> Clip:
    """Return the clip trimmed and at the common loudness times ``volume`` (0 to 1)."""
    short = trimmed(clip)
    gain = min(SPEECH_RMS / speech_rms(short), PEAK / float(np.abs(short.samples).max())) * volume
    return Clip(on_grid((short.samples * np.float32(gain)).astype(np.float32)), clip.rate)
