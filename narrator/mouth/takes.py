"""From what a synthesiser says to a clip of the pack: cut, level, rate, Ogg Opus."""

from __future__ import annotations

import io

import numpy as np
import soundfile
import soxr

from narrator.mouth.clips import Clip, Samples
from narrator.mouth.levels import LOUDNESS, audible, levelled
from narrator.mouth.loudness import loudness

FORMAT = 2
"""Part of every clip's recipe: raise it when clips are cut or coded differently."""

RATE = 24_000
"""Samples a second of a clip."""

COMPRESSION = 0.968
"""Of libsndfile, 0 to 1: 14 kbit/s, the least at which Opus still codes up to 12 kHz."""

LEAD_SECONDS = 0.02
TAIL_SECONDS = 0.05
_FADE_SECONDS = 0.005
_SLACK_SECONDS = 0.05


def take(samples: Samples, rate: int) -> bytes:
    """Return what was said as an Ogg Opus file of the common loudness, with the same lead and tail for all.

    Raises ``ValueError`` when nothing is heard.
    """
    if rate != RATE:
        samples = soxr.resample(samples, rate, RATE).astype(np.float32)
    # What counts as silence depends on the level, and the level of something short on the silence around it.
    clip = _closely(_cut(levelled(_cut(levelled(Clip(samples, RATE))))))
    lost = LOUDNESS - loudness(decoded(encoded(clip)).samples, RATE)
    return encoded(Clip(clip.samples * np.float32(10 ** (lost / 20)), RATE))


def encoded(clip: Clip) -> bytes:
    """Return the clip as an Ogg Opus file."""
    buffer = io.BytesIO()
    with soundfile.SoundFile(
        buffer, "w", clip.rate, 1, format="OGG", subtype="OPUS", compression_level=COMPRESSION
    ) as file:
        file.write(clip.samples)
    return buffer.getvalue()


def decoded(data: bytes) -> Clip:
    """Return the sound of an Ogg Opus file."""
    samples, rate = soundfile.read(io.BytesIO(data), dtype="float32")
    return Clip(samples, int(rate))


def _closely(clip: Clip) -> Clip:
    """Cut off as well what was faint at the ends and the coding has swallowed."""
    heard = decoded(encoded(clip)).samples
    start, end = audible(heard)
    slack = round(_SLACK_SECONDS * clip.rate)
    if start <= slack + LEAD_SECONDS * clip.rate and len(heard) - end <= slack + TAIL_SECONDS * clip.rate:
        return clip
    return _around(clip, start, end)


def _cut(clip: Clip) -> Clip:
    return _around(clip, *audible(clip.samples))


def _around(clip: Clip, start: int, end: int) -> Clip:
    if start >= end:
        raise ValueError("nothing audible")
    lead, tail = round(LEAD_SECONDS * clip.rate), round(TAIL_SECONDS * clip.rate)
    around = np.concatenate([np.zeros(lead, np.float32), clip.samples, np.zeros(tail, np.float32)])
    cut = around[start : end + lead + tail].copy()
    fade = round(_FADE_SECONDS * clip.rate)
    ramp = np.linspace(0, 1, fade, dtype=np.float32)
    cut[:fade] *= ramp
    cut[-fade:] *= ramp[::-1]
    return Clip(cut, clip.rate)
