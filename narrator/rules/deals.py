"""The deals of a ruleset: how many cards of each role, and whether that can be played at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.rules.reading import is_count, tables
from narrator.rules.registry import VICTORIES
from narrator.rules.roles import Side

MOST_PLAYERS = 16
"""The biggest table: no number beyond is understood as a seat."""


class Impossible(ValueError):  # noqa: N818 - a table, not an error of the program
    """A table that can't be played; ``reason`` and ``params`` name and fill the sentence that says why."""

    def __init__(self, reason: str, why: str, **params: object) -> None:
        super().__init__(why)
        self.reason = reason
        self.params = params


def read_deals(value: object, sides: Mapping[str, Side]) -> dict[int, dict[str, int]]:
    """The cards of every number of players, in order; ``ValueError`` when they make no game."""
    deals: dict[int, dict[str, int]] = {}
    for row in tables(value, "deals"):
        low, high = _span(row)
        counts = {role: count for role, count in row.items() if role != "players"}
        for role, count in counts.items():
            if role not in sides:
                raise ValueError(f"role {role!r} is dealt but has no side")
            if not is_count(count):
                raise ValueError(f"{role} = {count!r} is no number of cards")
        if "civilian" in counts:
            raise ValueError("civilians are what is left of the table, they are not listed in a deal")
        for players in range(low, high + 1):
            if players in deals:
                raise ValueError(f"{players} players are dealt twice")
            deals[players] = deal_out(players, counts, sides)
    if not deals:
        raise ValueError("no deal is listed")
    missing = [players for players in range(min(deals), max(deals)) if players not in deals]
    if missing:
        raise ValueError(f"no deal for {missing[0]} players")
    return dict(sorted(deals.items()))


def deal_out(players: int, counts: Mapping[str, int], sides: Mapping[str, Side]) -> dict[str, int]:
    """The special roles' cards, and civilians for the rest; ``Impossible`` when that is no game."""
    roles = sum(counts.values())
    if roles > players:
        raise Impossible(
            "too_many_roles", f"{roles} roles for {players} players", roles=roles, players=players
        )
    killers = sum(count for role, count in counts.items() if sides[role] is Side.KILLERS)
    if killers < 1:
        raise Impossible("no_killers", f"no killers among {players} players", players=players)
    if 2 * killers >= players:
        raise Impossible(
            "parity",
            f"{killers} killers are not fewer than the others of {players} players",
            killers=killers,
            players=players,
        )
    return {**counts, "civilian": players - roles}


def begin(players: int, dealt: Mapping[str, int], victory: str) -> None:
    """``Impossible`` when so many players' game is over before it begins, or lacks a role it needs."""
    try:
        over = VICTORIES[victory](dealt, dealt) is not None
    except KeyError as error:
        role = error.args[0]
        raise Impossible("needs_role", f"victory = {victory!r} needs the role {role!r}", role=role) from error
    if over:
        raise Impossible("over", f"with {players} players the game is over before it begins", players=players)


def _span(row: Mapping[str, Any]) -> tuple[int, int]:
    players = row.get("players")
    if not isinstance(players, list) or len(players) != 2 or not all(map(is_count, players)):
        raise ValueError(f"players = {players!r} of a deal is not [fewest, most]")
    low, high = players
    if low > high:
        raise ValueError(f"players = {players!r} of a deal runs backwards")
    if high > MOST_PLAYERS:
        raise ValueError(f"players = {players!r} of a deal are more than {MOST_PLAYERS}")
    return low, high
