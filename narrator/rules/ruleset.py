"""Rulesets: what is dealt, who wakes at night, which tie and victory rules hold; data in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from narrator.faults import Fault
from narrator.rules.registry import ACTS, RESOLUTIONS, TIES, VICTORIES
from narrator.rules.roles import Side

HINTS = ("is_killer",)
LAST_WORDS = ("all", "none", "killers")

_FOLDER = "rulesets"
_LAST_RANK = 99
_KEYS = frozenset(
    {
        *("rank", "source", "sides", "deals", "night"),
        *("last_words", "tie", "resolution", "victory", "repeat_first_victim"),
    }
)


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


def read_ruleset(ruleset_id: str, content: bytes, file: str) -> Ruleset:
    """Read a ruleset's TOML (UTF-8); ``Fault("broken_ruleset")`` says precisely what is wrong."""
    try:
        return _read(ruleset_id, tomllib.loads(content.decode("utf-8")))
    except ValueError as error:
        raise Fault("broken_ruleset", file=file, why=str(error)) from error


@cache
def load(ruleset_id: str) -> Ruleset:
    """The ruleset of that id; ``Fault("unknown_ruleset")`` names those there are."""
    known = _ids()
    if ruleset_id not in known:
        raise Fault("unknown_ruleset", ruleset=ruleset_id, known=", ".join(known))
    file = resources.files("narrator.rules") / _FOLDER / f"{ruleset_id}.toml"
    return read_ruleset(ruleset_id, file.read_bytes(), file.name)


def all_rulesets() -> tuple[Ruleset, ...]:
    """Every ruleset, the default first."""
    return tuple(load(ruleset_id) for ruleset_id in _ids())


def playable(players: int) -> tuple[Ruleset, ...]:
    """The rulesets that so many can play; ``Fault("no_ruleset_fits")`` when there is none."""
    chosen = fitting(players)
    if not chosen:
        known = all_rulesets()
        fewest, most = min(ruleset.fewest for ruleset in known), max(ruleset.most for ruleset in known)
        raise Fault("no_ruleset_fits", players=players, fewest=fewest, most=most)
    return chosen


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
                rank = tomllib.loads(file.read_text(encoding="utf-8")).get("rank", _LAST_RANK)
            except ValueError:
                # Loading it will say what is wrong; listing the others must not fail.
                rank = _LAST_RANK
            ranked.append((rank if type(rank) is int else _LAST_RANK, file.name.removesuffix(".toml")))
    return tuple(ruleset_id for _, ruleset_id in sorted(ranked))


def _read(ruleset_id: str, data: Mapping[str, Any]) -> Ruleset:
    """Build the ruleset; ``ValueError`` with the reason when the file doesn't describe a playable game."""
    _check_keys(data, "", _KEYS - {"rank"}, _KEYS)
    if "rank" in data and not _is_count(data["rank"]):
        raise ValueError(f"rank = {data['rank']!r} is no number")
    sides = _sides(data["sides"])
    deals = _deals(data["deals"], sides)
    night = tuple(_step(step, sides) for step in _tables(data["night"], "night"))
    last_words = data["last_words"]
    if last_words not in LAST_WORDS and not _is_count(last_words):
        raise ValueError(f"last_words = {last_words!r} is none of {', '.join(LAST_WORDS)} and no number")
    for key, known in (("tie", TIES), ("resolution", RESOLUTIONS), ("victory", VICTORIES)):
        if not isinstance(data[key], str) or data[key] not in known:
            raise ValueError(f"{key} = {data[key]!r} is unknown ({', '.join(sorted(known))})")
    if not isinstance(data["repeat_first_victim"], bool):
        raise ValueError(f"repeat_first_victim = {data['repeat_first_victim']!r} is neither true nor false")
    for players, counts in deals.items():
        _check_night(night, counts, ACTS[data["resolution"]])
        _check_begins(players, counts, data["victory"])
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
        repeat_first_victim=data["repeat_first_victim"],
        source=str(data["source"]),
    )


def _check_keys(table: Mapping[str, Any], where: str, needed: Set[str], known: Set[str]) -> None:
    for key in sorted(needed - set(table)):
        raise ValueError(f"{where}{key} is missing")
    for key in sorted(set(table) - known):
        raise ValueError(f"{where}{key} is unknown")


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _tables(value: object, key: str) -> list[Mapping[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise ValueError(f"{key} is not a list of tables, each under [[{key}]]")
    return value


def _sides(value: object) -> dict[str, Side]:
    if not isinstance(value, dict):
        raise ValueError("sides is not a table under [sides]")
    for role, side in value.items():
        if side not in list(Side):
            raise ValueError(f"side {side!r} of role {role!r} is unknown ({', '.join(Side)})")
    if "civilian" not in value:
        raise ValueError("sides.civilian is missing")
    if value["civilian"] != Side.GOOD:
        raise ValueError("civilians win or lose with the police, their side is good")
    return {role: Side(side) for role, side in value.items()}


def _deals(value: object, sides: Mapping[str, Side]) -> dict[int, dict[str, int]]:
    deals: dict[int, dict[str, int]] = {}
    for row in _tables(value, "deals"):
        low, high = _span(row)
        counts = {role: count for role, count in row.items() if role != "players"}
        for role, count in counts.items():
            if role not in sides:
                raise ValueError(f"role {role!r} is dealt but has no side")
            if not _is_count(count):
                raise ValueError(f"{role} = {count!r} is no number of cards")
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
    return dict(sorted(deals.items()))


def _span(row: Mapping[str, Any]) -> tuple[int, int]:
    players = row.get("players")
    if not isinstance(players, list) or len(players) != 2 or not all(map(_is_count, players)):
        raise ValueError(f"players = {players!r} of a deal is not [fewest, most]")
    low, high = players
    if low > high:
        raise ValueError(f"players = {players!r} of a deal runs backwards")
    return low, high


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
    _check_keys(step, "night.", {"role", "act"}, {"role", "act", "hint"})
    hint = step.get("hint")
    if hint is not None and hint not in HINTS:
        raise ValueError(f"hint = {hint!r} is unknown ({', '.join(HINTS)})")
    if step["role"] not in list(sides):
        raise ValueError(f"role {step['role']!r} wakes but has no side")
    return NightStep(step["role"], str(step["act"]), hint)


def _check_night(night: tuple[NightStep, ...], dealt: Mapping[str, int], acts: Set[str]) -> None:
    """Every dealt role but the civilians wakes once, every act is done once and means something."""
    woken, done = [step.role for step in night], [step.act for step in night]
    for kind, names in (("role", woken), ("act", done)):
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"night step of {kind} {name!r} is listed twice")
    for act in sorted(acts - set(done)):
        raise ValueError(f"night step {act!r} is missing")
    for role in dealt:
        if role not in woken and role != "civilian":
            raise ValueError(f"night step of role {role!r} is missing")
    for role in woken:
        if role not in dealt:
            raise ValueError(f"role {role!r} wakes but is not dealt to {sum(dealt.values())} players")
    for step in night:
        if step.act not in acts and step.hint is None:
            raise ValueError(f"night step {step.act!r} does nothing and shows nothing")


def _check_begins(players: int, dealt: Mapping[str, int], victory: str) -> None:
    try:
        over = VICTORIES[victory](dealt, dealt) is not None
    except KeyError as error:
        raise ValueError(f"victory = {victory!r} needs the role {error.args[0]!r}") from error
    if over:
        raise ValueError(f"with {players} players the game is over before it begins")
