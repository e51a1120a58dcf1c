"""How long ``narrator play`` takes to its first word: the stopwatch in it, and the command that starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from narrator.faults import Fault
from narrator.moderator.effects import Say
from narrator.table.witness import Witness

OPTION = "--first-word"
"""The option of ``narrator play``, not for people, that ends it with its first word."""

RUNS = 5
"""How often it is started; once more before, so that the files are in memory."""

PATIENCE = 120.0
"""Seconds that a start may take at the most."""


class FirstWord(Witness):
    """Ends the program when the first sample of speech has been given to the loudspeaker.

    A line of JSON on standard output tells when that was: ``at`` by the system's monotonic clock, ``cpu`` the
    processor's seconds until then, ``spoken`` whether the line has sound; and what is ``there``.
    """

    def __init__(self, **there: bool) -> None:
        self._there = there

    def spoken(self, say: Say, text: str, silent: bool) -> NoReturn:
        """The first line begins."""
        moment = {"at": time.monotonic(), "cpu": time.process_time(), "spoken": not silent}
        print(json.dumps({**moment, **self._there}), flush=True)
        raise SystemExit(0)


def start_figures(options: Sequence[str], runs: int = RUNS) -> dict[str, Any]:
    """Start ``narrator play`` with ``options`` again and again, each time to its first word.

    ``first_word_s`` is from the start of the process to the first sample given to the loudspeaker, ``cpu_s``
    the processor's time until then. ``microphone`` and ``loudspeaker`` say whether there were any; where
    not, the wall clock and silence stand in for them. Games begun this way are kept nowhere.
    Raises ``Fault("bench_no_start")`` when no first word comes.
    """
    _start(options)
    moments = [_start(options) for _ in range(runs)]
    return {
        "runs": runs,
        "first_word_s": _summary([moment["seconds"] for moment in moments]),
        "cpu_s": _summary([moment["cpu"] for moment in moments]),
        **{name: all(moment[name] for moment in moments) for name in ("spoken", "microphone", "loudspeaker")},
    }


def _start(options: Sequence[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="narrator-bench-") as home:
        command = [sys.executable, "-m", "narrator", "play", "--new", OPTION, *options]
        began = time.monotonic()
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                env={**os.environ, "NARRATOR_HOME": home, "PYTHONIOENCODING": "utf-8"},
                timeout=PATIENCE,
                check=True,
            )
            moment: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        except subprocess.CalledProcessError as error:
            raise Fault("bench_no_start", why=_last(error.stderr)) from error
        except (subprocess.TimeoutExpired, ValueError, IndexError) as error:
            raise Fault("bench_no_start", why=error) from error
    # On Linux the monotonic clock is the same for all processes.
    return {**moment, "seconds": moment["at"] - began}


def _last(errors: str) -> str:
    lines = errors.strip().splitlines()
    return lines[-1] if lines else "?"


def _summary(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{rank}": round(float(np.percentile(seconds, rank)), 2) for rank in (50, 95)}
