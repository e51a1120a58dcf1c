"""Recordings for the bench: silence, tones, and espeak-ng's voice."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

RATE = 16_000
VOICE = "cmn-latn-pinyin"

Samples = NDArray[np.float32]


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), np.float32)


def tone(seconds: float, amplitude: float = 0.3) -> Samples:
    times = np.arange(round(seconds * RATE)) / RATE
    return (amplitude * np.sin(2 * np.pi * 500 * times)).astype(np.float32)


def write(file: Path, *parts: Samples, rate: int = RATE) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(file, np.concatenate(parts), rate)
    return file


def say(file: Path, text: str) -> Path:
    """Let espeak-ng say something into a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["espeak-ng", "-v", VOICE, "-s", "150", "-w", str(file), text], check=True, timeout=30)
    return file


def spoken(folder: Path, text: str) -> tuple[Samples, int]:
    """espeak-ng's voice as samples, and their rate."""
    samples, rate = soundfile.read(say(folder / "spoken.wav", text), dtype="float32")
    return samples, rate
