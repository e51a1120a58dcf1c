"""The view at a terminal: what is said scrolls by, and below it stands where the game is."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.console import Console

from narrator.ears.voicing import level
from narrator.table.blocks import BLOCK_SECONDS
from narrator.table.view.board import Board
from narrator.table.view.foot import Foot
from narrator.table.view.panel import Look, Panel

REFRESH_SECONDS = 0.25
"""How often, by the table's clock, the view looks again; keys and lines are shown at once."""

_CLOSING_SECONDS = 1.0


class Keys(Protocol):
    """A keyboard whose line the view draws."""

    @property
    def shown(self) -> str:
        """What may be seen of the line being typed."""


class View:
    """Paints on a thread of its own: a terminal that hangs must not hold the game up."""

    def __init__(self, board: Board, panel: Panel, console: Console, lost: Callable[[], None]) -> None:
        self.keys: Keys | None = None
        self._board = board
        self._panel = panel
        self._console = console
        self._foot = Foot(console, lost)
        self._lines: deque[str] = deque()
        self._look = Look()
        self._heard: list[NDArray[np.int16]] = []
        self._news = threading.Event()
        self._closed = False
        self._overwritten = False
        self._painter = threading.Thread(target=self._paint_on, name="view", daemon=True)

    def start(self) -> None:
        """Begin to paint."""
        self._news.set()
        self._painter.start()

    def write(self, line: str) -> None:
        """Let a line stand above the view; may be called on any thread."""
        self._lines.append(line)
        self._news.set()

    def touch(self) -> None:
        """Have the line being typed drawn again; may be called on any thread."""
        self._news.set()

    def again(self) -> None:
        """Paint everything anew, below what somebody else has written."""
        self._overwritten = True
        self._news.set()

    def tick(self, block: NDArray[np.int16], listening: bool) -> None:
        """A block of the session's clock, on its thread; ``listening`` when it comes from a microphone."""
        self._heard.append(block)
        if len(self._heard) * BLOCK_SECONDS < REFRESH_SECONDS:
            return
        loudness = level(np.concatenate(self._heard)) if listening else None
        self._heard.clear()
        self._look = Look(self._board.facts(), loudness)
        self._news.set()

    def close(self) -> None:
        """Write what is left and take the view away."""
        self._closed = True
        self._news.set()
        if self._painter.is_alive():
            self._painter.join(_CLOSING_SECONDS)

    def paint(self) -> None:
        """Bring the terminal up to date."""
        if self._overwritten:
            self._overwritten = False
            self._foot.forget()
        lines = []
        while self._lines:
            lines.append(self._lines.popleft())
        typed = self.keys.shown if self.keys is not None else None
        look = Look(self._look.facts, self._look.level, typed)
        size = self._console.size
        rows = self._panel.rows(look, size.width, size.height)
        column = cell_len(rows[-1].plain) if typed is not None else 0
        if lines:
            self._foot.above(lines, rows, column)
        else:
            self._foot.paint(rows, column)

    def _paint_on(self) -> None:
        while not self._closed:
            self._news.wait()
            self._news.clear()
            self.paint()
        self.paint()
        self._foot.erase()
