"""Who speaks after whom: to the right hand, around the table, skipping those who are out."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from narrator.rules.game import Game
from narrator.rules.registry import ORDERS, register


def from_right_of(game: Game, seat: int, seats: Collection[int] | None = None) -> tuple[int, ...]:
    """The living (or the given seats) from the first to the right of ``seat`` on, wrapping around.

    Seat k+1 sits to the right of seat k, or k-1 where ``right_hand`` is -1 (house decision). ``seat``
    itself, if it is among them, comes last.
    """
    return around(game, seat, game.right_hand, seats)


def around(game: Game, seat: int, step: int, seats: Collection[int] | None = None) -> tuple[int, ...]:
    """The living (or the given seats) from the neighbour of ``seat`` on, up (1) or down (-1) the numbers."""
    wanted = set(game.living if seats is None else seats)
    places = ((seat - 1 + n * step) % game.players + 1 for n in range(1, game.players + 1))
    return tuple(place for place in places if place in wanted)


def speaking_order(game: Game, victim: int | None) -> tuple[int, ...]:
    """The day's order of speeches and of candidates, by the ruleset's own rule.

    ``victim`` is whom the killers killed tonight, None for nobody (or nobody knows).
    """
    order: tuple[int, ...] = ORDERS[game.ruleset.day.order](game, victim)
    return order


def announced(game: Game, deaths: Iterable[int]) -> tuple[int, ...]:
    """Several dead of one night are told, and leave words, by seat in the day's direction (002 §3.B).

    House decision where a text doesn't say.
    """
    return tuple(sorted(deaths, reverse=direction(game) < 0))


def direction(game: Game) -> int:
    """Up (1) or down (-1) the numbers: to the right hand, or as the judge's order turns (002 §3.B)."""
    if game.ruleset.day.order == "judges_side":
        return 1 if game.round % 2 else -1
    return game.right_hand


@register(ORDERS, "right_of_victim")
def _right_of_victim(game: Game, victim: int | None) -> tuple[int, ...]:
    """From the right of the night's victim (000 §3.15-16, 001 §二.3(12)-(13)).

    House decision: with no victim, from the right of whoever left last; while nobody has left, from seat 1.
    """
    if victim is None and game.departures:
        victim = game.departures[-1].seat
    if victim is None:
        victim = game.players if game.right_hand == 1 else 2
    return from_right_of(game, victim)
