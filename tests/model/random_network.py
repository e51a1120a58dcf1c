"""A network of random weights, computed the slow and plain way, to compare the recogniser with."""

from __future__ import annotations

import numpy as np
from model_build.export import PRIOR_FLOOR  # type: ignore[import-not-found]
from model_build.features import mfcc  # type: ignore[import-not-found]
from model_build.layout import OFFSETS, STRIDE  # type: ignore[import-not-found]
from model_build.phones import STATES  # type: ignore[import-not-found]
from numpy.typing import NDArray

Array = NDArray[np.float32]

WIDTH = 24


def random_layers() -> list[tuple[Array, Array]]:
    """Weights and bias of each layer, scaled so that the scores differ by some units, as real ones do."""
    random = np.random.default_rng(4)
    sizes = [40, *[WIDTH] * len(OFFSETS)]
    layers = []
    for size, offsets in zip(sizes, OFFSETS, strict=False):
        inputs = size * len(offsets)
        scale = 0.05 if size == 40 else 1.5
        weight = random.normal(0, scale / np.sqrt(inputs), (WIDTH, inputs))
        layers.append((_as_stored(weight), random.normal(0, 0.1, WIDTH).astype(np.float32)))
    weight = random.normal(0, 2 / np.sqrt(WIDTH), (len(STATES), WIDTH))
    layers.append((_as_stored(weight), random.normal(0, 0.5, len(STATES)).astype(np.float32)))
    return layers


def _as_stored(weight: NDArray[np.float64]) -> Array:
    """``weight`` on the grid of 65,536 values between its extremes on which the model file keeps it."""
    grid = np.linspace(weight.min(), weight.max(), 65_536)
    places = np.round((weight - grid[0]) / (grid[1] - grid[0])).astype(int)
    return np.asarray(grid[places], np.float32)


def random_priors() -> Array:
    """Some outputs frequent, some rarer than the floor."""
    weights = np.random.default_rng(5).exponential(1, len(STATES)) ** 2
    return np.asarray(weights / weights.sum(), np.float32)


def likelihoods(sound: NDArray[np.int16]) -> Array:
    """What the network gives for each step of ``sound``: log posterior minus log prior, steps × outputs."""
    features = mfcc(sound)
    layers = random_layers()
    rows = [_row(layers, len(OFFSETS) - 1, features, frame, {}) for frame in range(0, len(features), STRIDE)]
    weight, bias = layers[-1]
    logits = np.array(rows) @ weight.T + bias
    posteriors = logits - np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1, keepdims=True))
    posteriors -= logits.max(1, keepdims=True)
    priors = np.maximum(random_priors(), PRIOR_FLOOR)
    return np.asarray(posteriors - np.log(priors / priors.sum()), np.float32)


def _row(
    layers: list[tuple[Array, Array]],
    layer: int,
    features: Array,
    frame: int,
    known: dict[tuple[int, int], Array],
) -> Array:
    """Output of ``layer`` (-1: the features) at one ``frame``; the first and last feature frames repeat."""
    if layer < 0:
        return np.asarray(features[min(max(frame, 0), len(features) - 1)])
    if (layer, frame) not in known:
        joined = [_row(layers, layer - 1, features, frame + offset, known) for offset in OFFSETS[layer]]
        weight, bias = layers[layer]
        before = _row(layers, layer - 1, features, frame, known) if layer else 0
        known[layer, frame] = np.maximum(before + weight @ np.concatenate(joined) + bias, 0)
    return known[layer, frame]
