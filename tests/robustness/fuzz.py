"""Inputs that nobody should ever give: none may crash or hang, and each refusal is one clear sentence.

A hundred thousand of them, reproducible, with figures as JSON::

    python tests/robustness/fuzz.py --inputs 100000 --seed 1

``TARGETS`` are the doors through which input comes in; each takes its turn. What is refused must be a
``Fault`` whose sentence exists in every language; anything else that is raised is a crash.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from unittest import mock

import file_doors
import journal_doors
import spoken_doors
from doors import TARGETS

from narrator.faults import Fault
from narrator.messages import LANGUAGES, catalogue, message

HANGS_AFTER = 10
"""Seconds of processor time for one input."""

DOORS = (spoken_doors, file_doors, journal_doors)
"""The modules that enter their doors in ``TARGETS``."""


class _HangError(BaseException):
    """An input took far too long."""


@dataclass
class Result:
    """What came of many inputs."""

    inputs: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: set[str] = field(default_factory=set)
    hangs: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)


def run(inputs: int, seed: int, only: str | None = None) -> Result:
    """Give so many inputs; the same seed gives the same ones."""
    result = Result()
    turns = [name for name, (share, _) in TARGETS.items() for _ in range(share) if only in (None, name)]
    with tempfile.TemporaryDirectory() as name, _watchdog():
        for number, door in enumerate(itertools.islice(itertools.cycle(turns), inputs)):
            give(door, random.Random(f"{seed}:{number}"), Path(name), f"{door} {seed}:{number}", result)
    return result


def give(door: str, rng: random.Random, folder: Path, label: str, result: Result) -> None:
    result.inputs[door] += 1
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS_AFTER)
    try:
        TARGETS[door][1](rng, folder)
    except Fault as fault:
        result.refused[door] += 1
        result.faults.add(fault.key)
        problem = unclear(fault)
        if problem:
            result.crashes.append(f"{label}: {problem}")
    except _HangError:
        result.hangs.append(label)
    except Exception:
        result.crashes.append(f"{label}: {traceback.format_exc(limit=-3)}")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def unclear(fault: Fault) -> str:
    """What is wrong with a fault's sentence, in any language: missing, not filled, or more than one line."""
    for language in LANGUAGES:
        with mock.patch.dict("os.environ", NARRATOR_LANG=language):
            sentence = message(fault.key, **fault.params)
        if fault.key not in catalogue(language) or sentence.startswith(fault.key):
            return f"{fault.key} ({language}) is missing or not filled: {sentence}"
        if "\n" in sentence.strip():
            return f"{fault.key} ({language}) has several lines: {sentence!r}"
    return ""


@contextmanager
def _watchdog() -> Iterator[None]:
    def bark(signum: int, frame: FrameType | None) -> None:
        raise _HangError

    before = signal.signal(signal.SIGVTALRM, bark)
    try:
        yield
    finally:
        signal.signal(signal.SIGVTALRM, before)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Give inputs that nobody should ever give.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=sorted(TARGETS))
    args = parser.parse_args()
    began = time.perf_counter()
    result = run(args.inputs, args.seed, args.only)
    figures = {
        "inputs": sum(result.inputs.values()),
        "crashes": len(result.crashes),
        "hangs": len(result.hangs),
        "by_door": {name: [count, result.refused[name]] for name, count in result.inputs.items()},
        "kinds_of_fault": len(result.faults),
        "seconds": round(time.perf_counter() - began),
    }
    print(json.dumps(figures, ensure_ascii=False, indent=2))
    alike = {problem.strip().rsplit("\n", 1)[-1]: problem for problem in result.crashes}
    for problem in (*alike.values(), *result.hangs):
        print(problem)
    return 1 if result.crashes or result.hangs else 0


if __name__ == "__main__":
    raise SystemExit(main())
