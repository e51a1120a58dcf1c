"""A keyboard whose line is drawn by the view, so that what comes meanwhile doesn't tear it apart."""

from __future__ import annotations

import contextlib
import os
import termios
import threading
from collections.abc import Callable
from typing import Any

from narrator.table.keyboard import TypedLines
from narrator.table.view.editing import LineEditor


class EditedKeyboard(TypedLines):
    """Reads a terminal key by key and echoes nothing; ``changed`` is called, on a thread, after every key.

    ``entered`` gets each line that was typed in sight. Ctrl-C and Ctrl-Z work as ever.
    """

    def __init__(self, descriptor: int, changed: Callable[[], None], entered: Callable[[str], None]) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._changed = changed
        self._entered = entered
        self._lock = threading.Lock()
        self._editor = LineEditor()
        self._before: list[Any] | None = termios.tcgetattr(descriptor)
        self.again()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    @property
    def shown(self) -> str:
        """What may be seen of the line being typed."""
        with self._lock:
            return self._editor.shown

    def hide(self, hidden: bool) -> None:
        """Keep what is typed from sight, or show it again."""
        with self._lock:
            self._editor.hidden = hidden
        self._changed()

    def again(self) -> None:
        """Read key by key once more: a shell that had the terminal in between reads and echoes lines."""
        if self._before is None:
            return
        # A terminal that is gone has nothing to set.
        with contextlib.suppress(termios.error):
            keys = termios.tcgetattr(self._descriptor)
            # Not IXON either: a view that is stopped by Ctrl-S looks like a game that hangs.
            keys[0] &= ~termios.IXON
            keys[3] &= ~(termios.ICANON | termios.ECHO)
            keys[6][termios.VMIN], keys[6][termios.VTIME] = 1, 0
            # What was typed until now stays: it is read as the first keys.
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, keys)

    def close(self) -> None:
        """Leave the terminal as it was."""
        before, self._before = self._before, None
        if before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, before)

    def _read(self) -> None:
        try:
            while data := os.read(self._descriptor, 1024):
                with self._lock:
                    seen = not self._editor.hidden
                    lines = self._editor.feed(data)
                    ended = self._editor.closed
                for line in lines:
                    if seen and line.strip():
                        self._entered(line)
                    self._lines.put(line)
                self._changed()
                if ended:
                    break
        except OSError:
            pass  # a terminal that closes is the end of the input
        self._lines.put(None)
