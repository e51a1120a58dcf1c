"""The acoustic network: a time-delay network from cepstra to state scores, three frames at a step."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from model_build.features import DIMENSION, Features
from model_build.layout import LEFT, OFFSETS, RIGHT, STRIDE, WIDTH
from model_build.phones import STATES


class Network(nn.Module):
    """``width`` units a layer; a layer adds to the one before it: affine → normalisation → sum → ReLU."""

    mean: Tensor
    scale: Tensor

    def __init__(self, width: int = WIDTH, outputs: int = len(STATES)) -> None:
        super().__init__()
        sizes = [DIMENSION] + [width] * len(OFFSETS)
        self.affines = nn.ModuleList(
            # After the first layer there is one frame left of three, so neighbours lie three frames apart.
            nn.Conv1d(size, width, len(offsets), stride=STRIDE if layer == 0 else 1, bias=False)
            for layer, (size, offsets) in enumerate(zip(sizes[:-1], OFFSETS, strict=True))
        )
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in OFFSETS)
        self.output = nn.Conv1d(width, outputs, 1)
        self.register_buffer("mean", torch.zeros(DIMENSION, 1))
        self.register_buffer("scale", torch.ones(DIMENSION, 1))

    def forward(self, features: Tensor) -> Tensor:
        """Log posteriors (batch × states × steps) of ``features`` (batch × 40 × frames with context)."""
        hidden = (features - self.mean) * self.scale
        for layer, (affine, norm, offsets) in enumerate(zip(self.affines, self.norms, OFFSETS, strict=True)):
            change = norm(affine(hidden))
            if layer > 0:
                before, after = -offsets[0] // STRIDE, offsets[-1] // STRIDE
                change = change + hidden[:, :, before : hidden.shape[2] - after]
            hidden = torch.relu(change)
        return torch.log_softmax(self.output(hidden).float(), dim=1)


def steps(frames: int) -> int:
    """How many frames of scores belong to so many ``frames`` of features."""
    return -(-frames // STRIDE)


def padded(features: Features) -> Features:
    """``features`` with the first and the last frame repeated for the context, as the recogniser does."""
    before = np.repeat(features[:1], LEFT, axis=0)
    # The last step looks ahead from a frame that is at most two frames beyond the last one.
    after = np.repeat(features[-1:], RIGHT + 2, axis=0)
    return np.concatenate([before, features, after])


@torch.no_grad()
def posteriors(network: Network, features: Features) -> Features:
    """Log posteriors (steps × states) of one utterance."""
    network.eval()
    wanted = steps(len(features))
    whole = torch.from_numpy(padded(features).T.copy()).unsqueeze(0)
    scores = network(whole)[0].T[:wanted]
    return np.asarray(scores.numpy(), np.float32)
