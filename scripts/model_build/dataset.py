"""Utterances as training material: features with labels, in batches of like length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model_build.align import Labels, pieces, step_count
from model_build.augment import augmented
from model_build.features import SHIFT, WINDOW, Features, mfcc
from model_build.layout import LEFT, RIGHT, STRIDE
from model_build.processes import shared
from model_build.store import Utterance
from model_build.surroundings import surroundings

IGNORED = -100
"""The label of steps that only fill a batch."""

_PAUSE = 5
"""Steps of silence at which an utterance may be parted."""

Example = tuple[NDArray[np.float16], Labels]
"""Features (frames × 40) and labels (steps)."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """An utterance with the label of each step."""

    utterance: Utterance
    labels: Labels


def parted(aligned: Iterable[Aligned]) -> Iterator[Aligned]:
    """Long utterances parted at their pauses into what was said between them."""
    hop = SHIFT * STRIDE
    for one in aligned:
        sound, groups = one.utterance.sound, one.utterance.groups
        for begin, end, first, last in pieces(one.labels, groups, _PAUSE):
            # The last frames belong to the last step, however many there are.
            part = sound[begin * hop : len(sound) if last == len(groups) else end * hop + WINDOW - SHIFT]
            labels = one.labels[begin : begin + step_count(len(part))]
            yield Aligned(Utterance(part, groups[first:last], one.utterance.speaker), labels)


def plain(aligned: Sequence[Aligned]) -> list[Example]:
    """Examples of the utterances as they are."""
    return [(mfcc(one.utterance.sound).astype(np.float16), one.labels) for one in aligned]


def make_examples(aligned: Sequence[Aligned], seed: Sequence[int], workers: int) -> list[Example]:
    """One changed copy of each utterance, made by so many processes; their number changes nothing."""
    places = surroundings([one.utterance for one in aligned])

    def disturbed(number: int, part: Sequence[Aligned]) -> list[Example]:
        random = np.random.default_rng([*seed, number])
        changed = (augmented(one.utterance.sound, one.labels, random, places) for one in part)
        return [(mfcc(sound).astype(np.float16), labels) for sound, labels in changed]

    return shared(disturbed, aligned, workers)


def cached_examples(file: Path, make: Callable[[], list[Example]]) -> list[Example]:
    """What ``make`` gives, kept in ``file``."""
    if not file.is_file():
        examples = make()
        partial = file.with_suffix(".part")
        file.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as target:
            np.savez(
                target,
                features=np.concatenate([features for features, _ in examples]),
                labels=np.concatenate([labels for _, labels in examples]),
                frames=[len(features) for features, _ in examples],
                steps=[len(labels) for _, labels in examples],
            )
        partial.replace(file)
    with np.load(file) as data:
        features = np.split(data["features"], np.cumsum(data["frames"])[:-1])
        labels = np.split(data["labels"], np.cumsum(data["steps"])[:-1])
    return list(zip(features, labels, strict=True))


def batches(
    examples: Sequence[Example], frames: int, random: np.random.Generator
) -> Iterator[tuple[Tensor, Tensor]]:
    """One pass over ``examples`` in batches of about so many ``frames``, of like length, in random order."""
    usable = [number for number, (features, _) in enumerate(examples) if len(features) > STRIDE]
    order = sorted(usable, key=lambda number: len(examples[number][0]) + random.uniform(0, 20))
    groups: list[list[int]] = [[]]
    for number in order:
        if (len(groups[-1]) + 1) * len(examples[number][0]) > frames and groups[-1]:
            groups.append([])
        groups[-1].append(number)
    for place in random.permutation(len(groups)):
        yield collate([examples[number] for number in groups[int(place)]])


def collate(examples: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """A batch: features (count × 40 × frames with context) and labels (count × steps)."""
    longest = max(len(labels) for _, labels in examples)
    width = longest * STRIDE + LEFT + RIGHT
    features = np.zeros((len(examples), width, examples[0][0].shape[1]), np.float32)
    labels = np.full((len(examples), longest), IGNORED, np.int64)
    for row, (one, wanted) in enumerate(examples):
        end = LEFT + len(one)
        features[row, :LEFT] = one[0]
        features[row, LEFT:end] = one
        features[row, end:] = one[-1]
        labels[row, : len(wanted)] = wanted
    return torch.from_numpy(features.transpose(0, 2, 1).copy()), torch.from_numpy(labels)


def statistics(examples: Sequence[Example]) -> tuple[Features, Features]:
    """Mean and standard deviation of each feature."""
    sample = np.concatenate([features for features, _ in examples[:: max(1, len(examples) // 500)]])
    wide = sample.astype(np.float32)
    return wide.mean(axis=0), wide.std(axis=0)
