"""Who speaks after whom: to the right hand, around the table, skipping those who are out."""

from __future__ import annotations

from collections.abc import Collection

from narrator.rules.game import Game


def from_right_of(game: Game, seat: int, seats: Collection[int] | None = None) -> tuple[int, ...]:
    """The living (or the given seats) from the first to the right of ``seat`` on, wrapping around.

    Seat k+1 sits to the right of seat k, or k-1 where ``right_hand`` is -1 (house decision). ``seat``
    itself, if it is among them, comes last.
    """
    wanted = set(game.living if seats is None else seats)
    around = ((seat - 1 + step * game.right_hand) % game.players + 1 for step in range(1, game.players + 1))
    return tuple(place for place in around if place in wanted)


def speaking_order(game: Game, victim: int | None) -> tuple[int, ...]:
    """The day's order of speeches and of candidates (000 §3.15-16, 001 §二.3(12)-(13)).

    From the right of the night's victim. House decision: with no victim, from the right of whoever left
    last; while nobody has left, from seat 1.
    """
    if victim is None and game.departures:
        victim = game.departures[-1].seat
    if victim is None:
        victim = game.players if game.right_hand == 1 else 2
    return from_right_of(game, victim)
