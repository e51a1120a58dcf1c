"""Who may leave last words."""

from __future__ import annotations

from narrator.rules.game import Cause, Game
from narrator.rules.registry import WORDS, register
from narrator.rules.roles import Side


def quota(game: Game) -> int:
    """How many may leave last words in the whole game, where it is a matter of numbers.

    ``classic``: everyone who is killed or voted out (000 §3.13, §3.17). ``standard``: as many as killers
    were dealt (001 §二, 注释: 留遗言人数与警匪人数相同).
    """
    wanted = game.ruleset.last_words
    if isinstance(wanted, int):
        return wanted
    if wanted == "killers":
        dealt = game.ruleset.deal(game.players)
        return sum(dealt[role] for role in game.ruleset.roles_of(Side.KILLERS) if role in dealt)
    return 0 if wanted == "none" else game.players


def has_last_words(game: Game, seat: int) -> bool:
    """Whether a seat that has left may speak once more, by the ruleset's number or rule."""
    wanted = game.ruleset.last_words
    return _among_the_first(game, seat) if isinstance(wanted, int) else bool(WORDS[wanted](game, seat))


def _among_the_first(game: Game, seat: int) -> bool:
    """The first to leave may speak.

    House decision: who was ejected leaves without a word and uses none of the number up.
    """
    entitled = [departure.seat for departure in game.departures if departure.cause is not Cause.EJECTED]
    return seat in entitled[: quota(game)]


for _name in ("all", "none", "killers"):
    register(WORDS, _name)(_among_the_first)
