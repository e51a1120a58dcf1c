"""Rulesets: what is dealt, who wakes at night, which tie and victory rules hold; data in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from narrator.faults import Fault
from narrator.rules import procedure
from narrator.rules.deals import begin, read_deals
from narrator.rules.procedure import Procedure, read_procedure
from narrator.rules.reading import check_keys, is_count, tables
from narrator.rules.registry import KNOBS, RESOLUTIONS, REVEALS, TIES, VICTORIES, WORDS
from narrator.rules.roles import Side
from narrator.rules.steps import NightStep as NightStep
from narrator.rules.steps import check_night, read_step

PEACEFUL = ("day", "night")

_FOLDER = "rulesets"
_LAST_RANK = 99
_KEYS = frozenset(
    {
        *("rank", "source", "sides", "deals", "night"),
        *("last_words", "tie", "resolution", "victory", "repeat_first_victim"),
    }
)
_OPTIONAL = frozenset({"rank", "name", "knobs", "cards", "peaceful", "runners_up", "speech_seconds"})


@dataclass(frozen=True)
class Ruleset:
    """One game's rules as data; the named functions are in ``registry``.

    ``deals`` maps each number of players to the counts of the roles, special roles first. ``last_words``
    is a number of players or the name of a rule (``registry.WORDS``). ``repeat_first_victim`` says whether
    the first victim of the previous game may be the first again. ``day`` is the procedure of the days.

    ``cards`` says whether the card of whoever leaves is shown (``registry.REVEALS``). ``peaceful`` is what
    follows a night without deaths: the ``day``, or at once the next ``night``. ``runners_up`` makes the
    vote a run-off: so many behind the first stand in a second vote with it; 0 lets most votes decide at
    once. ``speech_seconds`` limits a speech, None as the table is set. ``knobs`` names what a table may
    change, in the order it is asked (see ``custom``); ``changes`` are the knobs turned so far, ``base``
    the ruleset they were turned on, ``name`` what a host's own ruleset is called.
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
    day: Procedure = field(default_factory=Procedure)
    cards: str = "hidden"
    peaceful: str = "day"
    runners_up: int = 0
    speech_seconds: int | None = None
    name: str = ""
    base: Ruleset | None = None
    knobs: tuple[str, ...] = ()
    changes: tuple[tuple[str, int | str], ...] = ()

    def deal(self, players: int) -> Mapping[str, int]:
        """How many of each role are dealt, in the order the cards are named.

        Raises ``Fault("players_do_not_fit")`` outside ``fewest``…``most``.
        """
        if players not in self.deals:
            raise Fault(
                "players_do_not_fit", ruleset=self.id, players=players, fewest=self.fewest, most=self.most
            )
        return self.deals[players]

    def tonight(self, round_: int) -> tuple[NightStep, ...]:
        """The steps of that round's night, in order."""
        return tuple(step for step in self.night if round_ == 1 or not step.first_night)

    def has_night(self, round_: int) -> bool:
        """Whether that round begins with a night."""
        return self.day.nights is None or round_ <= self.day.nights

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
    check_keys(data, "", _KEYS - {"rank"}, _KEYS | _OPTIONAL | procedure.KEYS)
    if "rank" in data and not is_count(data["rank"]):
        raise ValueError(f"rank = {data['rank']!r} is no number")
    sides = _sides(data["sides"])
    deals = read_deals(data["deals"], sides)
    night = tuple(read_step(step, sides) for step in tables(data["night"], "night"))
    last_words = data["last_words"]
    if last_words not in list(WORDS) and not is_count(last_words):
        raise ValueError(f"last_words = {last_words!r} is none of {', '.join(WORDS)} and no number")
    for key, known in (("tie", TIES), ("resolution", RESOLUTIONS), ("victory", VICTORIES)):
        if not isinstance(data[key], str) or data[key] not in known:
            raise ValueError(f"{key} = {data[key]!r} is unknown ({', '.join(sorted(known))})")
    if not isinstance(data["repeat_first_victim"], bool):
        raise ValueError(f"repeat_first_victim = {data['repeat_first_victim']!r} is neither true nor false")
    for players, counts in deals.items():
        check_night(night, counts, RESOLUTIONS[data["resolution"]], sides)
        begin(players, counts, data["victory"])
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
        day=read_procedure(data, sides),
        **_options(data),
    )


def _options(data: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that a file may leave out, those that are there."""
    for key, choices in (("cards", tuple(REVEALS)), ("peaceful", PEACEFUL)):
        if data.get(key, choices[0]) not in choices:
            raise ValueError(f"{key} = {data[key]!r} is none of {', '.join(choices)}")
    for key, least in (("runners_up", 0), ("speech_seconds", 1)):
        if key in data and not (is_count(data[key]) and data[key] >= least):
            raise ValueError(f"{key} = {data[key]!r} is no number from {least} up")
    knobs = data.get("knobs", [])
    if not isinstance(knobs, list) or not all(isinstance(knob, str) for knob in knobs):
        raise ValueError(f"knobs = {knobs!r} is no list of names")
    for knob in knobs:
        if knob not in {*KNOBS, "killers", *data["sides"]} - {"civilian"}:
            raise ValueError(f"knob {knob!r} is unknown")
    options = {key: data[key] for key in _OPTIONAL - {"rank", "knobs"} if key in data}
    return {**options, "knobs": tuple(knobs)}


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
