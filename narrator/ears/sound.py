"""The sound that the ears hear."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 16_000
"""Samples per second of everything the ears hear."""

BLOCK = 320
"""Samples in one block: 20 ms."""

Block = NDArray[np.int16]
"""Mono samples at 16 kHz."""
