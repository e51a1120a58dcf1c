"""From an even guess to a good alignment: small networks that each align the speech for the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch

from model_build.align import Labels, flat, still, viterbi
from model_build.dataset import Aligned, make_examples, plain
from model_build.features import Features, mfcc
from model_build.network import Network, posteriors
from model_build.phones import FIRST_STATE, SILENCE
from model_build.processes import shared
from model_build.store import Utterance
from model_build.training import priors, train

Report = Callable[[str], None]
Aligner = tuple[Network, np.ndarray]
"""A network and how frequent its outputs are."""

SMALL = 128
"""Width of the networks that only align."""

BATCH = 4_000
"""Frames in one of their training steps: they have few."""

STARTING = 2000
"""Synthetic utterances in the first rounds: enough to find the sounds."""

WORST = 0.02
"""Share of the utterances left out because they fit worst what they are said to say."""

_CERTAIN = 50.0
"""Added to the score of silence where nothing can be heard."""

_PRIOR_WEIGHT = 0.7
_PRIOR_FLOOR = 1e-3


def first_alignment(utterances: Sequence[Utterance], seed: int, report: Report, workers: int) -> Aligner:
    """A small network taught by ``utterances``, whose sounds are first shared out evenly."""
    simple = [one for one in utterances if len(one.groups) == 1][:STARTING]
    guesses = [(one, flat(one)) for one in simple]
    aligned = [Aligned(one, labels) for one, labels in guesses if labels is not None]
    for number in range(2):
        examples = plain(aligned)
        network = train([partial(list, examples)] * 4, seed, report, width=SMALL, batch=BATCH)
        aligned = align_all((network, priors(examples)), simple, workers)
        report(f"synthetic speech aligned {number + 1} times: {len(aligned)} utterances")
    return _disturbed(aligned, [seed, 41], 2, report, workers)


def second_alignment(
    first: Aligner, utterances: Sequence[Utterance], rounds: int, seed: int, report: Report, workers: int
) -> list[Aligned]:
    """Everything aligned by networks that have heard everything, disturbed like the final one."""
    aligner = first
    for number in range(rounds):
        aligned = align_all(aligner, utterances, workers)
        report(f"all speech aligned {number + 1} times: {len(aligned)} of {len(utterances)} utterances")
        aligner = _disturbed(aligned, [seed, 42, number], 2, report, workers)
    aligned = align_all(aligner, utterances, workers)
    report(f"all speech aligned: {len(aligned)} of {len(utterances)} utterances")
    return aligned


def _disturbed(
    aligned: list[Aligned], seed: Sequence[int], passes: int, report: Report, workers: int
) -> Aligner:
    """A small network that has heard ``aligned`` through rooms, noise and other microphones."""
    first = make_examples(aligned, [*seed, 0], workers)
    later = [partial(make_examples, aligned, [*seed, number], workers) for number in range(1, passes)]
    network = train([lambda: first, *later], seed[0], report, width=SMALL, batch=BATCH)
    return network, priors(first)


def align_all(aligner: Aligner, utterances: Sequence[Utterance], workers: int) -> list[Aligned]:
    """Every utterance that fits what it says, aligned by ``aligner``; the worst fits are left out."""

    def fits(_: int, part: Sequence[Utterance]) -> list[tuple[Labels, float] | None]:
        return [_fit(aligner, one) for one in part]

    found = [
        (Aligned(one, fit[0]), fit[1])
        for one, fit in zip(utterances, shared(fits, utterances, workers), strict=True)
        if fit is not None
    ]
    least = np.quantile([score for _, score in found], WORST) if found else 0.0
    return [one for one, score in found if score >= least]


def _fit(aligner: Aligner, utterance: Utterance) -> tuple[Labels, float] | None:
    """Labels of ``utterance`` and how well it fits them; ``None`` if it is too short for what it says."""
    network, usual = aligner
    features = mfcc(utterance.sound)
    if not len(features):
        return None
    favour = _PRIOR_WEIGHT * np.log(np.maximum(usual, _PRIOR_FLOOR)).astype(np.float32)
    likely: Features = posteriors(network, features) - favour
    # A network that has yet to learn a voice would stretch its sounds over the pauses.
    likely[still(utterance), FIRST_STATE[SILENCE]] += _CERTAIN
    path = viterbi(likely, utterance.groups)
    if path is None:
        return None
    labels, score = path
    # Against the best any sounds could do, so that noisy recordings aren't blamed for their noise.
    return labels, score - float(likely.max(axis=1).mean())


def kept(file: Path, make: Callable[[], Aligner]) -> Aligner:
    """What ``make`` gives, kept in ``file``."""
    if not file.is_file():
        network, usual = make()
        torch.save({"network": network.state_dict(), "usual": torch.from_numpy(usual)}, file)
    data = torch.load(file, weights_only=True)
    network = Network(SMALL)
    network.load_state_dict(data["network"])
    return network, np.asarray(data["usual"].numpy(), np.float32)


def save(file: Path, aligned: Sequence[Aligned]) -> None:
    """Keep an alignment in ``file``."""
    partial = file.with_suffix(".part")
    with partial.open("wb") as target:
        np.savez(
            target,
            sound=np.concatenate([one.utterance.sound for one in aligned]),
            samples=[len(one.utterance.sound) for one in aligned],
            labels=np.concatenate([one.labels for one in aligned]),
            steps=[len(one.labels) for one in aligned],
            speakers=[one.utterance.speaker for one in aligned],
            said=["|".join(" ".join(group) for group in one.utterance.groups) for one in aligned],
        )
    partial.replace(file)


def load(file: Path) -> list[Aligned]:
    """The alignment kept in ``file``."""
    with np.load(file) as data:
        sounds = np.split(data["sound"], np.cumsum(data["samples"])[:-1])
        labels = np.split(data["labels"], np.cumsum(data["steps"])[:-1])
        speakers, said = data["speakers"], data["said"]
    groups = [tuple(tuple(group.split()) for group in str(text).split("|")) for text in said]
    return [
        Aligned(Utterance(sound, about, str(speaker)), steps)
        for sound, about, speaker, steps in zip(sounds, groups, speakers, labels, strict=True)
    ]
