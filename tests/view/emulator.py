"""A terminal that can be looked at: what a program writes becomes rows of letters."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping

import pyte


class Emulator:
    """An xterm of ``columns`` × ``rows`` cells; it keeps what has scrolled away."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self._screen = pyte.HistoryScreen(columns, rows, history=2_000, ratio=0.5)
        self._stream = pyte.ByteStream(self._screen)

    def feed(self, data: bytes) -> None:
        """What a program has written; the terminal driver turns line ends into carriage returns."""
        self._stream.feed(data)

    def resize(self, columns: int, rows: int) -> None:
        """Another size; what stands there is cut off, not broken into more rows."""
        self._screen.resize(rows, columns)

    @property
    def rows(self) -> list[str]:
        """What can be seen, without the empty rows at the end."""
        shown = [self._row(row) for row in map(self._screen.buffer.__getitem__, range(self._screen.lines))]
        while shown and not shown[-1]:
            shown.pop()
        return shown

    @property
    def everything(self) -> list[str]:
        """What has scrolled away, then what can be seen."""
        return [self._row(row) for row in self._screen.history.top] + self.rows

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column, from 0."""
        return self._screen.cursor.y, self._screen.cursor.x

    def _row(self, row: Mapping[int, pyte.screens.Char]) -> str:
        return "".join(row[column].data for column in range(self._screen.columns)).rstrip()


class TerminalGame:
    """``narrator play`` at an emulated terminal; the person can type, look and make the window smaller."""

    def __init__(self, *arguments: str, term: str = "xterm-256color", **environment: str) -> None:
        self.terminal = Emulator()
        self.raw = b""
        self.master, slave = os.openpty()
        self._size(80, 24)
        self.before = termios.tcgetattr(self.master)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "narrator", "play", "--mute", "--keyboard", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": term, "LANG": "C.UTF-8", **environment},
        )
        os.close(slave)

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def until(self, condition: Callable[[], bool], within: float = 60.0) -> None:
        """Read what the program writes until something is so."""
        latest = time.monotonic() + within
        while not condition():
            assert time.monotonic() < latest, "\n".join(self.terminal.everything)
            if not self._read(0.1) and self.process.poll() is not None:
                assert condition(), "\n".join(self.terminal.everything)

    def until_shown(self, *words: str) -> None:
        """Until every word stands somewhere on the terminal."""
        self.until(lambda: all(any(word in row for row in self.terminal.rows) for word in words))

    def until_left(self) -> int:
        """Until the program has left; its exit code."""
        self.until(lambda: self.process.poll() is not None and not self._read(0))
        return self.process.wait()

    def resize(self, columns: int, rows: int) -> None:
        self.terminal.resize(columns, rows)
        self._size(columns, rows)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65_536)
        except OSError:
            return False  # on Linux: nobody holds the terminal any more
        self.raw += data
        self.terminal.feed(data)
        return bool(data)
