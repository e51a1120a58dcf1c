"""What is said and asked at a table: counted over games played without sound."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from narrator.moderator.effects import Effect, Expect, Note, Say
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command
from narrator.moderator.moderator import Moderator
from narrator.mouth.voicepack import VoicePack
from narrator.rehearsal.script import Script
from narrator.rules.library import library

_LONGEST = 5_000
_EVENING = 120
_ENDING = ("stop", "surrender_killer", "surrender_police")


def segments_heard(pack: VoicePack, games: int = 2, seed: int = 1) -> Counter[str]:
    """How often each segment is said in ``games`` games of every ruleset and every way of keeping secrets.

    Variants of a line take turns as they do at a table.
    """
    heard: Counter[str] = Counter()
    rng = random.Random(seed)
    for ruleset, secrets, _ in itertools.product(library().all(), Secrets, range(games)):
        players, turns = rng.choice(list(ruleset.deals)), Counter[str]()
        own_seed = rng.getrandbits(32)
        for say in _spoken(ruleset.id, players, secrets, own_seed):
            heard.update(pack.segments(say.line, say.params, turns[say.line]))
            turns[say.line] += 1
    return heard


def questions(evenings: int = 80, seed: int = 1) -> frozenset[Expectation]:
    """Every different question that is asked at tables who answer at random.

    Every other evening is agreed upon beforehand, so that games are reached as often as the lobby is.
    """
    rng = random.Random(seed)
    asked: set[Expectation] = set()
    given: Counter[str] = Counter()
    for number in range(evenings):
        setup = Setup(rng.getrandbits(32))
        if number % 2:
            ruleset = rng.choice(library().all())
            players, secrets = rng.choice(list(ruleset.deals)), rng.choice(list(Secrets))
            setup = replace(setup, ruleset=ruleset.id, players=players, secrets=secrets)
        moderator = Moderator(setup)
        effects = moderator.begin()
        for _ in range(_EVENING):
            if (expect := _question(effects)) is None:
                break
            asked.add(expect.expectation)
            effects = moderator.handle(_anything(expect.expectation, given, rng))
    return frozenset(asked)


def _spoken(ruleset: str, players: int, secrets: Secrets, seed: int) -> Iterable[Say]:
    """The lines of one game whose answers are all understood, from the agreement to the goodbye."""
    setup = Setup(seed, ruleset=ruleset, players=players, secrets=secrets)
    moderator, script = Moderator(setup), Script(setup.library.load(ruleset), players, secrets, seed)
    effects = moderator.begin()
    for _ in range(_LONGEST):
        for effect in effects:
            if isinstance(effect, Say):
                script.spoken(effect)
                yield effect
            elif isinstance(effect, Note):
                script.noted(effect)
        expect = _question(effects)
        if expect is None:
            return
        reply = script.reply(expect)
        effects = moderator.handle(Answer(reply.kind, reply.value))


def _question(effects: Iterable[Effect]) -> Expect | None:
    return next((effect for effect in effects if isinstance(effect, Expect)), None)


def _anything(expectation: Expectation, given: Counter[str], rng: random.Random) -> Answer | Command:
    """An answer of the kind that is asked for, or now and then the command that was ``given`` least."""
    commands = [name for name in expectation.commands if name not in _ENDING]
    if commands and rng.random() < 0.1:
        # However many commands there are, each has its turn.
        name = min(commands, key=lambda each: (given[each], rng.random()))
        given[name] += 1
        return Command(name, rng.randint(1, 12))
    if expectation.choices and (expectation.kind is Kind.CHOICE or rng.random() < 0.5):
        return Answer(Kind.CHOICE, rng.choice(expectation.choices))
    values: dict[Kind, int | str | bool | None] = {
        Kind.YESNO: rng.random() < 0.85,
        Kind.PASS: True,
        Kind.SEAT: rng.choice((None, *range(1, 13))) if expectation.none else rng.randint(1, 12),
        Kind.VOTES: rng.choice((0, 0, 1, 2, 5)),
        Kind.PLAYERS: rng.randint(6, 15),
        Kind.COUNT: rng.randint(0, 5),
        Kind.NUMBER: rng.randint(1, 14),
    }
    return Answer(expectation.kind, values[expectation.kind])
