"""The shape of the acoustic network, for whoever trains, writes or checks it."""

from __future__ import annotations

STRIDE = 3
"""Frames of features to one step of scores; only the first layer looks at the frames in between."""

OFFSETS = (tuple(range(-4, 5)), *[(-3, 0, 3)] * 4, *[(-3, 0)] * 2)
"""The frames that each layer joins, relative to its own. The last two look back only: waiting costs time."""

LEFT = -sum(offsets[0] for offsets in OFFSETS)
"""Frames of features that a score looks back."""

RIGHT = sum(offsets[-1] for offsets in OFFSETS)
"""Frames of features that a score looks ahead."""

WIDTH = 384
"""Units of every layer."""
