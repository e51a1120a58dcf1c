"""Single syllables cut out of recorded words, at the times at which a finished model hears them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from model_build.phones import toneless
from model_build.store import RATE, Sound
from narrator.ears.grammar import Grammar
from narrator.ears.levelling import levelled
from narrator.ears.model import RecogniserModel
from narrator.ears.recogniser import Recogniser

_ROOM = RATE // 4
"""Silence put around a recording, for a recogniser to begin and end in."""

_TAIL = RATE // 10
"""How much longer the last syllable rings."""

_SHORTEST = RATE // 10


def cut(model: RecogniserModel, sound: Sound, said: Sequence[str]) -> Iterator[tuple[str, Sound]]:
    """The toned syllables ``said`` in ``sound``, each with its piece; none if the model hears otherwise."""
    words = tuple(map(toneless, said))
    recogniser = Recogniser(model, Grammar({words: ""}, (), unknown=False))
    silence = np.zeros(_ROOM, np.int16)
    recogniser.accept(levelled(np.concatenate([silence, sound, silence])))
    heard = recogniser.final()
    if tuple(word.text for word in heard) != words:
        return
    for number, (word, syllable) in enumerate(zip(heard, said, strict=True), 1):
        begin, end = (round(moment * RATE) - _ROOM for moment in (word.start, word.end))
        piece = sound[max(0, begin) : end + (_TAIL if number == len(heard) else 0)]
        if len(piece) >= _SHORTEST:
            yield syllable, piece
