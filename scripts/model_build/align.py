"""Which sound is heard when: alignments of utterances with what they say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model_build.features import RATE, SHIFT, WINDOW, Features
from model_build.layout import STRIDE
from model_build.phones import FIRST_STATE, SILENCE, states
from model_build.store import Utterance

Labels = NDArray[np.int16]
"""One network output for each step of 30 ms."""

_SILENCE = FIRST_STATE[SILENCE]
_QUIET = 30.0
"""Decibels below the loudest frame that count as silence at first."""

_STILL = 40.0
"""Decibels below the loudest step at which nobody speaks."""

_CLOSURE = 4
"""Steps: what is still for a shorter time may be the closure of a stop within a word."""


def step_count(samples: int) -> int:
    """Steps of the network in so many samples."""
    frames = 1 + (samples - WINDOW) // SHIFT if samples >= WINDOW else 0
    return -(-frames // STRIDE)


def flat(utterance: Utterance) -> Labels | None:
    """A first guess: the sounds share the loud part of ``utterance`` evenly; ``None`` if it is too short."""
    count = step_count(len(utterance.sound))
    outputs = [output for group in utterance.groups for syllable in group for output in states(syllable)]
    levels = _levels(utterance)
    if not len(levels):
        return None
    loud = np.flatnonzero(levels > levels.max() - _QUIET)
    first, last = int(loud[0]), int(loud[-1]) + 1
    if last - first < len(outputs):
        return None
    labels = np.full(count, _SILENCE, np.int16)
    spread = np.arange(last - first) * len(outputs) // (last - first)
    labels[first:last] = np.array(outputs, np.int16)[spread]
    return labels


def still(utterance: Utterance) -> NDArray[np.bool_]:
    """The steps in which certainly nothing is said: far below the loudest for longer than any closure."""
    levels = _levels(utterance)
    quiet = levels < levels.max(initial=0.0) - _STILL
    edges = np.flatnonzero(np.diff(np.concatenate([[0], quiet.astype(np.int8), [0]])))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        if end - begin < _CLOSURE:
            quiet[begin:end] = False
    return quiet


def _levels(utterance: Utterance) -> NDArray[np.float64]:
    """The level of each step in decibels."""
    power = utterance.sound.astype(np.float64) ** 2
    if len(power) < WINDOW:
        return np.zeros(0)
    steps = np.lib.stride_tricks.sliding_window_view(power, WINDOW)[:: SHIFT * STRIDE]
    return np.asarray(10 * np.log10(steps.mean(axis=1) + 1), np.float64)


def chain(groups: Sequence[Sequence[str]]) -> tuple[list[int], list[bool]]:
    """The outputs to pass through in order, and which of them (the silences) may be left out."""
    outputs, optional = [_SILENCE], [True]
    for group in groups:
        for syllable in group:
            outputs += states(syllable)
            optional += [False] * len(states(syllable))
        outputs.append(_SILENCE)
        optional.append(True)
    return outputs, optional


def viterbi(scores: Features, groups: Sequence[Sequence[str]]) -> tuple[Labels, float] | None:
    """The best path of ``groups`` through ``scores`` (steps × outputs, log) and its score a step.

    ``None`` if the utterance is too short for what it says.
    """
    outputs, optional = chain(groups)
    count, size = len(scores), len(outputs)
    if count < size - sum(optional):
        return None
    emitted = scores[:, outputs]
    skipping = np.flatnonzero(optional[1:-1]) + 2
    best = np.full(size, -np.inf)
    best[: 2 if optional[0] else 1] = emitted[0, : 2 if optional[0] else 1]
    moves = np.zeros((count, size), np.int8)
    # A place is reached from itself, from the one before it, or past one that may be left out.
    choices = np.full((3, size), -np.inf)
    for step in range(1, count):
        choices[0] = best
        choices[1, 1:] = best[:-1]
        choices[2, skipping] = best[skipping - 2]
        moves[step] = choices.argmax(axis=0)
        best = choices.max(axis=0) + emitted[step]
    place = size - 1 if best[-1] >= best[-2] else size - 2
    score = float(best[place])
    if not np.isfinite(score):
        return None
    labels = np.zeros(count, np.int16)
    for step in range(count - 1, -1, -1):
        labels[step] = outputs[place]
        place -= int(moves[step, place])
    return labels, score / count


def at_times(labels: Labels, seconds: NDArray[np.float64]) -> Labels:
    """The label at each of ``seconds``; silence outside."""
    places = np.round((seconds * RATE - WINDOW / 2) / (SHIFT * STRIDE)).astype(int)
    inside = (places >= 0) & (places < len(labels))
    return np.where(inside, labels[np.clip(places, 0, len(labels) - 1)], np.int16(_SILENCE)).astype(np.int16)


def pieces(labels: Labels, groups: Sequence[Sequence[str]], pause: int) -> list[tuple[int, int, int, int]]:
    """Where an utterance can be parted: first step, end step, first group, end group of each piece.

    It is parted in the middle of every silence between groups that lasts ``pause`` steps or more.
    """
    outputs, _ = chain(groups)
    closing = np.cumsum([1, *(1 + sum(len(states(syllable)) for syllable in group) for group in groups)]) - 1
    lengths = np.zeros(len(outputs), int)
    place, places = 0, []
    for label in labels:
        while outputs[place] != label:
            place += 1
        places.append(place)
        lengths[place] += 1
    found, begin, first = [], 0, 0
    for group in range(1, len(groups)):
        silence = int(closing[group])
        if lengths[silence] >= pause:
            cut = places.index(silence) + int(lengths[silence]) // 2
            found.append((begin, cut, first, group))
            begin, first = cut, group
    found.append((begin, len(labels), first, len(groups)))
    return found
