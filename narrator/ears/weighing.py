"""A short doubtful answer weighed by its sounds and by its tone together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrator.ears.grammar import UNKNOWN_WORD, Grammar
from narrator.ears.levelling import levelled
from narrator.ears.model import RecogniserModel
from narrator.ears.recogniser import readings
from narrator.ears.rehearing import THROATS, stretched
from narrator.ears.sound import Block
from narrator.ears.tones import CLASSES, LONGER, features
from narrator.pinyin import syllables, tone

MOST = 30
"""Readings of one sound that are held against one another."""

_UNKNOWN_LONGER = 0.9
"""The share of what is no answer that has more than one syllable; the tones of the rest are alike."""

_TRUST = 1.25
"""What the tone counts against the sounds: the exponent that made four people's tones most likely who are
neither trained on nor measured with."""

_FLOOR = 0.006
"""The least chance of any tone: people mispronounce, and a pitch may be followed wrongly."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """``text`` with its mean share of the hearings that agree; ``rivals`` are what others made of it."""

    text: str
    confidence: float
    rivals: tuple[str, ...]


def weigh(
    model: RecogniserModel,
    grammar: Grammar,
    sound: Block,
    sure: float,
    meanings: Mapping[str, Hashable] | None = None,
) -> Weighed | None:
    """What ``sound`` was, each reading weighed by the tone that was heard.

    Readings of the same meaning (五 and 五票) have one share together; by default every one has its own. When
    the largest is less than ``sure`` the sound is heard again as if by other throats. ``None`` when the model
    has no ear for tones, when there is no voice, or no reading.
    """
    tones = _tones(model, sound)
    if tones is None:
        return None
    first = _Shares(_shares(model, grammar, sound, tones), meanings or {})
    if not first.readings:
        return None
    text, share = first.best()
    if share >= sure:
        return Weighed(text, share, ())
    agreed: list[float] = [share]
    rivals: dict[str, None] = {}
    for factor in THROATS:
        again = _Shares(_shares(model, grammar, stretched(sound, factor), tones), meanings or {})
        if not again.readings:
            continue
        other, share = again.best()
        if first.meaning(other) == first.meaning(text):
            agreed.append(share)
        else:
            rivals[other] = None
    return Weighed(text, sum(agreed) / len(agreed), tuple(rivals))


@dataclass(frozen=True, slots=True)
class _Shares:
    """The share of each reading of a sound, and what they mean."""

    readings: Mapping[str, float]
    meanings: Mapping[str, Hashable]

    def meaning(self, text: str) -> Hashable:
        return self.meanings.get(text, text)

    def best(self) -> tuple[str, float]:
        """The likeliest meaning by its likeliest reading, and the share of all its readings."""
        together: dict[Hashable, float] = {}
        for text, share in self.readings.items():
            together[self.meaning(text)] = together.get(self.meaning(text), 0.0) + share
        best = max(together, key=together.__getitem__)
        texts = [text for text in self.readings if self.meaning(text) == best]
        return max(texts, key=self.readings.__getitem__), together[best]


def likelier(model: RecogniserModel, sound: Block, text: str) -> float:
    """How many times likelier the tone of ``sound`` makes ``text``, one syllable; 1 if it tells nothing."""
    tones, said = _tones(model, sound), tone(text)
    if tones is None or said is None:
        return 1.0
    return float((tones[said - 1] * CLASSES) ** _TRUST)


def _tones(model: RecogniserModel, sound: Block) -> NDArray[np.float64] | None:
    """The chance of each class of the tone ear; ``None`` without one, and where no voice is."""
    if model.tones is None:
        return None
    told = features(sound)
    if told is None:
        return None
    return _FLOOR + (1 - CLASSES * _FLOOR) * model.tones.chances(told)


def _shares(
    model: RecogniserModel, grammar: Grammar, sound: Block, tones: NDArray[np.float64]
) -> Mapping[str, float]:
    """The share of each reading of ``sound``; they add up to 1."""
    scores: dict[str, float] = {}
    for words, score in readings(model, grammar, levelled(sound), MOST):
        text = grammar.text(words)
        scores[text] = float(
            np.logaddexp(scores.get(text, -np.inf), score + _TRUST * np.log(_chance(text, tones)))
        )
    most = max(scores.values(), default=0.0)
    shares = {text: float(np.exp(score - most)) for text, score in scores.items()}
    return {text: share / sum(shares.values()) for text, share in shares.items()}


def _chance(text: str, tones: NDArray[np.float64]) -> float:
    """How well ``text`` fits the tone that was heard."""
    if UNKNOWN_WORD in text:
        others = (1 - tones[LONGER]) / (CLASSES - 1)
        return float(_UNKNOWN_LONGER * tones[LONGER] + (1 - _UNKNOWN_LONGER) * others)
    if len(syllables(text)) > 1:
        return float(tones[LONGER])
    said = tone(text)
    return float(tones[said - 1]) if said is not None else 1 / CLASSES
