"""The night: whom a role may choose, what the choices do, and what the judge may show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from narrator.rules.dawn import Dawn as Dawn
from narrator.rules.game import Game, remember
from narrator.rules.order import announced
from narrator.rules.registry import HINTS, LIMITS, RESOLUTIONS
from narrator.rules.steps import KILL, NightStep

Choices = Mapping[str, int | None]


class Refusal(StrEnum):
    """Why a seat can't be chosen."""

    NO_SUCH_SEAT = "no_such_seat"
    OUT = "out"
    BARRED = "barred"
    SPENT = "spent"
    FORBIDDEN = "forbidden"


def may_choose(
    game: Game, step: NightStep, seat: int | None, tonight: Choices | None = None
) -> Refusal | None:
    """Why the waking role can't choose that seat, or None when it can.

    无 (None) is accepted for any action (house decision). Killers may choose one of their own (000 §5.7,
    001 §二.5(7): 自杀). Only the living can be chosen. The first victim of the previous game may not be
    the first again (000 §5.8, 001 §二.5(8)). An act that may be done so many times a game (001 §三: the
    secret police's shot) is spent afterwards. ``tonight`` are the choices made before in the same night.
    """
    if seat is None:
        return None
    if seat not in game.seats:
        return Refusal.NO_SUCH_SEAT
    if not game.is_living(seat):
        return Refusal.OUT
    if step.act == KILL and is_barred(game, seat):
        return Refusal.BARRED
    if is_spent(game, step):
        return Refusal.SPENT
    if any(LIMITS[limit](game, step, seat, tonight or {}) for limit in step.limits):
        return Refusal.FORBIDDEN
    return None


def is_barred(game: Game, seat: int) -> bool:
    """Whether the killers may not choose the seat because it was the previous game's first victim."""
    return not game.ruleset.repeat_first_victim and game.round == 1 and seat == game.barred


def is_spent(game: Game, step: NightStep) -> bool:
    """Whether the act was done as often as a game allows."""
    if step.uses is None or step.act is None:
        return False
    return sum(night.choices.get(step.act) is not None for night in game.nights) >= step.uses


def resolve(game: Game, choices: Choices) -> Dawn:
    """What the night's choices, by act, do under the game's ruleset; a dead role's choice does nothing.

    ``ValueError`` for an act that the ruleset doesn't have.
    """
    dawn: Dawn = RESOLUTIONS[game.ruleset.resolution].decide(game, effective(game, choices))
    return replace(dawn, deaths=announced(game, dawn.deaths), muted=tuple(sorted(dawn.muted)))


def effective(game: Game, choices: Choices) -> dict[str, int | None]:
    """The choices that count: those of roles somebody living holds, as far as the rules can know."""
    roles = {step.act: step.role for step in game.ruleset.night}
    for act in choices:
        if act not in roles:
            raise ValueError(f"{act!r} is no act of {game.ruleset.id}")
    return {act: seat for act, seat in choices.items() if _acts(game, roles[act])}


def end_night(game: Game, choices: Choices) -> tuple[Game, Dawn]:
    """Resolve the night and remember it; who died has still to leave."""
    dawn = resolve(game, choices)
    return remember(game, dawn, effective(game, choices)), dawn


def end_reported_night(game: Game, deaths: tuple[int, ...], muted: tuple[int, ...] = ()) -> tuple[Game, Dawn]:
    """The same where only the judge knows what was chosen, and tells what came of it.

    Whom the killers chose is only known where a single player died.
    """
    victim = deaths[0] if len(deaths) == 1 else None
    dawn = Dawn(announced(game, deaths), tuple(sorted(muted)), victim)
    return remember(game, dawn), dawn


def hint(game: Game, step: NightStep, choices: Choices) -> str | None:
    """Which gesture the judge shows the role about the seat it chose tonight (000 §3.10, 001 §二.3(8)).

    None where there is nothing to show: nobody was chosen, the role has no living holder, or only the
    judge knows the roles.
    """
    seat = choices.get(step.act) if step.act is not None else None
    if step.hint is None or seat is None or game.roles is None or not _acts(game, step.role):
        return None
    return HINTS[step.hint].tell(game, effective(game, choices), seat)


def may_be_told(game: Game, seat: int | None, *, of_death: bool) -> Refusal | None:
    """Why a judge who keeps the secrets can't have seen that seat die (or be muted), or None when he can."""
    if seat is None:
        return None
    if seat not in game.seats:
        return Refusal.NO_SUCH_SEAT
    if not game.is_living(seat):
        return Refusal.OUT
    # Where more than one can die, somebody else than the killers may have killed whom they may not.
    if of_death and most_deaths(game) == 1 and is_barred(game, seat):
        return Refusal.BARRED
    return None


def most_deaths(game: Game) -> int:
    """How many can die in one night at most."""
    return RESOLUTIONS[game.ruleset.resolution].most_deaths


def most_muted(game: Game) -> int:
    """How many can be muted for one day at most."""
    return RESOLUTIONS[game.ruleset.resolution].most_muted


def _acts(game: Game, role: str) -> bool:
    """Somebody who holds the role is living, as far as the rules can know."""
    return game.roles is None or bool(game.living_holders(role))
