"""Rulesets: what is dealt, who wakes at night, which tie and victory rules hold; data in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from narrator.faults import Fault
from narrator.rules.registry import RESOLUTIONS, TIES, VICTORIES
from narrator.rules.roles import Side

HINTS = ("is_killer",)
LAST_WORDS = ("all", "none", "killers")

_FOLDER = "rulesets"


@dataclass(frozen=True, slots=True)
class NightStep:
    """A role wakes and acts.

    ``act`` names what it does to the seat it chooses. ``hint`` is what the judge shows it afterwards by a
    gesture: ``is_killer`` or nothing.
    """

    role: str
    act: str
    hint: str | None = None


@dataclass(frozen=True)
class Ruleset:
    """One game's rules as data; the named functions are in ``registry``.

    ``deals`` maps each number of players to the counts of the roles, special roles first. ``last_words``
    is ``all``, ``none``, ``killers`` (as many as killers were dealt) or a number. ``repeat_first_victim``
    says whether the first victim of the previous game may be the first again.
    """

    id: str
    fewest: int
    most: int
    deals: Mapping[int, Mapping[str, int]]
    sides: Mapping[str, Side]
    night: tuple[NightStep, ...]
    last_words: str | int
    tie: str
    resolution: str
    victory: str
    repeat_first_victim: bool
    source: str

    def deal(self, players: int) -> Mapping[str, int]:
        """How many of each role are dealt, in the order the cards are named.

        Raises ``Fault("players_do_not_fit")`` outside ``fewest``…``most``.
        """
        if players not in self.deals:
            raise Fault(
                "players_do_not_fit", ruleset=self.id, players=players, fewest=self.fewest, most=self.most
            )
        return self.deals[players]

    def roles_of(self, side: Side) -> tuple[str, ...]:
        """The roles that play for a side."""
        return tuple(role for role, of in self.sides.items() if of is side)


def read_ruleset(ruleset_id: str, text: str, file: str) -> Ruleset:
    """Read a ruleset's TOML; ``Fault("broken_ruleset")`` says precisely what is wrong."""
    try:
        return _read(ruleset_id, tomllib.loads(text))
    except (ValueError, KeyError, TypeError) as error:
        why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise Fault("broken_ruleset", file=file, why=why) from error


@cache
def load(ruleset_id: str) -> Ruleset:
    """The ruleset of that id; ``Fault("unknown_ruleset")`` names those there are."""
    known = _ids()
    if ruleset_id not in known:
        raise Fault("unknown_ruleset", ruleset=ruleset_id, known=", ".join(known))
    file = resources.files("narrator.rules") / _FOLDER / f"{ruleset_id}.toml"
    return read_ruleset(ruleset_id, file.read_text(encoding="utf-8"), file.name)


def all_rulesets() -> tuple[Ruleset, ...]:
    """Every ruleset, the default first."""
    return tuple(load(ruleset_id) for ruleset_id in _ids())


def fitting(players: int) -> tuple[Ruleset, ...]:
    """The rulesets that so many can play."""
    return tuple(ruleset for ruleset in all_rulesets() if players in ruleset.deals)


@cache
def _ids() -> tuple[str, ...]:
    """Ids by their files' ``rank``: the order in which rulesets are offered, the default first."""
    ranked = []
    for file in (resources.files("narrator.rules") / _FOLDER).iterdir():
        if file.name.endswith(".toml"):
            try:
                rank = tomllib.loads(file.read_text(encoding="utf-8")).get("rank", 99)
            except ValueError:
                rank = 99
            ranked.append((rank, file.name.removesuffix(".toml")))
    return tuple(ruleset_id for _, ruleset_id in sorted(ranked))


def _read(ruleset_id: str, data: Mapping[str, Any]) -> Ruleset:
    sides = {role: Side(side) for role, side in data["sides"].items()}
    deals = _deals(data["deals"], sides)
    night = tuple(_step(step, sides) for step in data["night"])
    _check_night(night)
    last_words = data["last_words"]
    if last_words not in LAST_WORDS and not (type(last_words) is int and last_words >= 0):
        raise ValueError(f"last_words = {last_words!r} is none of {', '.join(LAST_WORDS)} and no number")
    for key, known in (("tie", TIES), ("resolution", RESOLUTIONS), ("victory", VICTORIES)):
        if data[key] not in known:
            raise ValueError(f"{key} = {data[key]!r} is unknown ({', '.join(sorted(known))})")
    return Ruleset(
        id=ruleset_id,
        fewest=min(deals),
        most=max(deals),
        deals=deals,
        sides=sides,
        night=night,
        last_words=last_words,
        tie=data["tie"],
        resolution=data["resolution"],
        victory=data["victory"],
        repeat_first_victim=bool(data["repeat_first_victim"]),
        source=str(data["source"]),
    )


def _deals(rows: list[Mapping[str, Any]], sides: Mapping[str, Side]) -> dict[int, dict[str, int]]:
    deals: dict[int, dict[str, int]] = {}
    for row in rows:
        low, high = row["players"]
        counts = {role: count for role, count in row.items() if role != "players"}
        for role in counts:
            if role not in sides:
                raise ValueError(f"role {role!r} is dealt but has no side")
        if "civilian" in counts:
            raise ValueError("civilians are what is left of the table, they are not listed in a deal")
        for players in range(low, high + 1):
            if players in deals:
                raise ValueError(f"{players} players are dealt twice")
            deals[players] = _deal(players, counts, sides)
    if not deals:
        raise ValueError("no deal is listed")
    missing = [players for players in range(min(deals), max(deals)) if players not in deals]
    if missing:
        raise ValueError(f"no deal for {missing[0]} players")
    return deals


def _deal(players: int, counts: Mapping[str, int], sides: Mapping[str, Side]) -> dict[str, int]:
    left = players - sum(counts.values())
    if left < 0:
        raise ValueError(f"{sum(counts.values())} roles for {players} players")
    killers = sum(count for role, count in counts.items() if sides[role] is Side.KILLERS)
    if killers < 1:
        raise ValueError(f"no killers among {players} players")
    if 2 * killers >= players:
        raise ValueError(f"{killers} killers are not fewer than the others of {players} players")
    return {**counts, "civilian": left}


def _step(step: Mapping[str, Any], sides: Mapping[str, Side]) -> NightStep:
    hint = step.get("hint")
    if hint is not None and hint not in HINTS:
        raise ValueError(f"hint = {hint!r} is unknown ({', '.join(HINTS)})")
    if step["role"] not in sides:
        raise ValueError(f"role {step['role']!r} wakes but has no side")
    return NightStep(str(step["role"]), str(step["act"]), hint)


def _check_night(night: tuple[NightStep, ...]) -> None:
    if not night:
        raise ValueError("nobody wakes at night")
    acts = [step.act for step in night]
    for act in acts:
        if acts.count(act) > 1:
            raise ValueError(f"night step {act!r} is listed twice")
    if "kill" not in acts:
        raise ValueError("night step 'kill' is missing")
