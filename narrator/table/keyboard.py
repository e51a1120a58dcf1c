"""The keyboard: whole lines, read beside the loop; secret ones are not echoed."""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
from typing import Any, Protocol, TextIO


class Keyboard(Protocol):
    """Where typed answers come from."""

    def poll(self) -> str | None:
        """The next typed line, or None when there is none yet."""

    def hide(self, hidden: bool) -> None:
        """Stop (or start again) echoing what is typed."""

    @property
    def closed(self) -> bool:
        """Whether nothing more can be typed."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class TypedLines:
    """Lines that a thread has read, for the loop to take; the thread ends them with None."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether the input has ended and every line was taken."""
        return self._closed

    def poll(self) -> str | None:
        """The next typed line without its line end, or None."""
        try:
            line = self._lines.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            self._closed = True
        return line


class TerminalKeyboard(TypedLines):
    """Reads lines from a terminal (or a pipe) on a thread of its own."""

    def __init__(self, stream: TextIO = sys.stdin) -> None:
        super().__init__()
        self._stream = stream
        self._restore: list[Any] | None = None
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def hide(self, hidden: bool) -> None:
        """Switch the terminal's echo; a pipe has none to switch."""
        if not self._stream.isatty():
            return
        import termios

        descriptor = self._stream.fileno()
        if hidden and self._restore is None:
            self._restore = termios.tcgetattr(descriptor)
            self.again()
        elif not hidden and self._restore is not None:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, self._restore)
            self._restore = None

    def again(self) -> None:
        """Hide once more what is to be hidden: a shell that had the terminal in between echoes."""
        if self._restore is None:
            return
        import termios

        # A terminal that is gone has no echo.
        with contextlib.suppress(termios.error):
            quiet = termios.tcgetattr(self._stream.fileno())
            quiet[3] &= ~termios.ECHO
            termios.tcsetattr(self._stream.fileno(), termios.TCSADRAIN, quiet)

    def close(self) -> None:
        """Leave the terminal as it was."""
        self.hide(False)

    def _read(self) -> None:
        try:
            for line in self._stream:
                self._lines.put(line.rstrip("\r\n"))
        except (OSError, ValueError):
            pass  # a terminal that closes is the end of the input
        finally:
            self._lines.put(None)
