"""The doors through which input comes in, and what may stand before any of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Certainty, Command, Elapsed, Input, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.resources import voices_folder
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

VOICE = voices_folder() / "zh-CN"

Target = Callable[[random.Random, Path], None]

TARGETS: dict[str, tuple[int, Target]] = {}
"""What is tried: how often in a round, and how (with a folder to work in)."""


def target(share: int) -> Callable[[Target], Target]:
    """Enter a function as a door that is tried ``share`` times a round."""

    def enter(function: Target) -> Target:
        TARGETS[function.__name__] = share, function
        return function

    return enter


@cache
def phrasebook() -> Phrasebook:
    return load_phrasebook(VOICE / "phrases.toml")


@cache
def texts() -> list[str]:
    return [phrase.text for phrase in phrasebook().everything()]


def any_expectation(rng: random.Random) -> Expectation:
    """A question, sensible or not, of words that exist."""
    book, kind = phrasebook(), rng.choice(list(Kind))
    if len(book._cache) > 1_000:
        book._cache.clear()  # it was made for the few questions of a game
    choices = tuple(rng.sample([*book.choice], rng.randrange(1, 6))) if kind is Kind.CHOICE else ()
    commands = tuple(rng.sample([*book.command], rng.randrange(0, 6)))
    return Expectation(kind, choices, rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5, commands)


def any_input(rng: random.Random) -> Input:
    """Anything that the understanding can make of anything, whatever was asked."""
    certainty = rng.choice(list(Certainty))
    match rng.randrange(4):
        case 0 | 1:
            meanings = [phrase.meaning for phrase in phrasebook().phrases(any_expectation(rng))]
            meaning = rng.choice(meanings)
            return replace(meaning, certainty=certainty)
        case 2:
            name = rng.choice([*phrasebook().command])
            return Command(name, rng.choice((None, *range(0, 18))), certainty)
        case _ if rng.random() < 0.5:
            return Unclear(rng.choice(list(Why)))
        case _:
            return Elapsed(rng.choice(("warning", "limit", "grace", "x")))


def fitting_input(moderator: Moderator, rng: random.Random) -> Input:
    """An answer that fits the open question."""
    asked = moderator._desk.dialog.expectation
    if asked is None:
        return Unclear(Why.SILENCE)
    answers = [p.meaning for p in phrasebook().phrases(asked) if isinstance(p.meaning, Answer)]
    return rng.choice(answers)
