"""What the people of a rehearsal may have to say: the game's answers, and some talk."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources

from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer
from narrator.understanding.phrasebook import Phrase, Phrasebook

SEATS = range(1, 17)
"""Seats of the largest table."""

MEANT: Mapping[Kind, Sequence[int]] = {
    Kind.SEAT: SEATS,
    Kind.VOTES: range(17),
    Kind.NUMBER: range(1, 18),
    Kind.PLAYERS: range(5, 17),
}
"""Numbers that can be meant, by kind: no more votes than seats, and one code stands for 无."""


def chatter() -> dict[str, list[str]]:
    """Sentences for those who have the floor: ``speech`` and ``last_words``."""
    text = resources.files("narrator.rehearsal").joinpath("chatter.toml").read_text(encoding="utf-8")
    return {name: [*sentences] for name, sentences in tomllib.loads(text).items()}


def for_everybody(phrasebook: Phrasebook) -> tuple[str, ...]:
    """What any player may say, each text once: yes and no, the end of a speech, talk, seats and votes.

    Of the forms that name a seat or a count, the first one and the bare number.
    """
    plain = [phrase.text for kind in (Kind.YESNO, Kind.PASS) for phrase in _phrases(phrasebook, kind)]
    talk = [sentence for sentences in chatter().values() for sentence in sentences]
    longer = [text for kind in (Kind.SEAT, Kind.VOTES) for text in _longer(phrasebook, kind)]
    numbers = [text for kind in (Kind.SEAT, Kind.VOTES) for text in _numbers(phrasebook, kind)]
    return tuple(dict.fromkeys([*plain, *talk, *(text for text in numbers if text not in longer)]))


def for_the_judge(phrasebook: Phrasebook) -> tuple[str, ...]:
    """What the judge may say besides, each text once: codes, longer forms, choices, and commands."""
    numbers = [text for kind in MEANT for text in _numbers(phrasebook, kind)]
    choices = phrasebook.phrases(Expectation(Kind.CHOICE, choices=tuple(phrasebook.choice)))
    commands = [
        phrase.text
        for phrase in phrasebook.commands(phrasebook.command)
        if getattr(phrase.meaning, "seat", None) in (None, *SEATS)
    ]
    said = [*numbers, *(phrase.text for phrase in choices), *commands]
    shared = set(for_everybody(phrasebook))
    return tuple(text for text in dict.fromkeys(said) if text not in shared)


def _phrases(phrasebook: Phrasebook, kind: Kind) -> tuple[Phrase, ...]:
    return phrasebook.phrases(Expectation(kind, none=kind is Kind.SEAT))


def _numbers(phrasebook: Phrasebook, kind: Kind) -> Iterator[str]:
    for phrase in _phrases(phrasebook, kind):
        meant = phrase.meaning.value if isinstance(phrase.meaning, Answer) else None
        if meant is None or meant in MEANT[kind]:
            yield phrase.text


def _longer(phrasebook: Phrasebook, kind: Kind) -> set[str]:
    """Numbers in a form after the first that has a unit."""
    _first, *others = [form for form in phrasebook.units[kind] if form != "{n}"]
    spoken = [number for forms in phrasebook.numbers.values() for number in forms]
    return {form.replace("{n}", number) for form in others for number in spoken}
