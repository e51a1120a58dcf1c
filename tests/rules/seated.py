"""Tables of any ruleset: who sits where, and nights told by what everybody chooses."""

from __future__ import annotations

from narrator.rules.dawn import Dawn
from narrator.rules.game import Cause, Game, leave, next_round
from narrator.rules.night import end_night
from narrator.rules.ruleset import load


def seated(ruleset_id: str, players: int, **cards: int | tuple[int, ...]) -> Game:
    """A game whose special roles lie at these seats; everybody else is a civilian."""
    roles = dict.fromkeys(range(1, players + 1), "civilian")
    for role, seats in cards.items():
        roles |= dict.fromkeys((seats,) if isinstance(seats, int) else seats, role)
    return Game(load(ruleset_id), players, roles)


def night(game: Game, **choices: int | None) -> tuple[Game, Dawn]:
    """A night in which these acts are chosen; the dead leave."""
    ended, dawn = end_night(game, choices)
    return leave(ended, dawn.deaths, Cause.KILLED), dawn


def later_night(game: Game, **choices: int | None) -> tuple[Game, Dawn]:
    """The night of the next round."""
    return night(next_round(game), **choices)
