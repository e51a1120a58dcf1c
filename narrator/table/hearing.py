"""What would be understood in a stretch of sound if a question of some kind were open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from narrator.ears.model import RecogniserModel
from narrator.ears.sound import Block
from narrator.heard import Heard
from narrator.moderator.desk import ON_THE_FLOOR
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command, Unclear, Why
from narrator.table.listening import listener
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook

COMMAND = "command"
KINDS = ("number", "seat", "votes", "players", "yesno", "pass", COMMAND)
"""What can be asked for: the kinds of answer that need no choices, and the judge's commands."""

HUSH = 50
"""Blocks of silence to add to a recording (one second): it often stops with its last word."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What came of listening.

    ``heard`` is the utterance that ``meaning`` was read from. In running speech (kind ``pass``) ``stops``
    are all the ends of speech that would have been declared, and ``commands`` all the judge's commands.
    """

    meaning: Answer | Command | Unclear
    heard: Heard | None
    stops: tuple[Heard, ...] = ()
    commands: tuple[Heard, ...] = ()


def question(kind: str, phrasebook: Phrasebook) -> Expectation:
    """The expectation for one of ``KINDS``; its phrases are all that may be said then."""
    if kind == COMMAND:
        # Nothing can be chosen here: what is left to say are the commands.
        return Expectation(Kind.CHOICE, commands=tuple(phrasebook.command))
    if kind == Kind.PASS:
        return Expectation(Kind.PASS, commands=ON_THE_FLOOR)
    return Expectation(Kind(kind), none=kind == Kind.SEAT)


def hear(
    blocks: Iterable[Block],
    kind: str,
    model: RecogniserModel,
    phrasebook: Phrasebook,
    floor: float | None = None,
) -> Hearing:
    """Listen to ``blocks`` with one of ``KINDS`` expected: to the first answer, or to all running speech.

    ``floor`` and ``ValueError`` as with ``listener``.
    """
    expectation = question(kind, phrasebook)
    ears = listener(expectation, model, phrasebook, floor)
    utterances = (heard for block in blocks if (heard := ears.feed(block)) is not None)
    if kind == Kind.PASS:
        return _running_speech(tuple(utterances), phrasebook)
    heard = next(utterances, None)
    meaning = Unclear(Why.SILENCE) if heard is None else understand(heard, expectation, phrasebook)
    return Hearing(meaning, heard)


def _running_speech(everything: tuple[Heard, ...], phrasebook: Phrasebook) -> Hearing:
    stops = tuple(heard for heard in everything if heard.text in phrasebook.done)
    return Hearing(
        meaning=Answer(Kind.PASS, True) if stops else Unclear(Why.SILENCE),
        heard=stops[0] if stops else None,
        stops=stops,
        commands=tuple(heard for heard in everything if heard.text not in phrasebook.done),
    )
