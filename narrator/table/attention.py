"""Listening to one question: a fresh listener each time, and what becomes of recognisers that fail."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from narrator.heard import Heard
from narrator.moderator.expectations import Expectation
from narrator.table.listening import Ears, Listener
from narrator.table.notices import Notices

PATIENT_FAILURES = 3
"""Recognisers that fail one after another before nobody is listened to any more."""


class Attention:
    """Whom the table listens to now; without ``ears``, or once they have failed, to nobody.

    Whatever a recogniser raises, the game goes on: ``notices`` are told ``ears_lost`` when it does so by
    keyboard alone.
    """

    def __init__(self, ears: Ears | None, notices: Notices) -> None:
        self._ears = ears
        self._notices = notices
        self._failures = 0
        self._expectation: Expectation | None = None
        self._listener: Listener | None = None
        self._waited = 0.0

    @property
    def deaf(self) -> bool:
        """Whether nobody can be heard, at any question."""
        return self._ears is None

    @property
    def listening(self) -> bool:
        """Whether what is said now is heard."""
        return self._listener is not None

    @property
    def silence(self) -> float:
        """Seconds since a voice was last heard, or since the question was opened."""
        return self._waited if self._listener is None else min(self._listener.silence, self._waited)

    def warm(self) -> None:
        """Let the ears get ready while the first line is being said."""
        if self._ears is not None:
            self._ears.warm()

    def turn_to(self, expectation: Expectation) -> None:
        """Listen for answers to a question from now on."""
        self._expectation, self._waited = expectation, 0.0
        self.begin_anew()

    def turn_away(self) -> None:
        """Listen to nobody."""
        self._expectation, self._listener = None, None

    def begin_anew(self) -> None:
        """Forget what has been heard so far of an answer."""
        self._listener = None
        if self._ears is None or self._expectation is None or not self._expectation.voice:
            return
        try:
            self._listener = self._ears.listen(self._expectation)
        except Exception:  # whatever a recogniser raises, the game goes on
            self._failed()

    def hear(self, block: NDArray[np.int16]) -> Heard | None:
        """One block of the microphone; an utterance once it is complete."""
        if self._listener is None:
            return None
        try:
            heard = self._listener.feed(block)
        except Exception:  # whatever a recogniser raises, the game goes on
            self._failed()
            # What went wrong may lie in what this one has heard.
            self.begin_anew()
            return None
        if heard is not None:
            self._failures = 0
        return heard

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._waited += seconds

    def _failed(self) -> None:
        self._failures += 1
        if self._failures == PATIENT_FAILURES:
            self._ears = None
            self._notices.tell("ears_lost")
