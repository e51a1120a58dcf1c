"""Whether numbers are drawn evenly, and independently of each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


def surprise(counts: Counts, expected: NDArray[np.float64], freedom: int) -> float:
    """How surprising the counts are, in standard deviations of a normal distribution (Wilson and Hilferty).

    Above 4 happens by chance about 3 times in 100,000, above 5 about 3 times in ten million.
    """
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def uneven(numbers: NDArray[np.int64], kinds: int) -> float:
    """How surprising it is that so many of each number from 0 on came out."""
    counts = np.bincount(numbers, minlength=kinds)
    return surprise(counts, np.full(kinds, len(numbers) / kinds), kinds - 1)


def dependent(ones: NDArray[np.int64], others: NDArray[np.int64], kinds: tuple[int, int]) -> float:
    """How surprising it is that the numbers came out in those pairs, whatever each is by itself."""
    first, second = kinds
    counts = np.bincount(ones * second + others, minlength=first * second).reshape(first, second)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    if 1 in counts.shape:
        return 0.0  # what never changes tells nothing
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(ones)
    return surprise(counts, expected, (counts.shape[0] - 1) * (counts.shape[1] - 1))
