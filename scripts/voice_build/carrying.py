"""A short text said in the middle of a longer one, and cut out of it again.

By itself Kokoro says a syllable or two without their tones (五号 rises where it should dip); within a run of
speech they are right, and between sentences set apart by dots it pauses.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from narrator.mouth.phonemes import phonemes
from narrator.mouth.reading import Stretch
from narrator.mouth.recipes import Carrier

Samples = NDArray[np.float32]

PAUSE = "... "
_TUNES = ("?", "!")
"""Marks whose tune only the end of a run has: nothing is said after these."""

_FRAME_SECONDS = 0.01
_SHORTEST_PAUSE = 6
"""Frames."""
_SILENT = -36.0
"""Decibels below the loudest frame."""
_LIKE_BEFORE = (0.8, 1.2)
"""How long the carrier may take the second time, in times of the first."""
_SYLLABLE_SECONDS = 0.15
"""The least that a syllable takes."""


def carried(reading: Sequence[Stretch], carrier: Carrier) -> tuple[str, int]:
    """Return the phonemes of a text within its carrier, and in how many parts they are said: two or three."""
    told = phonemes(reading)
    around = phonemes([Stretch(tuple((syllable,) for syllable in carrier.said), "")])
    if told.endswith(_TUNES):
        return f"{around}{PAUSE}{told}", 2
    return f"{around}{PAUSE}{told.rstrip(' ,.:;')}{PAUSE}{around}.", 3


def carried_part(samples: Samples, rate: int, parts: int, syllables: int) -> Samples | None:
    """Return the second of so many ``parts``, which has so many ``syllables``.

    ``None`` when no clear pauses tell where it begins and ends.
    """
    size = round(_FRAME_SECONDS * rate)
    count = len(samples) // size
    levels = np.sqrt(np.mean(samples[: count * size].reshape(count, size) ** 2, axis=1))
    voiced = np.flatnonzero(levels > levels.max(initial=1e-6) * 10 ** (_SILENT / 20))
    places = np.flatnonzero(np.diff(voiced) > _SHORTEST_PAUSE)
    pauses = [(int(voiced[place]) + 1, int(voiced[place + 1])) for place in places]
    if len(pauses) < parts - 1:
        return None
    first, last = int(voiced[0]), int(voiced[-1]) + 1
    (before, begin), (end, after) = pauses[0], pauses[-1]
    until = (end + after) // 2 * size
    if parts == 2:
        end, until = last, len(samples)
    # A pause within the text taken for one of the two would leave part of it with the carrier.
    elif not _LIKE_BEFORE[0] <= (last - after) / (before - first) <= _LIKE_BEFORE[1]:
        return None
    if (end - begin) * _FRAME_SECONDS < syllables * _SYLLABLE_SECONDS:
        return None
    return samples[(before + begin) // 2 * size : until]
