"""生推版: one night in which nobody dies, a first speaker who moves on from game to game, cards shown."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.rules.dawn import Dawn
from narrator.rules.game import Cause, Game
from narrator.rules.order import around, from_right_of
from narrator.rules.registry import ORDERS, REVEALS, VICTORIES, register, resolution
from narrator.rules.roles import Side
from narrator.rules.victory import Counts, Verdict


@resolution("nobody_dies", most_deaths=0)
def _nobody_dies(game: Game, choices: Mapping[str, int | None]) -> Dawn:
    """The killers only recognise each other (001 §一.3(5)-(7))."""
    return Dawn(())


@register(ORDERS, "by_game_number")
def _by_game_number(game: Game, victim: int | None) -> tuple[int, ...]:
    """Seat g begins in game number g, later rounds begin right of the last player out (001 §一.3(8), (12)).

    House decision: the seats count around and around; a first speaker who is out hands on to the right.
    """
    if game.departures and game.round > 1:
        return from_right_of(game, game.departures[-1].seat)
    first = (game.number - 1) % game.players + 1
    before = around(game, first, -game.right_hand, game.seats)[0]
    return from_right_of(game, before)


@register(REVEALS, "second")
def _from_the_second(game: Game) -> tuple[int, ...]:
    """From the second player voted out on, cards are shown; if the second is a killer, the first's too.

    (001 §一.3(11), (13)-(15).) House decision: who was ejected shows nothing and doesn't count.
    """
    out = [departure.seat for departure in game.departures if departure.cause is Cause.VOTED]
    due = [seat for seat in out[1:] if seat not in game.shown]
    if len(out) > 1 and game.shown.get(out[1]) and out[0] not in game.shown:
        due.append(out[0])
    return tuple(due)


@register(VICTORIES, "level")
def _level(living: Counts, dealt: Counts) -> Verdict | None:
    """Both killers out - civilians win; as many killers as civilians living - killers win (001 §一.3(16)).

    House decision: more killers than civilians (somebody was ejected) is no better than as many.
    """
    if living["killer"] == 0:
        return Verdict(Side.GOOD.value, "killers_out")
    if living["killer"] >= living["civilian"]:
        return Verdict(Side.KILLERS.value, "level")
    return None
