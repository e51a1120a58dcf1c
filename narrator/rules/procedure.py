"""The day's procedure as ruleset files describe it: order, laps, way of voting, parting shots, wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from narrator.rules.registry import ORDERS
from narrator.rules.roles import Side

BALLOTS = ("hands", "spoken")

KEYS = frozenset({"nights", "order", "laps", "ballot", "opening", "parting", "card_of", "wording"})
"""The keys of a ruleset file that are read here; all may be left out."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Whoever leaves holding ``role`` may take somebody along, unless tonight's act ``unless`` hit him."""

    role: str
    unless: str | None = None


@dataclass(frozen=True)
class Procedure:
    """How days go.

    ``nights`` is how many nights there are, None as many as the game lasts. ``order`` names who speaks
    after whom (``registry.ORDERS``). ``laps`` are the laps of speeches by round, the last for all rounds
    to come. ``ballot`` is by ``hands``, called seat by seat, or ``spoken``: each speaker names one seat
    right after speaking. ``opening`` is the line said before a day's first speech, empty for none.
    ``card_of`` says which playing card stands for a role. ``wording`` replaces a line's id by another.
    """

    nights: int | None = None
    order: str = "right_of_victim"
    laps: tuple[int, ...] = (1,)
    ballot: str = "hands"
    opening: str = ""
    parting: Parting | None = None
    card_of: Mapping[str, str] = field(default_factory=dict)
    wording: Mapping[str, str] = field(default_factory=dict)

    def laps_in(self, round_: int) -> int:
        """How many laps of speeches a round has."""
        return self.laps[min(round_, len(self.laps)) - 1]


def read_procedure(data: Mapping[str, Any], sides: Mapping[str, Side]) -> Procedure:
    """Read the keys of ``KEYS``; ``ValueError`` with the reason when one makes no sense."""
    given: dict[str, Any] = {key: data[key] for key in KEYS & set(data)}
    if "nights" in given and not _is_number(given["nights"]):
        raise ValueError(f"nights = {given['nights']!r} is no number from 1 up")
    if given.get("order", Procedure.order) not in list(ORDERS):
        raise ValueError(f"order = {given['order']!r} is unknown ({', '.join(sorted(ORDERS))})")
    if given.get("ballot", Procedure.ballot) not in BALLOTS:
        raise ValueError(f"ballot = {given['ballot']!r} is unknown ({', '.join(BALLOTS)})")
    if not isinstance(given.get("opening", ""), str):
        raise ValueError(f"opening = {given['opening']!r} is no line")
    if "laps" in given:
        laps = given["laps"]
        if not isinstance(laps, list) or not laps or not all(map(_is_number, laps)):
            raise ValueError(f"laps = {laps!r} is no list of numbers from 1 up")
        given["laps"] = tuple(laps)
    if "parting" in given:
        given["parting"] = _parting(given["parting"], sides)
    for key in ("card_of", "wording"):
        table = given.get(key, {})
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            raise ValueError(f"{key} is not a table of names under [{key}]")
    for role in given.get("card_of", {}):
        if role not in sides:
            raise ValueError(f"role {role!r} has a card but no side")
    return Procedure(**given)


def _parting(value: object, sides: Mapping[str, Side]) -> Parting:
    if not isinstance(value, dict) or "role" not in value or set(value) - {"role", "unless"}:
        raise ValueError(f"parting = {value!r} is not {{ role, unless }}")
    if value["role"] not in list(sides):
        raise ValueError(f"role {value['role']!r} takes somebody along but has no side")
    return Parting(value["role"], value.get("unless"))


def _is_number(value: object) -> bool:
    return type(value) is int and value > 0
