"""The acoustic network: a time-delay network from cepstra to state scores, three frames at a step."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from model_build.features import DIMENSION, Features
from model_build.phones import STATES

STRIDE = 3
"""Frames of features to one frame of scores."""

CONTEXT = 16
"""Frames of features that a score looks back and ahead."""

KERNELS = (5, 3, 3, 3, 3, 3, 3)
"""Frames that each layer joins; from the fourth on they lie three apart."""

SUBSAMPLED = 2
"""The layer (from 0) whose outputs are needed only every third frame."""

WIDTH = 256


class Network(nn.Module):
    """``width`` units a layer; every layer is affine → ReLU → batch normalisation."""

    mean: Tensor
    scale: Tensor

    def __init__(self, width: int = WIDTH, outputs: int = len(STATES)) -> None:
        super().__init__()
        sizes = [DIMENSION] + [width] * len(KERNELS)
        strides = [STRIDE if layer == SUBSAMPLED else 1 for layer in range(len(KERNELS))]
        self.affines = nn.ModuleList(
            nn.Conv1d(size, width, kernel, stride=stride)
            for size, kernel, stride in zip(sizes[:-1], KERNELS, strides, strict=True)
        )
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in KERNELS)
        self.output = nn.Conv1d(width, outputs, 1)
        self.register_buffer("mean", torch.zeros(DIMENSION, 1))
        self.register_buffer("scale", torch.ones(DIMENSION, 1))

    def forward(self, features: Tensor) -> Tensor:
        """Log posteriors (batch × states × steps) of ``features`` (batch × 40 × frames + 2 · ``CONTEXT``)."""
        hidden = (features - self.mean) * self.scale
        for affine, norm in zip(self.affines, self.norms, strict=True):
            hidden = norm(torch.relu(affine(hidden)))
        return torch.log_softmax(self.output(hidden), dim=1)


def steps(frames: int) -> int:
    """How many frames of scores belong to so many ``frames`` of features."""
    return -(-frames // STRIDE)


def padded(features: Features) -> Features:
    """``features`` with the first and the last frame repeated for the context, as the recogniser does."""
    before = np.repeat(features[:1], CONTEXT, axis=0)
    # The last step looks ahead from a frame that is at most two frames beyond the last one.
    after = np.repeat(features[-1:], CONTEXT + 2, axis=0)
    return np.concatenate([before, features, after])


@torch.no_grad()
def posteriors(network: Network, features: Features) -> Features:
    """Log posteriors (steps × states) of one utterance."""
    network.eval()
    wanted = steps(len(features))
    whole = torch.from_numpy(padded(features).T.copy()).unsqueeze(0)
    scores = network(whole)[0].T[:wanted]
    return np.asarray(scores.numpy(), np.float32)
