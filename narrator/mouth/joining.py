"""Sets clips one after another so that they sound like one sentence: no click, no hole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from narrator.mouth.clips import Samples
from narrator.mouth.levels import audible

_FADE_SECONDS = 0.005
# The silence heard between two pieces, by what the first one ends with. Its falling tone has said already
# whether a sentence ends: more than an eighth of a second would be a hole.
_GAP_SECONDS = dict.fromkeys("。！？；", 0.115) | dict.fromkeys("，：", 0.09)
_PLAIN_GAP_SECONDS = 0.04


def joined(parts: Sequence[tuple[str, Samples]], rate: int) -> Samples:
    """Return the pieces (text, samples at ``rate`` Hz) as one sound.

    What lies between two pieces is counted from the last audible sample of the one to the first of the
    other: whatever near-silence they bring along is laid over each other.
    """
    placed: list[tuple[int, Samples]] = []
    place = 0
    for text, samples in parts:
        start, end = audible(samples)
        first = max(0, place - start)
        placed.append((first, _faded(samples, rate)))
        place = first + end + round(_GAP_SECONDS.get(text[-1:], _PLAIN_GAP_SECONDS) * rate)
    length = max((first + len(samples) for first, samples in placed), default=0)
    whole = np.zeros(length, dtype=np.float32)
    for first, samples in placed:
        whole[first : first + len(samples)] += samples
    return whole


def _faded(samples: Samples, rate: int) -> Samples:
    length = min(round(_FADE_SECONDS * rate), len(samples) // 2)
    ramp = np.linspace(0.0, 1.0, length, dtype=np.float32)
    faded = samples.copy()
    faded[:length] *= ramp
    faded[len(faded) - length :] *= ramp[::-1]
    return faded
