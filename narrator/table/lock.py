"""One program at a time: the lock beside the journal."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from narrator.faults import Fault
from narrator.table.schema import unwritable


class Lock:
    """Held until ``close``, or until the process ends in whatever way: what a killed one held is free.

    ``Fault("journal_in_use")`` names the file that another process has locked.
    """

    def __init__(self, file: Path) -> None:
        try:
            self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise unwritable(file, error) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._descriptor)
            raise Fault("journal_in_use", file=file) from error

    def close(self) -> None:
        """Let another process have it; the file stays, empty."""
        os.close(self._descriptor)
