"""Earcons: the short sounds that mark a moment, composed here of a few struck and blown tones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from narrator.mouth.clips import Samples
from narrator.mouth.loudness import loudness


@dataclass(frozen=True, slots=True)
class _Timbre:
    """What a tone is made of.

    ``partials`` are (multiple of the pitch, level, seconds until it has died away to a third);
    ``attack`` is how long it swells, in seconds.
    """

    partials: tuple[tuple[float, float, float], ...]
    attack: float = 0.004


@dataclass(frozen=True, slots=True)
class _Note:
    """A tone: pitch in Hz, start and length in seconds, level beside the other notes."""

    hertz: float
    start: float
    length: float
    level: float = 1.0


@dataclass(frozen=True, slots=True)
class _Earcon:
    """Notes in one timbre, at a loudness in LUFS; speech is at -20."""

    timbre: _Timbre
    level: float
    notes: tuple[_Note, ...]


# A bar of wood: the second mode of a tuned one lies two octaves up and is gone at once.
_WOOD = _Timbre(((1.0, 1.0, 0.07), (3.93, 0.22, 0.02), (9.2, 0.05, 0.008)))
# A small bell, its partials slightly stretched.
_BELL = _Timbre(((1.0, 1.0, 0.28), (2.01, 0.35, 0.16), (3.03, 0.12, 0.08), (5.4, 0.04, 0.03)), attack=0.006)
# A soft reed, for what sinks or failed.
_REED = _Timbre(((1.0, 1.0, 0.35), (2.0, 0.3, 0.25), (3.0, 0.16, 0.15)), attack=0.03)

# One scale for all (C, D, E, G, A), so that no two of them ever quarrel.
_C4, _G4, _A4, _C5, _D5, _E5, _G5, _A5, _C6 = (
    *(261.6, 392.0, 440.0, 523.3, 587.3, 659.3, 784.0, 880.0, 1046.5),
)

_EARCONS: Mapping[str, _Earcon] = {
    # The microphone is open: a fourth upwards, like a question.
    "listen": _Earcon(_WOOD, -27.0, (_Note(_D5, 0.0, 0.11), _Note(_G5, 0.075, 0.12))),
    "understood": _Earcon(_BELL, -28.0, (_Note(_G5, 0.0, 0.25, 0.8), _Note(_C6, 0.09, 0.35))),
    "not_understood": _Earcon(_REED, -26.0, (_Note(_A4, 0.0, 0.2), _Note(_G4, 0.16, 0.32))),
    "warning": _Earcon(
        _WOOD, -22.0, (_Note(_E5, 0.0, 0.16), _Note(_E5, 0.2, 0.16), _Note(_A5, 0.4, 0.24, 0.9))
    ),
    # A quiet sign of life in a long silence.
    "tick": _Earcon(_WOOD, -36.0, (_Note(_C6, 0.0, 0.06),)),
    "nightfall": _Earcon(
        _REED,
        -25.0,
        (_Note(_A4, 0.0, 0.6), _Note(_G4, 0.35, 0.6), _Note(_C4, 0.7, 1.1, 1.2), _Note(_G4, 0.75, 0.9, 0.4)),
    ),
    "dawn": _Earcon(
        _BELL,
        -25.0,
        (_Note(_C5, 0.0, 0.7), _Note(_E5, 0.17, 0.7), _Note(_G5, 0.34, 0.8), _Note(_C6, 0.55, 1.1, 1.1)),
    ),
}


def names() -> tuple[str, ...]:
    """Return the names of all earcons."""
    return tuple(_EARCONS)


@cache
def earcon(name: str, rate: int) -> Samples:
    """Return the earcon as float32 samples at ``rate`` Hz, read-only; ``KeyError`` for an unknown name."""
    found = _EARCONS[name]
    mixed = np.zeros(round(max(note.start + note.length for note in found.notes) * rate))
    for note in found.notes:
        sound = _tone(note, found.timbre, rate)
        first = round(note.start * rate)
        mixed[first : first + len(sound)] += sound[: len(mixed) - first]
    samples: Samples = mixed.astype(np.float32)
    samples *= np.float32(10 ** ((found.level - loudness(samples, rate)) / 20))
    samples.flags.writeable = False
    return samples


def _tone(note: _Note, timbre: _Timbre, rate: int) -> np.ndarray:
    time = np.arange(round(note.length * rate)) / rate
    wave = np.zeros(len(time))
    for multiple, level, decay in timbre.partials:
        hertz = note.hertz * multiple
        # What a low rate can't carry would come back as a false tone.
        if hertz < 0.45 * rate:
            wave += level * np.exp(-time / decay) * np.sin(2 * np.pi * hertz * time)
    attack = np.clip(time / timbre.attack, 0.0, 1.0)
    release = np.clip((note.length - time) / (0.3 * note.length), 0.0, 1.0)
    # Half a cosine at either end leaves no corner to be heard as a click.
    return np.asarray(note.level * _eased(attack) * _eased(release) * wave)


def _eased(ramp: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 - 0.5 * np.cos(np.pi * ramp))
