"""Which tone a short answer was said in: 四 and 七, 十 and 一, 二 and 八 differ in little else.

The recogniser itself hears no tones.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from narrator.ears.pitch import FRAMES_PER_SECOND, Contour, contour
from narrator.ears.sound import Block

FILE = "tones.npz"
"""The tone ear's file within the folder of a model."""

LONGER = 4
"""The class of what has more than one syllable; before it come the four tones, the first one at 0."""

CLASSES = 5

MELODY, COURSE, LOUDNESS = 10, 8, 8
"""Places at which the pitch of the whole answer, of its longest voiced stretch, and its level are taken."""

FEATURES = MELODY + COURSE + LOUDNESS + 6

_AUDIBLE = 25.0
"""Decibels below the loudest frame that a voice may be."""
_LOUD = 20.0
_PERIODIC = 0.4
_VOICED = 0.05
_FEWEST = 4
"""Frames of a voice, without which there is no tone."""
_PAUSE, _BREAK = 25, 3
"""Frames without a voice that part one answer from other sounds, and one voiced stretch from the next."""
_SEMITONES = 12.0


def features(sound: Block) -> NDArray[np.float64] | None:
    """What a tone is told from in ``sound`` (16 kHz), ``FEATURES`` numbers; ``None`` where no voice is."""
    whole = contour(sound)
    weights = np.clip(whole.likeness - _PERIODIC, 0, None) * (whole.level > whole.level.max() - _AUDIBLE)
    voiced = np.flatnonzero(weights > _VOICED)
    if len(voiced) < _FEWEST:
        return None
    answer = max(_parts(voiced, _PAUSE), key=lambda part: weights[part].sum())
    stretches = [part for part in _parts(answer, _BREAK) if len(part) > 2] or [answer]
    longest = max(stretches, key=lambda part: weights[part].sum())
    first, end = int(answer[0]), int(answer[-1]) + 1
    places = np.linspace(0, 1, end - first)
    loudness = np.interp(_centres(LOUDNESS), places, whole.level[first:end] - whole.level.max()) / 10
    loud = np.flatnonzero(whole.level > whole.level.max() - _LOUD)
    # Factors bring all of them to about the size of 1.
    spans = [
        2 * (end - first) / 40,
        2 * len(longest) / 40,
        len(stretches) / 2,
        2 * weights[first:end].mean(),
        (weights[first:end] > _VOICED).mean(),
        2 * (loud[-1] - loud[0]) / FRAMES_PER_SECOND,
    ]
    tunes = (_tune(whole, weights, answer, MELODY), _tune(whole, weights, longest, COURSE))
    return np.concatenate([*tunes, loudness, spans])


def _parts(frames: NDArray[np.intp], gap: int) -> list[NDArray[np.intp]]:
    """Frame numbers in order, parted where more than ``gap`` lie between two of them."""
    cuts = np.flatnonzero(np.diff(frames) > gap) + 1
    return [frames[begin:end] for begin, end in pairwise([0, *cuts, len(frames)])]


def _centres(count: int) -> NDArray[np.float64]:
    return (np.arange(count) + 0.5) / count


def _tune(
    whole: Contour, weights: NDArray[np.float64], part: NDArray[np.intp], count: int
) -> NDArray[np.float64]:
    """The pitch at ``count`` places of ``part``, in semitones above its mean."""
    own = slice(int(part[0]), int(part[-1]) + 1)
    octaves, weight = whole.octaves[own], weights[own]
    places = np.linspace(0, 1, len(octaves))
    near = np.exp(-0.5 * ((places - _centres(count)[:, None]) * count / 0.6) ** 2)
    near = near * weight + 1e-9
    semitones = _SEMITONES * (octaves - np.average(octaves, weights=weight))
    tune: NDArray[np.float64] = (near * semitones).sum(axis=1) / near.sum(axis=1)
    return tune


@dataclass(frozen=True, slots=True)
class ToneEar:
    """Some small networks of one hidden layer that say together how likely each tone is.

    Shapes: ``mean`` and ``scale`` features; ``inner`` networks × hidden × features; ``outer``
    networks × ``CLASSES`` × hidden; the biases without the last dimension.
    """

    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    inner: NDArray[np.float32]
    inner_bias: NDArray[np.float32]
    outer: NDArray[np.float32]
    outer_bias: NDArray[np.float32]

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read it; raises ``ValueError`` (or ``OSError``) for a file that holds something else."""
        names = ("mean", "scale", "inner", "inner_bias", "outer", "outer_bias")
        try:
            # Opened here, because a broken archive would be left open.
            with file.open("rb") as source, np.load(source, allow_pickle=False) as data:
                ear = cls(*(np.asarray(data[name], np.float32) for name in names))
        except (BadZipFile, EOFError, KeyError, AttributeError) as error:
            raise ValueError(f"{file} holds no tone ear") from error
        if ear.inner.shape[2:] != (FEATURES,) or ear.outer.shape[1:2] != (CLASSES,):
            raise ValueError(f"{file} holds a tone ear of another make")
        return ear

    def save(self, file: Path) -> None:
        """Write it."""
        np.savez_compressed(
            file,
            mean=self.mean,
            scale=self.scale,
            inner=self.inner,
            inner_bias=self.inner_bias,
            outer=self.outer,
            outer_bias=self.outer_bias,
        )

    def chances(self, told: NDArray[np.float64]) -> NDArray[np.float64]:
        """The chance of each class for the ``features`` of a sound; they add up to 1."""
        scaled = (told - self.mean) * self.scale
        hidden = np.maximum(self.inner @ scaled + self.inner_bias, 0)
        logits = np.einsum("nch,nh->nc", self.outer, hidden) + self.outer_bias
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances: NDArray[np.float64] = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
        return chances
