"""A few of the answers that a question takes, for whoever reads along."""

from __future__ import annotations

from narrator.moderator.expectations import Expectation
from narrator.moderator.inputs import Answer
from narrator.understanding.phrasebook import NUMERIC, Phrasebook

MOST = 4
"""How many are given."""

TYPICAL = (3, 8, 12)
"""Numbers that are good examples of a seat, a count of hands, a table's size."""


def examples(expectation: Expectation, phrasebook: Phrasebook) -> tuple[str, ...]:
    """A few answers with different meanings, 无 first where it is one; they depend on the question alone."""
    found: dict[object, str] = {}
    for phrase in phrasebook.phrases(expectation):
        if isinstance(phrase.meaning, Answer):
            found.setdefault(phrase.meaning.value, phrase.text)
    if expectation.kind in NUMERIC:
        return tuple(found[value] for value in (None, *TYPICAL) if value in found)
    return tuple(found.values())[:MOST]
