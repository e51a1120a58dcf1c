"""What leaving brings with it: cards to show, and whether somebody may be taken along."""

from __future__ import annotations

from narrator.rules.game import Cause, Game
from narrator.rules.registry import REVEALS, register


def cards_due(game: Game) -> tuple[int, ...]:
    """The seats whose card has to be shown to everybody now, by the ruleset's rule."""
    due: tuple[int, ...] = REVEALS[game.ruleset.cards](game)
    return due


@register(REVEALS, "hidden")
def _hidden(game: Game) -> tuple[int, ...]:
    """Cards are never shown (000 §5.6, 001 §二.5(6): 游戏中严禁亮牌)."""
    return ()


@register(REVEALS, "shown")
def _shown(game: Game) -> tuple[int, ...]:
    """Whoever leaves shows the card, unless ejected (001 preface: 自定义规则; house decision)."""
    gone = (departure.seat for departure in game.departures if departure.cause is not Cause.EJECTED)
    return tuple(seat for seat in gone if seat not in game.shown)


def asks_parting(game: Game, seat: int) -> bool:
    """Whether a seat that left is asked whom it takes along, whoever it is.

    House decision: everybody killed or voted out is asked, until somebody has been taken along, so that
    the question tells nothing.
    """
    parting = game.ruleset.day.parting
    if parting is None or not game.ruleset.deal(game.players).get(parting.role):
        return False
    if any(departure.cause is Cause.SHOT for departure in game.departures):
        return False
    return any(gone.seat == seat and gone.cause in (Cause.KILLED, Cause.VOTED) for gone in game.departures)


def may_take_along(game: Game, seat: int) -> bool:
    """Whether the seat that left holds the card that takes somebody along, and nothing stops it.

    House decision for ``werewolf``: the hunter shoots, unless he was poisoned tonight. While only the
    judge knows the roles, his word stands.
    """
    parting = game.ruleset.day.parting
    if parting is None:
        return False
    if game.roles is None:
        return True
    if game.roles[seat] != parting.role:
        return False
    (gone,) = [departure for departure in game.departures if departure.seat == seat]
    if gone.cause is not Cause.KILLED or parting.unless is None:
        return True
    return game.nights[gone.round - 1].choices.get(parting.unless) != seat
