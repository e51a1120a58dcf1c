"""Pairs of games that agree in public: are they alike in everything that can be noticed?

A longer run than the tests make, with figures as JSON::

    python tests/secrecy/pairs.py --pairs 10000 --seed 1

Each public course of events is played several times, with other cards, choices, refusals and code sheets;
every two of those games are a pair. They are compared as far as they agree in public, at most to the verdict.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from public_events import Public
from secret_game import SecretGame, Told

from narrator.faults import Fault
from narrator.moderator.evening import Secrets
from narrator.rules.custom import Setting, customise, knob_of
from narrator.rules.ruleset import Ruleset, all_rulesets

VARIANTS = 8
"""Games played to one public course of events: 28 pairs."""


def publics(seed: int) -> Iterator[Public]:
    """Public courses of events without end: every ruleset and way of keeping secrets takes its turn."""
    kinds = itertools.cycle(itertools.product(all_rulesets(), (True, False), Secrets))
    for number, (ruleset, hears, way) in enumerate(kinds):
        rng = random.Random(f"{seed}:{number}")
        players = rng.randint(ruleset.fewest, ruleset.most)
        voiced, decided = rng.random() < 0.7, rng.getrandbits(40)
        yield Public(ruleset.id, players, way, hears, voiced, decided, _own_rules(ruleset, players, rng))


def _own_rules(ruleset: Ruleset, players: int, rng: random.Random) -> tuple[tuple[str, Setting], ...]:
    """At every third table the players change one of the rules."""
    if rng.random() < 0.67 or not ruleset.knobs:
        return ()
    name = rng.choice(ruleset.knobs)
    knob = knob_of(ruleset, name)
    setting = rng.choice((*knob.words, *range(knob.least or 0, min(knob.most, 4) + 1)))
    try:
        return customise(ruleset, {name: setting}, players).changes
    except Fault:
        return ()  # a table that can't be played


def shared(one: SecretGame, other: SecretGame) -> int:
    """How many inputs from the start agree in public and leave the game going on."""
    for count, (fact, counterpart) in enumerate(zip(one.facts, other.facts, strict=False)):
        if fact != counterpart or fact.over:
            return count
    return min(len(one.facts), len(other.facts))


def difference(one: SecretGame, other: SecretGame) -> str:
    """The first thing by which the table could tell two games apart although they agree in public."""
    count = shared(one, other)
    spoken = {game.facts[count].said for game in (one, other) if count < len(game.facts)}
    mine, theirs = (_noticed(game, count, said=len(spoken) > 1) for game in (one, other))
    for event, counterpart in itertools.zip_longest(mine, theirs):
        if event != counterpart:
            return f"{one.public}: {_told(event, counterpart)}"
    return ""


def _noticed(game: SecretGame, count: int, said: bool) -> list[tuple[Any, ...]]:
    """What was noticed until the games differ in public: by what was ``said``, or by what came of it."""
    ends = game.begun if said else game.trace.inputs
    return game.trace.events[: ends[count]] if count < len(game.facts) else game.trace.events


def _told(event: object, counterpart: object) -> str:
    return f"{str(event)[:300]} in one game, {str(counterpart)[:300]} in the other"


@dataclass
class Comparison:
    """What came of comparing many pairs."""

    games: int = 0
    pairs: int = 0
    inputs: int = 0
    to_the_verdict: int = 0
    by_table: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    rows_said_twice: list[str] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Nothing could be told apart, and no row of a code sheet was said twice."""
        return not self.differences and not self.rows_said_twice

    def play(self, public: Public, variants: int = VARIANTS) -> None:
        """Play one course of events several times and compare every two of the games."""
        first = SecretGame(public, 0).play()
        games = [first, *(SecretGame(public, n, first.plan).play() for n in range(1, variants))]
        self.games += len(games)
        for game in games:
            twice = [row for row, count in Counter(game.rows_said).items() if count > 1]
            self.rows_said_twice += [f"{public}: {row}" for row in twice]
            self.told += game.told
        for one, other in itertools.combinations(games, 2):
            self.pairs += 1
            self.by_table[f"{public.ruleset} {public.way.value}"] += 1
            count = shared(one, other)
            self.inputs += count
            self.to_the_verdict += (
                one.over and other.over and count == len(one.facts) - 1 == len(other.facts) - 1
            )
            found = difference(one, other)
            if found:
                self.differences.append(found)


def compare(pairs: int, seed: int, variants: int = VARIANTS) -> Comparison:
    """Play and compare at least so many pairs."""
    comparison = Comparison()
    for public in publics(seed):
        if comparison.pairs >= pairs:
            break
        comparison.play(public, variants)
    return comparison


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Compare pairs of games that agree in public.")
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variants", type=int, default=VARIANTS, help="games to one course of events")
    args = parser.parse_args()
    began = time.perf_counter()
    found = compare(args.pairs, args.seed, args.variants)
    figures = {
        "pairs": found.pairs,
        "games": found.games,
        "differences": len(found.differences),
        "rows_said_twice": len(found.rows_said_twice),
        "inputs_compared_per_pair": round(found.inputs / found.pairs, 1),
        "agreed_to_the_verdict": found.to_the_verdict,
        "codes_said": len(found.told),
        "pairs_by_table": dict(sorted(found.by_table.items())),
        "seconds": round(time.perf_counter() - began),
        "first_differences": found.differences[:5] + found.rows_said_twice[:5],
    }
    print(json.dumps(figures, ensure_ascii=False, indent=2))
    return 0 if found.clean else 1


if __name__ == "__main__":
    raise SystemExit(main())
