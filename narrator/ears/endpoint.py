"""Hearing one answer: when it begins, when it has ended, and what it was."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narrator.ears.grammar import UNKNOWN_WORD, build_grammar
from narrator.ears.model import RecogniserModel
from narrator.ears.recogniser import SAMPLE_RATE, Block, Readings, Recogniser
from narrator.ears.voicing import BLOCK_SECONDS, Voicing, VoicingSettings
from narrator.heard import Heard


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """Times in seconds."""

    trailing: float = 0.5
    """An answer has ended after this much silence."""
    settled: float = 1.0
    """In a noisy room it has also ended when the words haven't changed for this long."""
    preroll: float = 0.3
    """Sound kept from before the voice began: the onset is softer than the vowel."""
    shortest: float = 0.1
    """Less voice than this is a knock, not an answer."""
    longest: float = 8.0
    """An utterance is cut off here and counts as nothing understood."""
    sure: float = 0.97
    """Below this confidence the utterance is read a second time for close rivals."""
    margin: float = 1.5
    """A reading is a close rival when its log score is at most this much below the best."""
    readings: int = 6
    """How many readings are compared."""
    voicing: VoicingSettings = field(default_factory=VoicingSettings)


class AnswerListener:
    """Listens for one answer among ``phrases``; discard it after it has returned one.

    Raises ``ValueError`` when the model has words for none of the phrases.
    """

    def __init__(
        self,
        model: RecogniserModel,
        phrases: Sequence[str],
        settings: AnswerSettings | None = None,
        floor: float | None = None,
    ) -> None:
        self._model = model
        self._settings = settings or AnswerSettings()
        self._grammar = build_grammar(model, phrases)
        self._phrases = frozenset(self._grammar.spellings.values())
        self._voicing = Voicing(self._settings.voicing, floor)
        self._before: deque[Block] = deque(maxlen=round(self._settings.preroll / BLOCK_SECONDS))
        self._time = 0.0
        self.silence = 0.0
        self._recogniser: Recogniser | None = None
        self._sound: list[Block] = []
        self._began = self._voiced = self._changed = 0.0
        self._partial = ""

    def feed(self, block: Block) -> Heard | None:
        """Take 20 ms of sound; the utterance once it has ended, else ``None``.

        ``silence`` tells the seconds since a voice was last heard (or since the start).
        """
        self._time += len(block) / SAMPLE_RATE
        voiced = self._voicing.feed(block)
        self.silence = 0.0 if voiced else self.silence + len(block) / SAMPLE_RATE
        if self._recogniser is None:
            self._before.append(block)
            if voiced:
                self._begin()
            return None
        self._recogniser.accept(block)
        self._sound.append(block)
        if voiced:
            self._voiced += len(block) / SAMPLE_RATE
        if self._time - self._began >= self._settings.longest:
            return self._cut_off()
        if not self._ended():
            return None
        if self._voiced < self._settings.shortest:
            self._forget()
            return None
        return self._finish(self._recogniser)

    def _begin(self) -> None:
        self._sound = list(self._before)
        self._before.clear()
        self._began = self._time - sum(map(len, self._sound)) / SAMPLE_RATE
        self._recogniser = Recogniser(self._model, self._grammar, start=self._began)
        self._recogniser.accept(np.concatenate(self._sound))
        self._voiced = BLOCK_SECONDS
        self._partial, self._changed = "", self._time

    def _ended(self) -> bool:
        if self.silence >= self._settings.trailing - 1e-6:
            return True
        if self._recogniser is None:
            return False
        partial = self._recogniser.partial()
        if partial != self._partial:
            self._partial, self._changed = partial, self._time
        return partial not in ("", UNKNOWN_WORD) and self._time - self._changed >= self._settings.settled

    def _finish(self, recogniser: Recogniser) -> Heard | None:
        words = recogniser.final()
        if not words:
            self._forget()
            return None
        text = self._grammar.text([word.text for word in words])
        confidence = min(word.confidence for word in words)
        rivals: tuple[str, ...] = ()
        if confidence < self._settings.sure or text not in self._phrases:
            rivals = self._rivals(text)
        return Heard(text, words, confidence, endpoint=round(self._time, 3), rivals=rivals)

    @property
    def floor(self) -> float:
        """The room's noise floor in dB of full scale, worth passing on to the next listener."""
        return self._voicing.floor

    def _rivals(self, text: str) -> tuple[str, ...]:
        settings = self._settings
        reader = Readings(self._model, self._grammar, settings.readings)
        reader.accept(np.concatenate(self._sound))
        readings = reader.final()
        if not readings:
            return ()
        least = readings[0][1] - settings.margin
        close = dict.fromkeys(self._grammar.text(words) for words, score in readings if score >= least)
        return tuple(reading for reading in close if reading != text and reading in self._phrases)

    def _cut_off(self) -> Heard:
        return Heard("", confidence=0.0, endpoint=round(self._time, 3))

    def _forget(self) -> None:
        self._recogniser = None
        self._sound = []
