"""One recogniser for one utterance: blocks in, words with times and confidences out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from narrator.ears.grammar import Grammar
from narrator.ears.model import RecogniserModel
from narrator.ears.sound import SAMPLE_RATE, Block
from narrator.heard import Word


class Recogniser:
    """A fresh Vosk recogniser with a fixed grammar; ``start`` is the time in seconds of its first sample.

    The grammar is never changed and a finished recogniser never reused: both can end the process.
    """

    def __init__(self, model: RecogniserModel, grammar: Grammar, start: float = 0.0) -> None:
        import vosk

        self._kaldi = vosk.KaldiRecognizer(model.vosk, SAMPLE_RATE, grammar.json)
        self._kaldi.SetWords(True)
        self._start = start
        self._words: list[Word] = []

    def accept(self, samples: Block) -> None:
        """Take more sound, of any length."""
        if self._kaldi.AcceptWaveform(np.ascontiguousarray(samples, dtype="<i2").tobytes()):
            self._keep(self._kaldi.Result())

    def partial(self) -> str:
        """What it sounds like so far, words separated by spaces; it flips, so never act on it."""
        said = [word.text for word in self._words]
        return " ".join([*said, json.loads(self._kaldi.PartialResult()).get("partial", "")]).strip()

    def final(self) -> tuple[Word, ...]:
        """The words of everything taken; the recogniser is finished."""
        self._keep(self._kaldi.FinalResult())
        return tuple(self._words)

    def _keep(self, result: str) -> None:
        for entry in json.loads(result).get("result", ()):
            self._words.append(self._word(entry))

    def _word(self, entry: dict[str, Any]) -> Word:
        # Vosk dates a word by frames and may begin it a little before the sound.
        start, end = max(0.0, self._start + entry["start"]), max(0.0, self._start + entry["end"])
        return Word(entry["word"], round(start, 3), round(end, 3), float(entry["conf"]))


def readings(
    model: RecogniserModel, grammar: Grammar, samples: Block, most: int
) -> Iterator[tuple[Sequence[str], float]]:
    """At most so many readings of ``samples``, the best first, as words with their log score.

    A reading without words is left out. ``samples`` must be shorter than the model's own endpoint allows.
    """
    import vosk

    kaldi = vosk.KaldiRecognizer(model.vosk, SAMPLE_RATE, grammar.json)
    kaldi.SetMaxAlternatives(most)
    kaldi.AcceptWaveform(np.ascontiguousarray(samples, dtype="<i2").tobytes())
    for one in json.loads(kaldi.FinalResult()).get("alternatives", ()):
        if one["text"]:
            yield one["text"].split(), float(one["confidence"])


def score(model: RecogniserModel, grammar: Grammar, samples: Block) -> float | None:
    """The log score of the best reading of ``samples``, as ``readings``; None when that has no words."""
    return next((found for _, found in readings(model, grammar, samples, 1)), None)
