"""Listening back: can anybody make a clip out, knowing what was asked or not?"""

from __future__ import annotations

import re
from itertools import chain, repeat
from pathlib import Path

import numpy as np

from narrator.ears.endpoint import AnswerListener
from narrator.ears.grammar import Grammar
from narrator.ears.levelling import levelled
from narrator.ears.model import load_model
from narrator.ears.recogniser import Recogniser
from narrator.ears.sound import BLOCK, Block
from narrator.pinyin import syllables
from narrator.rehearsal.room import Samples
from narrator.table.blocks import RATE
from narrator.table.hearing import HUSH, KINDS, question
from narrator.understanding.phrasebook import Phrasebook

QUIET_SECONDS = 0.3
"""Silence on both sides, as around an answer at a table."""


class Listener:
    """Hears single clips through the recogniser's model in the folder ``model``."""

    def __init__(self, model: Path, phrasebook: Phrasebook) -> None:
        self._model = load_model(model)
        sounds = self._model.sounds
        self._open = Grammar({(word,): sound for sound, word in sounds.items()}, (), unknown=False)
        self._questions = [
            [phrase.text for phrase in phrasebook.phrases(question(kind, phrasebook))] for kind in KINDS
        ]

    def makes_out(self, samples: Samples, text: str) -> bool:
        """Whether any syllable of ``text`` comes through, or it is the answer heard to its question.

        Dropping whatever isn't understood would flatter the figures of a rehearsal; so only a clip that
        neither a listener who expects nothing nor one who expects it can make out is no speech at all.
        """
        wanted = syllables("".join(re.findall(r"\w", text)))
        return bool(set(self.heard(samples)) & set(wanted)) or self._answers(samples, text)

    def heard(self, samples: Samples) -> tuple[str, ...]:
        """The toneless syllables that ``samples`` (at 16 kHz) sound like to whoever expects any."""
        recogniser = Recogniser(self._model, self._open)
        quiet = np.zeros(round(QUIET_SECONDS * RATE), np.int16)
        recogniser.accept(np.concatenate([quiet, levelled(_sixteen_bits(samples)), quiet]))
        return tuple(self._open.text((word.text,)) for word in recogniser.final())

    def _answers(self, samples: Samples, text: str) -> bool:
        phrases = next((phrases for phrases in self._questions if text in phrases), None)
        if phrases is None:
            return False
        listener = AnswerListener(self._model, phrases)
        sound = _sixteen_bits(np.pad(samples, (0, -len(samples) % BLOCK)))
        blocks: list[Block] = [*sound.reshape(-1, BLOCK)]
        following = chain(blocks, repeat(np.zeros(BLOCK, np.int16), HUSH))
        heard = next((heard for block in following if (heard := listener.feed(block)) is not None), None)
        return heard is not None and heard.text == text


def _sixteen_bits(samples: Samples) -> Block:
    return np.round(samples * 32767).astype(np.int16)
