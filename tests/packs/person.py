"""Whoever records a voice: sits at the microphone and at the keyboard."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from narrator.ears.microphone import MicrophoneLost

RATE = 48_000
BLOCK = RATE // 50


class Person:
    """Speaks after each 'speak', and types what is listed.

    ``takes`` are (seconds, loudness from 0 to 1) of what is said at each take; after the last one the
    microphone is gone.
    """

    def __init__(self, takes: Sequence[tuple[float, float]], typed: Sequence[str]) -> None:
        self.rate = RATE
        self.shown: list[tuple[str, dict[str, object]]] = []
        self.closed = False
        self._takes = deque(takes)
        self._typed = deque(typed)
        self._speech: np.ndarray = np.zeros(0, np.float32)
        self._noise = np.random.default_rng(1)
        self._asked = False

    def show(self, key: str, **params: object) -> None:
        self.shown.append((key, params))
        self._asked = key.startswith("record_ask")
        if key == "record_speak":
            if not self._takes:
                raise MicrophoneLost
            seconds, loud = self._takes.popleft()
            time = np.arange(round(seconds * RATE)) / RATE
            voice = np.sin(2 * np.pi * 200 * time) * (1 + np.sin(2 * np.pi * 4 * time)) / 2
            self._speech = np.concatenate([np.zeros(RATE // 5), loud * voice]).astype(np.float32)

    def read(self) -> np.ndarray:
        block, self._speech = self._speech[:BLOCK], self._speech[BLOCK:]
        heard = np.zeros(BLOCK, np.float32)
        heard[: len(block)] = block
        hiss = 0.0005 * self._noise.standard_normal(BLOCK).astype(np.float32)
        return np.clip(heard + hiss, -1, 1).astype(np.float32)

    def poll(self) -> str | None:
        if not self._asked:
            return None
        if not self._typed:
            self.closed = True
            return None
        self._asked = False
        return self._typed.popleft()

    def hide(self, hidden: bool) -> None:
        """Nothing is secret here."""

    def close(self) -> None:
        """Nothing to close."""

    def keys(self) -> list[str]:
        return [key for key, _params in self.shown if key not in ("record_countdown", "record_speak")]
