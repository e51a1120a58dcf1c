"""A doubtful answer heard again as if by other throats: what is right stays, what is chance changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import soxr

from narrator.ears.grammar import Grammar
from narrator.ears.levelling import levelled
from narrator.ears.model import RecogniserModel
from narrator.ears.recogniser import Recogniser
from narrator.ears.sound import SAMPLE_RATE, Block

THROATS = (0.9, 1.1)
"""Stretchings of time: all resonances move by as much, as between larger and smaller people."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What one hearing made of the sound: a phrase (or words that are none), and how sure it was."""

    text: str
    confidence: float


def hear_again(model: RecogniserModel, grammar: Grammar, sound: Block) -> tuple[Hearing, ...]:
    """One hearing of ``sound`` for each of ``THROATS``; no words at all are an empty text of confidence 0."""
    return tuple(_hearing(model, grammar, stretched(sound, factor)) for factor in THROATS)


def _hearing(model: RecogniserModel, grammar: Grammar, sound: Block) -> Hearing:
    recogniser = Recogniser(model, grammar)
    recogniser.accept(levelled(sound))
    words = recogniser.final()
    return Hearing(
        grammar.text([word.text for word in words]), min((word.confidence for word in words), default=0.0)
    )


def stretched(sound: Block, factor: float) -> Block:
    """``sound`` as if by another throat: ``factor`` times as long, all its resonances lower by as much."""
    changed = soxr.resample(sound.astype(np.float32), SAMPLE_RATE * factor, SAMPLE_RATE)
    clipped: Block = np.clip(np.round(changed), -32768, 32767).astype(np.int16)
    return clipped
