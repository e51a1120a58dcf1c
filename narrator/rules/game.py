"""A game in progress as the rules see it: who was dealt what, who has left, in which round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from narrator.rules.dawn import Dawn, Night
from narrator.rules.roles import Side
from narrator.rules.ruleset import Ruleset


class Cause(StrEnum):
    """Why a seat left the game."""

    KILLED = "killed"
    VOTED = "voted"
    SHOT = "shot"
    EJECTED = "ejected"


@dataclass(frozen=True, slots=True)
class Departure:
    """A seat that left, why, and in which round."""

    seat: int
    cause: Cause
    round: int


@dataclass(frozen=True)
class Game:
    """A position of the game; every change makes a new one.

    ``roles`` maps every seat to its role, or is None while only the judge knows them. ``right_hand`` is
    +1 where seat k+1 sits to the right of seat k, -1 for a table numbered the other way (house decision).
    ``barred`` is the previous game's first victim at this table, who may not be the first victim again
    (000 §5.8, 001 §二.5(8)). ``number`` counts the games at this table, from 1. ``nights`` are the nights
    that are over, ``shown`` the cards that were shown to everybody: seat to whether it is a killer's.
    """

    ruleset: Ruleset
    players: int
    roles: Mapping[int, str] | None = None
    departures: tuple[Departure, ...] = ()
    round: int = 1
    right_hand: int = 1
    barred: int | None = None
    number: int = 1
    nights: tuple[Night, ...] = ()
    shown: Mapping[int, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ruleset.deal(self.players)
        if self.right_hand not in (1, -1):
            raise ValueError(f"right_hand is {self.right_hand}, not 1 or -1")
        if self.roles is not None:
            self._check(self.roles)

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat dealt, 1 to n."""
        return tuple(range(1, self.players + 1))

    @property
    def living(self) -> tuple[int, ...]:
        """The seats still in the game, ascending."""
        out = {departure.seat for departure in self.departures}
        return tuple(seat for seat in self.seats if seat not in out)

    def is_living(self, seat: int) -> bool:
        """Whether the seat exists and is still in the game."""
        return 1 <= seat <= self.players and all(departure.seat != seat for departure in self.departures)

    def holders(self, role: str) -> tuple[int, ...]:
        """The seats that were dealt the role, ascending; ``ValueError`` while roles are unknown."""
        if self.roles is None:
            raise ValueError("only the judge knows the roles")
        return tuple(seat for seat in self.seats if self.roles[seat] == role)

    def living_holders(self, role: str) -> tuple[int, ...]:
        """The holders of the role who are still in the game."""
        return tuple(seat for seat in self.holders(role) if self.is_living(seat))

    def is_killer(self, seat: int) -> bool | None:
        """Whether the seat plays for the killers; None while that is neither dealt nor shown."""
        if self.roles is None:
            return self.shown.get(seat)
        return self.ruleset.sides[self.roles[seat]] is Side.KILLERS

    def with_roles(self, roles: Mapping[int, str]) -> Game:
        """The same game with its roles known; ``ValueError`` when they are not what was dealt."""
        return replace(self, roles=dict(roles))

    def completed(self, known: Mapping[int, str]) -> Game:
        """Some deal that agrees with the holders known so far; ``ValueError`` when there is none.

        For the first night, while roles are still waking: what is known of those who have woken holds
        whoever the others are.
        """
        left = Counter(dict(self.ruleset.deal(self.players)))
        left.subtract(known.values())
        rest = left.elements()
        return self.with_roles({seat: known.get(seat) or next(rest, "civilian") for seat in self.seats})

    def _check(self, roles: Mapping[int, str]) -> None:
        if sorted(roles) != list(self.seats):
            raise ValueError(f"roles for seats {sorted(roles)} at a table of {self.players}")
        dealt = {role: count for role, count in self.ruleset.deal(self.players).items() if count}
        if Counter(roles.values()) != dealt:
            raise ValueError(f"roles {dict(Counter(roles.values()))} where {dealt} were dealt")


def leave(game: Game, seats: Sequence[int], cause: Cause) -> Game:
    """Take seats out of the game, in this order; ``ValueError`` for one that is not in it."""
    for seat in seats:
        if not game.is_living(seat):
            raise ValueError(f"seat {seat} is not in the game")
    if len(set(seats)) != len(seats):
        raise ValueError(f"a seat leaves twice in {tuple(seats)}")
    gone = tuple(Departure(seat, cause, game.round) for seat in seats)
    return replace(game, departures=game.departures + gone)


def next_round(game: Game) -> Game:
    """The next night begins a new round (000 §3.18, 001 §二.3(14))."""
    return replace(game, round=game.round + 1)


def remember(game: Game, dawn: Dawn, choices: Mapping[str, int | None] | None = None) -> Game:
    """Keep what a night brought and the choices that had effect; nobody leaves by it yet."""
    return replace(game, nights=(*game.nights, Night(dawn, dict(choices or {}))))


def show(game: Game, seat: int, killer: bool) -> Game:
    """A card is shown to everybody: a killer's, or not."""
    return replace(game, shown={**game.shown, seat: killer})
