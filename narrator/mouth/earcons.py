"""Earcons: the short sounds that mark a moment, made from a few sines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from narrator.mouth.clips import Samples


@dataclass(frozen=True, slots=True)
class _Note:
    """A tone: pitch in Hz, start and length in seconds, level 0 to 1; its last ``fade`` share dies away."""

    hertz: float
    start: float
    length: float
    level: float = 0.2
    fade: float = 0.7


_EARCONS: dict[str, tuple[_Note, ...]] = {
    # The microphone is open: two soft rising notes.
    "listen": (_Note(660, 0.0, 0.09), _Note(880, 0.07, 0.11)),
    "understood": (_Note(784, 0.0, 0.08, 0.15), _Note(1047, 0.06, 0.12, 0.15)),
    "not_understood": (_Note(392, 0.0, 0.12), _Note(330, 0.11, 0.17)),
    "warning": (_Note(587, 0.0, 0.12, 0.3), _Note(587, 0.18, 0.12, 0.3), _Note(587, 0.36, 0.16, 0.3)),
    # A quiet sign of life in a long silence.
    "tick": (_Note(1200, 0.0, 0.04, 0.08),),
    "nightfall": (_Note(440, 0.0, 0.5), _Note(349, 0.3, 0.6), _Note(262, 0.65, 0.9, 0.25)),
    "dawn": (_Note(523, 0.0, 0.45), _Note(659, 0.2, 0.5), _Note(784, 0.4, 0.8), _Note(1047, 0.6, 0.8, 0.1)),
}
_ATTACK_SECONDS = 0.008


def names() -> tuple[str, ...]:
    """Return the names of all earcons."""
    return tuple(_EARCONS)


@cache
def earcon(name: str, rate: int) -> Samples:
    """Return the earcon as float32 samples at ``rate`` Hz, read-only; ``KeyError`` for an unknown name."""
    notes = _EARCONS[name]
    mixed = np.zeros(round(max(note.start + note.length for note in notes) * rate))
    for note in notes:
        sound = _tone(note, rate)
        first = round(note.start * rate)
        mixed[first : first + len(sound)] += sound[: len(mixed) - first]
    samples: Samples = mixed.astype(np.float32)
    samples.flags.writeable = False
    return samples


def _tone(note: _Note, rate: int) -> np.ndarray:
    count = round(note.length * rate)
    time = np.arange(count) / rate
    # A little of the octave makes a sine sound less like a telephone.
    wave = np.sin(2 * np.pi * note.hertz * time) + 0.25 * np.sin(4 * np.pi * note.hertz * time)
    attack = np.minimum(1.0, time / _ATTACK_SECONDS)
    release = np.minimum(1.0, (note.length - time) / (note.length * note.fade))
    # Half a cosine at the end leaves no corner to be heard as a click.
    return note.level * attack * (0.5 - 0.5 * np.cos(np.pi * np.clip(release, 0.0, 1.0))) * wave
