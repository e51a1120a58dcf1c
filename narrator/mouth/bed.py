"""A bed: a loop of sound under everything that is played, faded in and out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FADE_SECONDS = 0.2
"""Shorter than the silence kept before the microphone opens: nothing may sound while it is."""


class Bed:
    """Which samples lie there, and how far they have faded in."""

    def __init__(self) -> None:
        self._samples: NDArray[np.float32] | None = None
        self._wanted = False
        self._gain = 0.0
        self._place = 0

    def lay(self, samples: NDArray[np.float32] | None) -> None:
        """Want these samples, or silence; what lies there already goes on."""
        self._wanted = samples is not None
        if samples is not None and samples is not self._samples:
            self._samples, self._place, self._gain = samples, 0, 0.0

    def mix_into(self, out: NDArray[np.float32], rate: int) -> None:
        """Add the next frames of the loop to ``out``, of shape (frames, channels) at ``rate`` Hz."""
        if self._samples is None:
            return
        frames = len(out)
        step = (1 if self._wanted else -1) / (FADE_SECONDS * rate)
        gains = np.clip(self._gain + step * np.arange(1, frames + 1), 0.0, 1.0)
        places = (self._place + np.arange(frames)) % len(self._samples)
        out += (self._samples[places] * gains).astype(np.float32)[:, np.newaxis]
        self._gain, self._place = float(gains[-1]), int(places[-1]) + 1
        if not self._wanted and self._gain <= 0.0:
            self._samples = None
