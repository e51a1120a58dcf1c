"""An utterance at the level the model was trained for: recognisers don't do it, and fail on quiet voices."""

from __future__ import annotations

import numpy as np

from narrator.ears.sound import Block

TARGET = 0.35
"""Where the loud samples go, as a share of full scale (-9 dB)."""

LOUD = 0.98
"""The quantile of the samples' size that counts as loud; a click is shorter."""

MOST = 128.0
"""Largest factor (42 dB): below that there is only noise to amplify."""


def gain(samples: Block) -> float:
    """The factor that brings ``samples`` to the target level; loud sound is softened as well."""
    loud = float(np.quantile(np.abs(samples.astype(np.float32)), LOUD)) if len(samples) else 0.0
    return min(TARGET * 32768 / max(loud, 1.0), MOST)


def amplified(samples: Block, factor: float) -> Block:
    """``samples`` times ``factor``, clipped to 16 bits."""
    return np.clip(np.round(samples * np.float32(factor)), -32768, 32767).astype(np.int16)


def levelled(samples: Block) -> Block:
    """``samples`` at the target level."""
    return amplified(samples, gain(samples))
