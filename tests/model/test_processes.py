"""Work is shared out among processes; how many there are changes nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
import pytest

pytest.importorskip("torch", reason="install scripts/model_build/requirements.txt to test the training")

from model_build.align import flat  # type: ignore[import-not-found]
from model_build.dataset import Aligned, make_examples  # type: ignore[import-not-found]
from model_build.processes import PART, shared  # type: ignore[import-not-found]
from model_build.store import Utterance  # type: ignore[import-not-found]

# Newer Pythons warn of any fork beside threads; these workers use none that existed before.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def test_results_come_in_order_from_processes_of_their_own() -> None:
    def job(number: int, part: Sequence[int]) -> list[tuple[int, int, int]]:
        return [(number, thing, os.getpid()) for thing in part]

    found = shared(job, range(2 * PART + 1), 2)
    assert [thing for _, thing, _ in found] == list(range(2 * PART + 1))
    assert [number for number, _, _ in found] == [0] * PART + [1] * PART + [2]
    assert os.getpid() not in {process for _, _, process in found}


def test_nothing_is_shared_out_to_nobody() -> None:
    assert shared(lambda number, part: [number], [], 2) == []


def test_any_number_of_processes_makes_the_same_examples() -> None:
    hum = (8_000 * np.sin(np.arange(8_000) * 0.1)).astype(np.int16)
    utterance = Utterance(hum, (("guo",),), "nobody")
    labels = flat(utterance)
    assert labels is not None
    aligned = [Aligned(utterance, labels)] * (PART + 2)
    one, two = (make_examples(aligned, [1, 2], workers) for workers in (1, 2))
    for (features, labels), (others, same) in zip(one, two, strict=True):
        assert np.array_equal(features, others)
        assert np.array_equal(labels, same)
    # Every copy is another one, in the second part too.
    assert not np.array_equal(one[0][0], one[PART][0])
