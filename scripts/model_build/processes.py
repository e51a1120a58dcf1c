"""Work shared out among processes, one core each."""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

import torch

PART = 250
"""Things that one process works on at a time."""

T = TypeVar("T")
R = TypeVar("R")

# What the workers work on; set before they are forked, so that nothing large has to be sent to them.
_job: Callable[[int], list[Any]]


def _do(number: int) -> list[Any]:
    return _job(number)


def shared(job: Callable[[int, Sequence[T]], list[R]], things: Sequence[T], workers: int) -> list[R]:
    """What ``job`` makes of ``things``: it is given one part of them after another, each with its number.

    Parts are the same for any number of ``workers``.
    """
    global _job

    def part(number: int) -> list[R]:
        return job(number, things[number * PART : (number + 1) * PART])

    numbers = range(-(-len(things) // PART))
    if workers == 1:
        return list(itertools.chain.from_iterable(map(part, numbers)))
    _job = part
    context = multiprocessing.get_context("fork")
    # Numeric threads of several processes would wait for one another most of the time.
    with ProcessPoolExecutor(workers, context, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        return list(itertools.chain.from_iterable(pool.map(_do, numbers)))
