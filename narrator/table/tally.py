"""Figures of many games: who wins, how long it takes, who dies first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from narrator.rules.ruleset import Ruleset
from narrator.table.history import PastGame

WINNERS = ("killers", "good", "draw")


@dataclass(frozen=True, slots=True)
class Figures:
    """What finished games add up to.

    ``wins`` by the id of one of ``rulesets``, then by winner; ``rounds`` and ``victims`` (seats that died
    first) count games; ``minutes`` lists the lengths that are known; ``tables`` counts the speakers they
    were played at.
    """

    games: int
    tables: int
    first: float | None
    last: float | None
    wins: Mapping[str, Mapping[str, int]]
    rounds: Mapping[int, int]
    minutes: tuple[float, ...]
    victims: Mapping[int, int]
    rulesets: Mapping[str, Ruleset]


def add_up(journals: Iterable[Iterable[PastGame]]) -> Figures:
    """The figures of all finished games; one that stands in several journals counts once."""
    played: dict[tuple[float, int, int], PastGame] = {}
    tables = 0
    for journal in journals:
        new = {past.key: past for past in journal if past.verdict is not None and past.key not in played}
        tables += bool(new)
        played.update(new)
    wins: dict[str, Counter[str]] = {}
    for past in played.values():
        assert past.verdict is not None
        wins.setdefault(past.table.ruleset, Counter())[past.verdict.winner] += 1
    dates = sorted(past.began for past in played.values() if past.began is not None)
    return Figures(
        games=len(played),
        tables=tables,
        first=dates[0] if dates else None,
        last=dates[-1] if dates else None,
        wins={ruleset: {winner: counts[winner] for winner in WINNERS} for ruleset, counts in wins.items()},
        rounds=_counted(past.game.round for past in played.values()),
        minutes=tuple(past.seconds / 60 for past in played.values() if past.seconds),
        victims=_counted(past.first_victim for past in played.values() if past.first_victim is not None),
        rulesets={past.table.ruleset: past.game.ruleset for past in played.values()},
    )


def _counted(values: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(values).items()))
