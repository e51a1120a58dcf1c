"""Trains the acoustic network frame by frame on labelled examples."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from model_build.dataset import IGNORED, Example, batches, statistics
from model_build.layout import WIDTH
from model_build.network import Network
from model_build.phones import STATES

BATCH_FRAMES = 8_000
"""Frames of features in one step of training."""

SMOOTHING = 0.05

Report = Callable[[str], None]


def train(
    passes: Sequence[Callable[[], Sequence[Example]]],
    seed: int,
    report: Report,
    network: Network | None = None,
    rate: float = 3e-3,
    width: int = WIDTH,
    batch: int = BATCH_FRAMES,
    sweeps: int = 1,
) -> Network:
    """A network trained on each of ``passes`` in turn, the learning rate rising and falling once over all.

    Passes are called for when their turn comes and should be of like size; each is gone through ``sweeps``
    times, for making one takes a while too.
    """
    torch.manual_seed(seed)
    random = np.random.default_rng([seed, 31])
    examples = passes[0]()
    if network is None:
        network = Network(width)
        mean, deviation = statistics(examples)
        network.mean.copy_(torch.from_numpy(mean)[:, None])
        network.scale.copy_(1 / torch.from_numpy(deviation)[:, None])
    frames = len(passes) * sweeps * sum(len(features) for features, _ in examples)
    total = int(frames / batch * 1.15) + 2 * len(passes) * sweeps
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=total, pct_start=0.15)
    loss_of = nn.CrossEntropyLoss(ignore_index=IGNORED, label_smoothing=SMOOTHING)
    done, began = 0, time.monotonic()
    for number in range(1, len(passes) + 1):
        if number > 1:
            examples = passes[number - 1]()
        network.train()
        losses, right = [], []
        swept = itertools.chain.from_iterable(batches(examples, batch, random) for _ in range(sweeps))
        for features, labels in swept:
            # Half as many bits are enough for the products, and twice as fast; the weights keep all theirs.
            with torch.autocast("cpu", torch.bfloat16):
                scores = network(_masked(features, random))
            scores = scores[:, :, : labels.shape[1]].float()
            loss = loss_of(scores, labels)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            if done + 1 < total:
                schedule.step()
            done += 1
            losses.append(loss.item())
            right.append(_accuracy(scores, labels))
        spent = time.monotonic() - began
        report(
            f"pass {number} of {len(passes)}: loss {np.mean(losses):.3f}, steps right {np.mean(right):.1%}, "
            f"{done} of about {total} batches, {spent:.0f} s"
        )
    return network


def _masked(features: Tensor, random: np.random.Generator) -> Tensor:
    """``features`` with short stretches of time blanked out, so that no single cue is relied on."""
    if random.random() < 0.5:
        return features
    changed = features.clone()
    mean = features.mean(dim=2)
    for row in range(len(features)):
        length = int(random.integers(2, 10))
        start = int(random.integers(0, max(1, features.shape[2] - length)))
        changed[row, :, start : start + length] = mean[row][:, None]
    return changed


@torch.no_grad()
def _accuracy(scores: Tensor, labels: Tensor) -> float:
    # Silence is easy and long: only what is spoken counts.
    spoken = labels > 0
    return float((scores.argmax(dim=1)[spoken] == labels[spoken]).float().mean())


def priors(examples: Sequence[Example]) -> np.ndarray:
    """How frequent each output is among the labels of ``examples``."""
    counts = np.bincount(np.concatenate([labels for _, labels in examples]), minlength=len(STATES))
    return np.asarray(counts / counts.sum(), np.float32)
