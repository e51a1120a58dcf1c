"""Work done ahead in a second process: the next pass is made ready while the network learns from this one."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

T = TypeVar("T")

# What the worker works on; set before it is forked, so that nothing large has to be sent to it.
_jobs: Sequence[Callable[[], object]] = ()


def _do(number: int) -> object:
    return _jobs[number]()


class Ahead(AbstractContextManager["Ahead[T]"], Generic[T]):
    """``jobs`` in order, each begun while the result of the one before it is being used."""

    def __init__(self, jobs: Sequence[Callable[[], T]]) -> None:
        global _jobs
        _jobs = jobs
        self._count = len(jobs)
        self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork"))
        self._begun: list[Future[object] | None] = []

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def results(self) -> list[Callable[[], T]]:
        """One call for each job that waits for its result; to be called in order, once each."""
        return [lambda number=number: self._result(number) for number in range(self._count)]  # type: ignore[misc]

    def _result(self, number: int) -> T:
        while len(self._begun) < min(number + 2, self._count):
            self._begun.append(self._pool.submit(_do, len(self._begun)))
        wanted = self._begun[number]
        assert wanted is not None, "a result is asked for twice"
        # Kept no longer than needed: a pass fills some hundred megabytes.
        self._begun[number] = None
        return wanted.result()  # type: ignore[return-value]
