"""What libraries write to standard error by themselves becomes lines of the view; it would tear it apart."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

_STANDARD_ERROR = 2
_CLOSING_SECONDS = 0.5


class StrayLines:
    """Turns the file descriptor of standard error aside: ALSA's remarks come from C code past ``sys.stderr``.

    ``write`` gets each line, on a thread of its own.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._kept = os.dup(_STANDARD_ERROR)
        reading, writing = os.pipe()
        os.dup2(writing, _STANDARD_ERROR)
        os.close(writing)
        self._reader = threading.Thread(target=self._read, args=(reading,), name="stray", daemon=True)
        self._reader.start()

    def close(self) -> None:
        """Let standard error go where it went before."""
        if self._kept < 0:
            return
        os.dup2(self._kept, _STANDARD_ERROR)
        os.close(self._kept)
        self._kept = -1
        # A process that was started meanwhile may hold the other end open for longer.
        self._reader.join(_CLOSING_SECONDS)

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                text = "".join(letter for letter in line if letter.isprintable())
                if text:
                    self._write(text)
