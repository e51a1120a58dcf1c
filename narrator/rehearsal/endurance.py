"""How fast an evening is written down, and how fast it comes back: the journal's figures on this disk."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from narrator.moderator.effects import Effect, Note
from narrator.moderator.evening import Secrets
from narrator.rehearsal.recording import Recording, record
from narrator.rules import ruleset as rulesets
from narrator.table.journal import Journal
from narrator.table.resume import revive

INPUTS = 1_000
"""The length of the evening that is written and resumed."""


def journal_figures(folder: Path, seed: int = 1) -> dict[str, Any]:
    """Write an evening of ``INPUTS`` inputs to a journal in ``folder``, leave it, and resume it.

    ``write_ms`` is what an input waits until it is safe on the disk, ``resume_s`` the time from the opened
    file to the question that is put again. The journal is removed afterwards.
    """
    recording = _long_evening(seed)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="bench-") as scratch:
        file = Path(scratch) / "narrator.db"
        with closing(Journal(file)) as journal:
            milliseconds = _write(journal, recording)
        with closing(Journal(file)) as journal:
            began = time.perf_counter()
            found = journal.unfinished()
            assert found is not None
            revive(found).moderator.resume_question()
            resumed = time.perf_counter() - began
    return {
        "inputs": INPUTS,
        "write_ms": {
            "p50": round(float(np.percentile(milliseconds, 50)), 2),
            "p95": round(float(np.percentile(milliseconds, 95)), 2),
        },
        "resume_s": round(resumed, 3),
    }


def _write(journal: Journal, recording: Recording) -> list[float]:
    journal.open_evening(recording.setup)
    _note(journal, recording.effects[0])
    milliseconds = []
    for event, effects in itertools.islice(zip(recording.inputs, recording.effects[1:], strict=True), INPUTS):
        began = time.perf_counter()
        journal.taken(event)
        milliseconds.append((time.perf_counter() - began) * 1000)
        _note(journal, effects)
    return milliseconds


def _note(journal: Journal, effects: Iterable[Effect]) -> None:
    for effect in effects:
        if isinstance(effect, Note):
            journal.noted(effect)


def _long_evening(seed: int) -> Recording:
    ruleset = rulesets.load("standard")
    for games in itertools.count(6):
        recording = record(ruleset, 12, Secrets.CODES, seed, noise=0.1, games=games)
        if len(recording.inputs) >= INPUTS:
            return recording
    raise AssertionError
