"""What would be understood in a stretch of sound if a question of some kind were open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from narrator.ears.endpoint import AnswerListener
from narrator.ears.model import RecogniserModel
from narrator.ears.passing import PassListener
from narrator.ears.recogniser import Block
from narrator.heard import Heard
from narrator.moderator.desk import ON_THE_FLOOR
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command, Unclear, Why
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrase, Phrasebook

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


def question(kind: str, phrasebook: Phrasebook) -> tuple[Expectation, tuple[Phrase, ...]]:
    """The expectation for one of ``KINDS``, and every phrase that may be said then."""
    if kind == COMMAND:
        expectation = Expectation(Kind.PASS, commands=tuple(phrasebook.command))
        return expectation, tuple(phrasebook.commands(phrasebook.command))
    expectation = Expectation(Kind(kind), none=kind == Kind.SEAT)
    return expectation, phrasebook.phrases(expectation)


def hear(
    blocks: Iterable[Block],
    kind: str,
    model: RecogniserModel,
    phrasebook: Phrasebook,
    floor: float | None = None,
) -> Hearing:
    """Listen to ``blocks`` with one of ``KINDS`` expected: to the first answer, or to all running speech.

    ``floor`` is the room's noise floor in dB of full scale, where it is known. Raises ``ValueError`` when
    the model has words for none of the phrases.
    """
    if kind == Kind.PASS:
        return _running_speech(blocks, model, phrasebook, floor)
    expectation, phrases = question(kind, phrasebook)
    listener = AnswerListener(model, [phrase.text for phrase in phrases], floor=floor)
    heard = next((heard for block in blocks if (heard := listener.feed(block)) is not None), None)
    meaning = Unclear(Why.SILENCE) if heard is None else understand(heard, expectation, phrasebook)
    # What ends a speech is no command, though it may always be said where commands may.
    if kind == COMMAND and isinstance(meaning, Answer):
        meaning = Unclear(Why.UNKNOWN)
    return Hearing(meaning, heard)


def _running_speech(
    blocks: Iterable[Block], model: RecogniserModel, phrasebook: Phrasebook, floor: float | None
) -> Hearing:
    commands = [phrase.text for phrase in phrasebook.commands(ON_THE_FLOOR)]
    listener = PassListener(model, phrasebook.done, commands, floor=floor, decoys=phrasebook.decoys)
    everything = [heard for block in blocks if (heard := listener.feed(block)) is not None]
    stops = tuple(heard for heard in everything if heard.text in phrasebook.done)
    return Hearing(
        meaning=Answer(Kind.PASS, True) if stops else Unclear(Why.SILENCE),
        heard=stops[0] if stops else None,
        stops=stops,
        commands=tuple(heard for heard in everything if heard.text not in phrasebook.done),
    )
