"""A quiet room for the recogniser: silence that isn't digital, sounds in a row, a listener fed with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from narrator.heard import Heard

RATE = 16_000

Speak = Callable[[str], NDArray[np.int16]]
"""Chinese text to speech at 16 kHz, without the silence around it."""


class Listener(Protocol):
    def feed(self, block: NDArray[np.int16], /) -> Heard | None: ...


def hush(seconds: float) -> NDArray[np.int16]:
    """A quiet room: noise at about -75 dB, the same every time."""
    noise = np.random.default_rng(7).standard_normal(round(seconds * RATE)) * 6
    return noise.astype(np.int16)


def after(*sounds: NDArray[np.int16]) -> NDArray[np.int16]:
    """The sounds one after another."""
    return np.concatenate(sounds)


def feed(listener: Listener, sound: NDArray[np.int16]) -> list[tuple[float, Heard]]:
    """Everything that ``listener`` hears in ``sound``, with the time in seconds at which it said so."""
    found: list[tuple[float, Heard]] = []
    for start in range(0, len(sound) - 319, 320):
        heard = listener.feed(sound[start : start + 320])
        if heard is not None:
            found.append((round((start + 320) / RATE, 3), heard))
    return found


def texts(found: Sequence[tuple[float, Heard]]) -> list[str]:
    """Just what was heard."""
    return [heard.text for _, heard in found]
