"""The clock of a table without a microphone: silent blocks at the pace of the wall clock."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from narrator.table.blocks import BLOCK, BLOCK_SECONDS


class WallClock:
    """A microphone that hears nothing, a block every 20 ms; monotonic: a changed clock doesn't matter."""

    def __init__(self) -> None:
        self._next = time.monotonic()
        self._silence = np.zeros(BLOCK, dtype=np.int16)

    def read(self) -> NDArray[np.int16]:
        """Wait for the next tick and return a silent block."""
        now = time.monotonic()
        # After a long stall (a suspended machine) go on from now, don't race through what was missed.
        self._next = max(self._next + BLOCK_SECONDS, now - 1.0)
        if self._next > now:
            time.sleep(self._next - now)
        return self._silence

    def close(self) -> None:
        """Nothing to close."""
