"""Opening the ears for one question: which phrases, which kind of listener."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from narrator.ears.endpoint import AnswerListener, AnswerSettings
from narrator.ears.model import ModelToCome, RecogniserModel
from narrator.ears.passing import PassListener, PassSettings
from narrator.ears.voicing import VoicingSettings
from narrator.heard import Heard
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Command
from narrator.understanding.phrasebook import Phrasebook


class Listener(Protocol):
    """Takes blocks until it has heard an utterance; ``silence`` is how long nobody has spoken, in seconds."""

    @property
    def silence(self) -> float:
        """Seconds since the last sound of a voice, or since the microphone opened."""

    @property
    def floor(self) -> float:
        """The room's noise floor in dB of full scale, worth passing on to the next listener."""

    def feed(self, block: NDArray[np.int16]) -> Heard | None:
        """Take 320 samples; return what was heard once it is complete."""


class Ears:
    """Makes a fresh listener for every question; a model still to come is waited for by the first one."""

    def __init__(self, model: RecogniserModel | ModelToCome, phrasebook: Phrasebook) -> None:
        self._model = model
        self._phrasebook = phrasebook
        self._last: Listener | None = None
        self._voicing = VoicingSettings()

    def attune(self, voicing: VoicingSettings) -> None:
        """Tell voices from noise as this room needs it; what was learnt of its noise before is forgotten."""
        self._voicing = voicing
        self._last = None

    def warm(self) -> None:
        """Load a model that is still to come, beside whatever else goes on."""
        if isinstance(self._model, ModelToCome):
            self._model.begin()

    def learn(self, phrasebook: Phrasebook) -> None:
        """Listen for other phrases from now on."""
        self._phrasebook = phrasebook

    def listen(self, expectation: Expectation) -> Listener:
        """The listener that fits the expectation."""
        # The room's noise doesn't change with the question.
        floor = self._last.floor if self._last is not None else None
        model = self._model.get() if isinstance(self._model, ModelToCome) else self._model
        self._last = listener(expectation, model, self._phrasebook, floor, self._voicing)
        return self._last


def listener(
    expectation: Expectation,
    model: RecogniserModel,
    phrasebook: Phrasebook,
    floor: float | None = None,
    voicing: VoicingSettings | None = None,
) -> Listener:
    """A listener for ``expectation``: to an answer, or to running speech until it ends.

    ``floor`` is the room's noise floor in dB of full scale, where it is known, and ``voicing`` tells a
    voice from it. Raises ``ValueError`` when the model has words for none of the phrases.
    """
    phrases = phrasebook.phrases(expectation)
    voicing = voicing or VoicingSettings()
    if expectation.kind is Kind.PASS:
        done = [p.text for p in phrases if not isinstance(p.meaning, Command)]
        commands = [p.text for p in phrases if isinstance(p.meaning, Command)]
        return PassListener(model, done, commands, PassSettings(voicing=voicing), floor, phrasebook.decoys)
    meanings = {phrase.text: phrase.meaning for phrase in phrases}
    return AnswerListener(model, list(meanings), AnswerSettings(voicing=voicing), floor, meanings)
