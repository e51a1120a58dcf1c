"""The backdrop of a night: a soft sound, like rain far off, that covers a gesture's rustle."""

from __future__ import annotations

from functools import cache

import numpy as np

from narrator.mouth.clips import Samples
from narrator.mouth.loudness import loudness

LOUDNESS = -38.0
"""In LUFS: well below speech, which is at -20."""

SECONDS = 16.0
"""Length of the loop."""

_SWELLS = ((3, 0.22), (5, 0.13))
"""How often in a loop it swells, and by how much."""


@cache
def backdrop(rate: int) -> Samples:
    """Return one loop as float32 samples at ``rate`` Hz, read-only, that joins its own beginning."""
    size = round(SECONDS * rate)
    hertz = np.fft.rfftfreq(size, 1 / rate)
    random = np.random.default_rng(7)
    spectrum = random.standard_normal(len(hertz)) + 1j * random.standard_normal(len(hertz))
    # Pink between a room's rumble and a hiss. A sum of whole periods has no seam.
    shape = np.sqrt(100.0 / np.maximum(hertz, 100.0)) / (1 + (hertz / 3500.0) ** 4)
    shape[hertz < 60.0] = 0.0
    rain = np.fft.irfft(spectrum * shape, size)
    turn = 2 * np.pi * np.arange(size) / size
    rain *= 1 + sum(depth * np.sin(times * turn + times) for times, depth in _SWELLS)
    samples: Samples = rain.astype(np.float32)
    # Loud enough to be measured at all: the measure takes what is very quiet for silence.
    samples *= np.float32(0.01 / np.sqrt((samples**2).mean()))
    samples *= np.float32(10 ** ((LOUDNESS - loudness(samples, rate)) / 20))
    samples.flags.writeable = False
    return samples
