"""Being told to stop: the table hears a goodbye first."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol


class Leaver(Protocol):
    """A session, for one that is to be left."""

    def leave(self) -> None:
        """Stop in the middle, after a word to the table."""


class Departure:
    """SIGTERM and Ctrl-C make the session take its leave; the second one ends the program at once.

    ``signal`` is the one that came, 0 until then. ``session`` is the one to be left.
    """

    def __init__(self) -> None:
        self.signal = 0
        self.session: Leaver | None = None

    @property
    def exit_code(self) -> int:
        """As shells count: 128 + the signal."""
        return 128 + self.signal if self.signal else 0

    def called(self, signum: int, frame: FrameType | None) -> None:
        """A signal has come."""
        if self.signal or self.session is None:
            raise KeyboardInterrupt
        self.signal = signum
        self.session.leave()


@contextmanager
def departure() -> Iterator[Departure]:
    """Handle signals until the end of the block.

    A terminal that closes is no reason to leave (SIGHUP): who talks can play on without it, and where
    answers are typed its end is noticed by the keyboard.
    """
    leaving = Departure()
    before = {which: signal.signal(which, leaving.called) for which in (signal.SIGTERM, signal.SIGINT)}
    before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        yield leaving
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)


@contextmanager
def coming_back(again: Callable[[], None]) -> Iterator[None]:
    """Until the end of the block ``again`` is called when the program comes back from the background."""

    def continued(signum: int, frame: FrameType | None) -> None:
        again()

    before = signal.signal(signal.SIGCONT, continued)
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)


def show(line: str) -> None:
    """Print a line; when the terminal is gone, neither this line nor a later one is missed."""
    try:
        print(line, flush=True)
    except (OSError, ValueError):
        terminal_lost()


def terminal_lost() -> None:
    """The terminal is gone: from now on whatever is written goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
