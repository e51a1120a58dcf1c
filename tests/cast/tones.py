"""Tones instead of voices: what a small cast says, and how to tell who said it."""

from __future__ import annotations

import numpy as np

from narrator.rehearsal.room import Samples
from narrator.table.blocks import RATE

TONES = {"过": 400.0, "三号": 700.0, "没有票": 1000.0}
"""What each voice has to say, and how high it sounds."""


def tone(hertz: float, seconds: float = 0.5) -> Samples:
    times = np.arange(round(seconds * RATE)) / RATE
    return (0.3 * np.sin(2 * np.pi * hertz * times)).astype(np.float32)


def pitch(samples: Samples) -> float:
    """The loudest frequency in hertz."""
    spectrum = np.abs(np.fft.rfft(samples))
    return float(np.argmax(spectrum) * RATE / len(samples))
