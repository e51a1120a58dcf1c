"""A microphone that never stops the game: when the real one is lost, the wall clock ticks on."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from narrator.ears.microphone import Microphone, MicrophoneLost
from narrator.faults import Fault
from narrator.table.wallclock import WallClock

RETRY_SECONDS = 3.0


class SteadyMicrophone:
    """Reads from what ``open_`` gives; tries to open it again every 3 s after it was lost.

    ``told("microphone_lost")`` and ``told("microphone_back")`` are called once for each change.
    """

    def __init__(
        self,
        microphone: Microphone,
        open_: Callable[[], Microphone],
        told: Callable[[str], None],
        retry: float = RETRY_SECONDS,
    ) -> None:
        self._microphone: Microphone | None = microphone
        self._open = open_
        self._told = told
        self._retry = retry
        self._clock = WallClock()
        self._found: Microphone | None = None
        self._closed = threading.Event()

    def read(self) -> NDArray[np.int16]:
        """The next block, silent while the microphone is away."""
        if self._microphone is None and self._found is not None:
            self._microphone, self._found = self._found, None
            self._told("microphone_back")
        if self._microphone is not None:
            try:
                return self._microphone.read()
            except MicrophoneLost:
                self._lose()
        return self._clock.read()

    def close(self) -> None:
        """Let the device go and stop looking for it."""
        self._closed.set()
        for microphone in (self._microphone, self._found):
            if microphone is not None:
                microphone.close()

    def _lose(self) -> None:
        assert self._microphone is not None
        self._microphone.close()
        self._microphone = None
        self._clock = WallClock()
        self._told("microphone_lost")
        # Opening a device can take seconds; the table's clock must not wait for it.
        threading.Thread(target=self._look_for_it, name="microphone", daemon=True).start()

    def _look_for_it(self) -> None:
        while not self._closed.wait(self._retry):
            try:
                found = self._open()
            except Fault:
                continue
            self._found = found
            if self._closed.is_set():
                # Found too late: nobody reads from it any more.
                found.close()
            return
