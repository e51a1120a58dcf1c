"""The single clips: rendered once, kept in the work folder, found again as long as nothing changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile
import soxr
from speech_engines import kokoro
from speech_engines.kokoro import Kokoro

from cast_build.reading import reading
from cast_build.voices import CastVoice
from narrator.rehearsal.room import Samples, at_level
from narrator.table.blocks import RATE

LEVEL = 0.1
"""RMS of every clip's voice; full scale is 1."""

PAD_SECONDS = 0.02
"""Silence on both sides of a clip."""

_AUDIBLE = 0.02
_FADE_SECONDS = 0.01
# Raise it when clips are cut or levelled differently, so that old ones are made again.
_FORMAT = 1


def clip_file(folder: Path, voice: CastVoice, text: str, speed: float) -> Path:
    """Where a clip is kept; the name begins with what is said and changes with everything that shapes it."""
    recipe = f"{_FORMAT}\n{voice.recipe}\n{speed:.3f}\n{reading(text)}\n{kokoro.NETWORK_SHA256}"
    return folder / voice.name / f"{text}_{hashlib.sha256(recipe.encode()).hexdigest()[:10]}.flac"


def read_clip(file: Path) -> Samples:
    """A kept clip's samples at 16 kHz."""
    samples, _ = soundfile.read(file, dtype="float32")
    return np.asarray(samples, np.float32)


def render_clip(file: Path, engine: Callable[[], Kokoro], voice: CastVoice, text: str, speed: float) -> bool:
    """Make the clip unless it is there, whole or not at all; whether it had to be made."""
    if file.is_file():
        return False
    synthesiser = engine()
    wave = synthesiser.read(reading(text), synthesiser.style(voice.blend), speed)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    soundfile.write(partial, trimmed(wave), RATE, format="FLAC", subtype="PCM_16")
    partial.replace(file)
    return True


def trimmed(wave: Samples) -> Samples:
    """What the synthesiser said, at 16 kHz: cut to the voice, short fades and pads, at the common level."""
    sound = np.asarray(soxr.resample(wave, kokoro.RATE, RATE), np.float32)
    loud = np.flatnonzero(np.abs(sound) > _AUDIBLE * np.abs(sound).max())
    if not len(loud):
        raise ValueError("the synthesiser said nothing")
    fade = round(_FADE_SECONDS * RATE)
    start, end = max(0, loud[0] - fade), loud[-1] + 1 + 3 * fade
    voice = sound[start:end].copy()
    ramp = np.linspace(0, 1, fade, dtype=np.float32)
    voice[:fade] *= ramp
    voice[-fade:] *= ramp[::-1]
    pad = np.zeros(round(PAD_SECONDS * RATE), np.float32)
    return np.clip(at_level(np.concatenate([pad, voice, pad]), LEVEL), -0.98, 0.98)
