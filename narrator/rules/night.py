"""The night: whom a role may choose, what the choices do, and what the judge may show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from narrator.rules.game import Game
from narrator.rules.registry import ACTS, RESOLUTIONS, register
from narrator.rules.roles import Side
from narrator.rules.ruleset import NightStep


class Refusal(StrEnum):
    """Why a seat can't be chosen."""

    NO_SUCH_SEAT = "no_such_seat"
    OUT = "out"
    BARRED = "barred"


@dataclass(frozen=True, slots=True)
class Dawn:
    """What the night brought: the dead in the order they are announced."""

    deaths: tuple[int, ...]


def may_choose(game: Game, step: NightStep, seat: int | None) -> Refusal | None:
    """Why the waking role can't choose that seat, or None when it can.

    无 (None) is accepted for any action (house decision). Killers may choose one of their own (000 §5.7,
    001 §二.5(7): 自杀). Only the living can be chosen. The first victim of the previous game may not be
    the first again (000 §5.8, 001 §二.5(8)).
    """
    if seat is None:
        return None
    if seat not in game.seats:
        return Refusal.NO_SUCH_SEAT
    if not game.is_living(seat):
        return Refusal.OUT
    if step.act == "kill" and _is_barred(game, seat):
        return Refusal.BARRED
    return None


def resolve(game: Game, choices: Mapping[str, int | None]) -> Dawn:
    """What the night's choices, by act, do under the game's ruleset; a dead role's choice does nothing.

    ``ValueError`` for an act that the ruleset doesn't have.
    """
    roles = {step.act: step.role for step in game.ruleset.night}
    for act in choices:
        if act not in roles:
            raise ValueError(f"{act!r} is no act of {game.ruleset.id}")
    done = {act: seat for act, seat in choices.items() if _acts(game, roles[act])}
    dawn: Dawn = RESOLUTIONS[game.ruleset.resolution](game, done)
    return dawn


def hint(game: Game, step: NightStep, seat: int | None) -> bool | None:
    """What the judge's gesture says about the checked seat: True for a killer (000 §3.10, 001 §二.3(8)).

    None where there is nothing to show: nobody was checked, the role has no living holder, or only the
    judge knows the roles.
    """
    if step.hint is None or seat is None or game.roles is None or not _acts(game, step.role):
        return None
    return game.ruleset.sides[game.roles[seat]] is Side.KILLERS


def _is_barred(game: Game, seat: int) -> bool:
    return not game.ruleset.repeat_first_victim and game.round == 1 and seat == game.barred


def _acts(game: Game, role: str) -> bool:
    """Somebody who holds the role is living, as far as the rules can know."""
    return game.roles is None or bool(game.living_holders(role))


ACTS["victim_dies"] = frozenset({"kill"})


@register(RESOLUTIONS, "victim_dies")
def _victim_dies(game: Game, choices: Mapping[str, int | None]) -> Dawn:
    """The killers' victim dies (000 §3.13, 001 §二.3(11))."""
    victim = choices.get("kill")
    return Dawn(() if victim is None else (victim,))
