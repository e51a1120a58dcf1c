"""The recap after a verdict, in half a minute: who was who, what nights and days brought, where it turned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from narrator.moderator.effects import Say, Value
from narrator.rules.game import Game
from narrator.rules.roles import Side
from narrator.rules.victory import Verdict

DETAILED = 4
"""Rounds that are told one by one; a longer game is told in two sentences, to stay within half a minute."""

CHECK = "check"
"""The act by which a role learns whether a seat is a killer."""

_BYSTANDERS = "civilian"


@dataclass(frozen=True, slots=True)
class Run:
    """From ``round`` on only the losing ``side`` has left the game, ``count`` of it one after the other."""

    round: int
    side: Side
    count: int


def recap(game: Game, verdict: Verdict) -> tuple[Say, ...]:
    """A finished game in a few lines; what only the judge knows is left out."""
    told = _rounds(game) if game.round <= DETAILED else _in_short(game)
    return (*reveal(game), *_first_hit(game), *told, *_turn(game, verdict))


def reveal(game: Game) -> Iterator[Say]:
    """Who held the roles that were not civilians."""
    if game.roles is None:
        return
    for role in game.ruleset.deal(game.players):
        if role != _BYSTANDERS and game.holders(role):
            yield Say("end.reveal", {"role": role, "seats": game.holders(role)})


def losing_run(game: Game, verdict: Verdict) -> Run | None:
    """The losses in a row that ended the game, if there were two or more."""
    roles = game.roles
    if roles is None or verdict.winner not in (Side.KILLERS, Side.GOOD):
        return None
    loser = Side.GOOD if verdict.winner == Side.KILLERS else Side.KILLERS
    lost = [*takewhile(lambda one: game.ruleset.sides[roles[one.seat]] is loser, reversed(game.departures))]
    return Run(lost[-1].round, loser, len(lost)) if len(lost) > 1 else None


def first_hit(game: Game) -> tuple[int, str, int] | None:
    """The first check that found a killer: the number of the night, the role that checked, the seat."""
    for number, night in enumerate(game.nights, start=1):
        for step in game.ruleset.tonight(number):
            seat = night.choices.get(CHECK) if step.act == CHECK else None
            if seat is not None and game.is_killer(seat):
                return number, step.role, seat
    return None


def out_by_day(game: Game, number: int) -> tuple[int, ...]:
    """Who left in that round other than by its night, in order."""
    dead = game.nights[number - 1].dawn.deaths if number <= len(game.nights) else ()
    return tuple(one.seat for one in game.departures if one.round == number and one.seat not in dead)


def _first_hit(game: Game) -> Iterator[Say]:
    hit = first_hit(game)
    if hit is not None:
        night, role, seat = hit
        yield Say("recap.hit", {"night": night, "role": role, "seat": seat})


def _rounds(game: Game) -> Iterator[Say]:
    for number in range(1, game.round + 1):
        if number <= len(game.nights):
            dead = game.nights[number - 1].dawn.deaths
            params: dict[str, Value] = {"night": number, "seats": dead} if dead else {"night": number}
            yield Say("recap.night" if dead else "recap.quiet", params)
        for seat in out_by_day(game, number):
            if game.roles is None:
                yield Say("recap.out", {"day": number, "seat": seat})
            else:
                yield Say("recap.out_as", {"day": number, "seat": seat, "role": game.roles[seat]})


def _in_short(game: Game) -> Iterator[Say]:
    dead = tuple(seat for night in game.nights for seat in night.dawn.deaths)
    out = tuple(seat for number in range(1, game.round + 1) for seat in out_by_day(game, number))
    if dead:
        yield Say("recap.nights", {"seats": dead})
    if out:
        yield Say("recap.days", {"seats": out})


def _turn(game: Game, verdict: Verdict) -> Iterator[Say]:
    run = losing_run(game, verdict)
    if run is not None:
        yield Say("recap.turn", {"round": run.round, "side": run.side.value, "people": run.count})
