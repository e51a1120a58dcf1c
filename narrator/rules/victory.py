"""Who has won: checked after every change of who is alive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from narrator.rules.game import Game
from narrator.rules.registry import VICTORIES
from narrator.rules.roles import Side

DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end: ``winner`` is ``killers``, ``good`` or ``draw``; ``reason`` names what decided it."""

    winner: str
    reason: str


SURRENDERS = {
    "killer": Verdict(Side.GOOD.value, "surrender_killers"),
    "police": Verdict(Side.KILLERS.value, "surrender_police"),
}
"""Roles that may surrender, and the verdict then (000 §5.5, 001 §二.5(5): 平民除外)."""

Counts = Mapping[str, int]


def verdict(game: Game) -> Verdict | None:
    """The verdict as the game stands, or None while it goes on or only the judge can know."""
    if game.roles is None:
        return None
    living = {role: len(game.living_holders(role)) for role in game.ruleset.deal(game.players)}
    return _decide(game, living)


def could_be_over(game: Game) -> bool:
    """Whether some assignment of the dealt roles to the seats has the game over.

    For tables where only the judge knows the roles: he is asked no sooner than this, and asked again at the
    next departure if he missed the end. Cards that were shown to everybody are counted as shown.
    """
    if game.roles is not None:
        return verdict(game) is not None
    possible = _survivors(game.ruleset.deal(game.players), len(game.living))
    return any(_decide(game, living) is not None for living in possible if _agrees(game, living))


def may_surrender(game: Game, role: str) -> bool:
    """Whether the role's side may give up: killers or police, the last living one only.

    (000 §5.5, 001 §二.5(5): 己方尚有同伴活着的时候严禁投降). While only the judge knows the roles it is
    enough that all but one may be out.
    """
    if role not in SURRENDERS or role not in game.ruleset.sides:
        return False
    if game.roles is None:
        return len(game.departures) >= game.ruleset.deal(game.players)[role] - 1
    return len(game.living_holders(role)) == 1


def surrender(game: Game, role: str) -> Verdict:
    """The side gives up; ``ValueError`` when it may not."""
    if not may_surrender(game, role):
        raise ValueError(f"{role} may not surrender now")
    return SURRENDERS[role]


def drawn(tie: str = "three_step") -> Verdict:
    """A third tie in a row is a draw (000 §4.5, 001 §二.4), or any tie where the table wants it so."""
    return Verdict(DRAW, "third_tie" if tie == "three_step" else "tie")


def _decide(game: Game, living: Counts) -> Verdict | None:
    result: Verdict | None = VICTORIES[game.ruleset.victory](living, game.ruleset.deal(game.players))
    return result


def _agrees(game: Game, living: Counts) -> bool:
    """Whether so many of each role can be living, after the cards that everybody has seen."""
    dealt = game.ruleset.deal(game.players)
    killers_out = sum(dealt[role] - living[role] for role in game.ruleset.roles_of(Side.KILLERS))
    shown = [killer for seat, killer in game.shown.items() if not game.is_living(seat)]
    return sum(shown) <= killers_out <= len(game.departures) - (len(shown) - sum(shown))


def _survivors(dealt: Counts, count: int) -> Iterator[dict[str, int]]:
    """Every way in which ``count`` of the dealt roles can still be living."""
    if not dealt:
        if count == 0:
            yield {}
        return
    role, *others = dealt
    rest = {other: dealt[other] for other in others}
    for living in range(min(dealt[role], count) + 1):
        for more in _survivors(rest, count - living):
            yield {role: living, **more}
