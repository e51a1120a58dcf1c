"""The tone of the room check: a sweep through the speech band, as loud as the voices are recorded."""

from __future__ import annotations

import numpy as np

from narrator.mouth.clips import Samples

SECONDS = 0.8
"""Long enough to stand out of a room's noise, short enough to bear."""

LOW, HIGH = 180.0, 3800.0
"""Where it begins and ends, in Hz: the band in which a voice is looked for."""

LEVEL = -20.0
"""Its RMS in dB of full scale, that of the voices; it is played at the host's volume like them."""

_FADE_SECONDS = 0.03


def sweep(rate: int) -> Samples:
    """The tone as float32 samples at ``rate`` Hz; it rises by the same interval in every instant."""
    time = np.arange(round(SECONDS * rate)) / rate
    octaves = np.log(HIGH / LOW)
    wave = np.sin(2 * np.pi * LOW * SECONDS / octaves * np.expm1(time / SECONDS * octaves))
    # Without edges there is no click, which a cheap loudspeaker would ring from.
    ramp = np.clip(np.minimum(time, SECONDS - time) / _FADE_SECONDS, 0.0, 1.0)
    wave *= 0.5 - 0.5 * np.cos(np.pi * ramp)
    wave *= 10 ** (LEVEL / 20) / np.sqrt(np.mean(wave**2))
    return np.asarray(wave, dtype=np.float32)
