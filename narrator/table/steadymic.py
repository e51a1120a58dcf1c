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

    ``not_found``, called after every try in vain, may see to it that the next one finds more devices. The
    microphone may be exchanged for another one (``release``, ``adopt``). ``told("microphone_lost")`` and
    ``told("microphone_back")`` are called once for each change.
    """

    def __init__(
        self,
        microphone: Microphone,
        open_: Callable[[], Microphone],
        told: Callable[[str], None],
        retry: float = RETRY_SECONDS,
        not_found: Callable[[], None] = lambda: None,
    ) -> None:
        self._microphone: Microphone | None = microphone
        self._open = open_
        self._told = told
        self._retry = retry
        self._not_found = not_found
        self._clock = WallClock()
        self._found: Microphone | None = None
        self._away = False
        self._closed = False
        self._lock = threading.Lock()
        self._given_up = threading.Event()
        self._search: threading.Thread | None = None

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

    def release(self) -> None:
        """Let the device go, for others to try it; blocks are silent until ``adopt``.

        Waits until a try that is being made is over: nobody else touches a device afterwards.
        """
        self._let_go()
        if self._search is not None:
            self._search.join()
            self._search = None
        self._microphone = self._found = None
        self._away = True
        self._clock = WallClock()

    def adopt(self, open_: Callable[[], Microphone]) -> None:
        """Read from what ``open_`` gives from now on; while it can't be opened it counts as lost."""
        if not self._away:
            self.release()
        self._away = False
        self._open = open_
        try:
            self._microphone = open_()
        except Fault:
            self._look()

    def close(self) -> None:
        """Let the device go and stop looking for it."""
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        with self._lock:
            self._given_up.set()
        for microphone in (self._microphone, self._found):
            if microphone is not None:
                microphone.close()

    def _lose(self) -> None:
        assert self._microphone is not None
        self._microphone.close()
        self._microphone = None
        self._look()

    def _look(self) -> None:
        self._clock = WallClock()
        self._told("microphone_lost")
        if self._closed:
            return
        self._given_up = threading.Event()
        # Opening a device can take seconds; the table's clock must not wait for it.
        self._search = threading.Thread(
            target=self._look_for_it, args=(self._open, self._given_up), name="microphone", daemon=True
        )
        self._search.start()

    def _look_for_it(self, open_: Callable[[], Microphone], given_up: threading.Event) -> None:
        while not given_up.wait(self._retry):
            try:
                found = open_()
            except Fault:
                if not given_up.is_set():
                    self._not_found()
                continue
            with self._lock:
                too_late = given_up.is_set()
                if not too_late:
                    self._found = found
            if too_late:
                # Nobody reads from it any more.
                found.close()
            return
