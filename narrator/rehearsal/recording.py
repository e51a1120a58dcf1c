"""Evenings written down: what was said to the moderator, and what came of it, without any sound."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from narrator.moderator.effects import Effect, Expect, Note, Say
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Answer, Certainty, Command, Elapsed, Input, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.rehearsal.script import Script
from narrator.rules.ruleset import Ruleset

# More inputs than anything needs that is not stuck.
_LONGEST = 20_000

_COMMANDS = ("repeat", "remind", "pause", "more_time", "undo", "undo", "correct")


@dataclass(frozen=True, slots=True)
class Recording:
    """One evening: ``effects[0]`` opened it, ``effects[k]`` came of ``inputs[k - 1]``."""

    setup: Setup
    inputs: tuple[Input, ...]
    effects: tuple[tuple[Effect, ...], ...]


def record(
    ruleset: Ruleset, players: int, secrets: Secrets, seed: int, *, noise: float, games: int = 1
) -> Recording:
    """Play ``games`` at one table, to the goodbye.

    ``noise`` is the share of inputs that are no plain answer: misheard, doubtful, a timer that ran out, a
    judge who has something repeated, pauses, warns, takes back or corrects.
    """
    setup = Setup(seed, ruleset=ruleset.id, players=players, secrets=secrets, knobs=ruleset.changes)
    script = Script(ruleset, players, secrets, seed, games=games)
    rng = random.Random(f"{seed}:recording")
    moderator = Moderator(setup)
    said: list[Input] = []
    done = [moderator.begin()]
    asked = _watch(script, done[-1])
    while asked is not None:
        if len(said) == _LONGEST:
            raise RuntimeError("the evening did not end")
        said.append(_input(script, asked, rng, noise))
        done.append(moderator.handle(said[-1]))
        asked = _watch(script, done[-1])
    return Recording(setup, tuple(said), tuple(done))


def _watch(script: Script, effects: Iterable[Effect]) -> Expect | None:
    asked = None
    for effect in effects:
        if isinstance(effect, Say):
            script.spoken(effect)
        elif isinstance(effect, Note):
            script.noted(effect)
        elif isinstance(effect, Expect):
            asked = effect
    return asked


def _input(script: Script, asked: Expect, rng: random.Random, noise: float) -> Input:
    if rng.random() >= noise or asked.about == "review":
        reply = script.reply(asked)
        return Answer(reply.kind, reply.value)
    choice = rng.random()
    if choice < 0.15:
        return Unclear(rng.choice(list(Why)))
    if choice < 0.35:
        reply = script.reply(asked)
        return Answer(reply.kind, reply.value, Certainty.DOUBTFUL)
    if choice < 0.45 and asked.about in ("speech", "last_words"):
        return Elapsed(rng.choice(("warning", "limit", "grace")))
    if choice < 0.55 and "warn" in asked.expectation.commands:
        return Command("warn", rng.randint(1, script.players), rng.choice(list(Certainty)))
    legal = [name for name in _COMMANDS if name in asked.expectation.commands]
    return Command(rng.choice(legal)) if legal else Unclear(Why.UNKNOWN)
