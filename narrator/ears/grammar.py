"""A question's grammar: phrases in the model's words, and the way back from words to phrases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from narrator.ears.model import RecogniserModel

UNKNOWN_WORD = "[unk]"
"""The word that stands for everything outside the grammar, in models that have it."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The closed set of word sequences that a recogniser may hear.

    ``spellings`` maps a sequence of the model's words to its phrase; ``missing`` are the phrases that
    the model has no words for.
    """

    spellings: dict[tuple[str, ...], str]
    missing: tuple[str, ...]
    unknown: bool

    @property
    def json(self) -> str:
        """The grammar as Vosk takes it: a JSON array that is never empty, of known words only."""
        lines = [" ".join(words) for words in self.spellings]
        return json.dumps([*lines, UNKNOWN_WORD] if self.unknown else lines, ensure_ascii=False)

    def text(self, words: Sequence[str]) -> str:
        """The phrase that ``words`` spell, else the words joined."""
        return self.spellings.get(tuple(words), "".join(words))


def build_grammar(model: RecogniserModel, phrases: Iterable[str]) -> Grammar:
    """The grammar of ``phrases``; raises ``ValueError`` if the model can spell none of them.

    An empty grammar would end the process inside Vosk, so none is ever made.
    """
    spellings: dict[tuple[str, ...], str] = {}
    shared: set[tuple[str, ...]] = set()
    missing: list[str] = []
    for phrase in dict.fromkeys(phrases):
        words = model.spell(phrase)
        if words is None:
            missing.append(phrase)
        elif spellings.setdefault(words, phrase) != phrase:
            shared.add(words)
    # Two phrases that the model spells alike can't be told apart: the bare words go on instead.
    spellings.update({words: "".join(words) for words in shared})
    if not spellings:
        raise ValueError(f"the model has no words for any of {missing}")
    return Grammar(spellings, tuple(missing), model.knows(UNKNOWN_WORD))


def open_grammar(model: RecogniserModel) -> Grammar:
    """Every syllable that the model has a word of its own for, in any order: what something sounds like."""
    return Grammar({(word,): UNKNOWN_WORD for word in model.sounds.values()}, (), model.knows(UNKNOWN_WORD))
