"""花蝴蝶版: a hug that redirects everything, needles counted over the whole game, the judge's own order."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.rules.dawn import Dawn
from narrator.rules.game import Cause, Departure, Game
from narrator.rules.order import around, direction
from narrator.rules.registry import ORDERS, REVEALS, VICTORIES, WORDS, hint, register, resolution
from narrator.rules.roles import Side
from narrator.rules.steps import KILL
from narrator.rules.victory import DRAW, Counts, Verdict

SPECIALS = ("butterfly", "sniper", "doctor", "police", "elder")

_DEADLY_NEEDLES = 2


@resolution("butterfly", "hug", "shoot", "needle", KILL, "mute", most_deaths=4, most_muted=2)
def _butterfly(game: Game, choices: Mapping[str, int | None]) -> Dawn:
    """Killed or shot dies, unless needled; killed and shot dies anyway; the second empty needle kills.

    (002 §3.A.) The hugged seat is out of reach of everything, and shares whatever hits the butterfly.
    """
    killed, shot, needled, muted = (_reached(game, choices, act) for act in (KILL, "shoot", "needle", "mute"))
    needles = needled - killed - shot
    fatal = {seat for seat in needles if _needles_before(game, seat) + 1 >= _DEADLY_NEEDLES}
    deaths = (killed & shot) | ((killed | shot) - needled) | fatal
    victim = choices.get(KILL)
    return Dawn(
        deaths=tuple(deaths),
        muted=tuple(muted),
        victim=victim if victim in deaths else None,
        needles=tuple(sorted(needles)),
    )


def _reached(game: Game, choices: Mapping[str, int | None], act: str) -> set[int]:
    """The seats that an act aimed at one seat takes effect on (002 §3.A, first two sentences)."""
    aimed, hugged = choices.get(act), choices.get("hug")
    if aimed is None or aimed == hugged:
        return set()
    if hugged is not None and game.roles is not None and game.roles[aimed] == "butterfly":
        return {aimed, hugged}
    return {aimed}


def _needles_before(game: Game, seat: int) -> int:
    return sum(seat in night.dawn.needles for night in game.nights)


@hint("is_killer_unless_hugged", gestures=3)
def _is_killer_unless_hugged(game: Game, choices: Mapping[str, int | None], seat: int) -> str:
    """Nod for a killer, shake for everybody else, no sign at all for the hugged (002 §2.E)."""
    if seat == choices.get("hug"):
        return "nothing"
    return "yes" if game.is_killer(seat) else "no"


@register(ORDERS, "judges_side")
def _judges_side(game: Game, victim: int | None) -> tuple[int, ...]:
    """From the last of the night's dead on, up the numbers on day 1, down on day 2, and so on (002 §3.B-C).

    House decision: if nobody died, from the judge's side: seat 1, or the highest seat on the way down.
    """
    step = direction(game)
    tonight = [gone for gone in game.departures if gone.cause is Cause.KILLED and gone.round == game.round]
    before = tonight[-1].seat if tonight else (game.players if step == 1 else 1)
    return around(game, before, step)


@register(WORDS, "all_but_voted_killers")
def _all_but_voted_killers(game: Game, seat: int) -> bool:
    """The night's dead whoever they are; by vote everybody but a killer (002 §3.B, D).

    House decision: who is muted says nothing, dead or not.
    """
    gone = _departure(game, seat)
    if gone.cause is Cause.VOTED:
        return not game.is_killer(seat)
    muted = game.nights[-1].dawn.muted if game.nights else ()
    return gone.cause is Cause.KILLED and not (seat in muted and gone.round == game.round)


@register(REVEALS, "side")
def _side_of_the_voted(game: Game) -> tuple[int, ...]:
    """Whether a killer was voted out is told at once (002 §3.D)."""
    out = (departure.seat for departure in game.departures if departure.cause is Cause.VOTED)
    return tuple(seat for seat in out if seat not in game.shown)


def _departure(game: Game, seat: int) -> Departure:
    return next(departure for departure in game.departures if departure.seat == seat)


@register(VICTORIES, "specials_or_parity")
def _specials_or_parity(living: Counts, dealt: Counts) -> Verdict | None:
    """All killers out - good wins; all specials out, or killers no fewer than others - killers (002 §4).

    The last killers and the last specials out in the same moment - a draw, before anything else.
    """
    killers = living["killer"]
    specials = sum(living[role] for role in SPECIALS if role in living)
    if killers == 0 and specials == 0:
        return Verdict(DRAW, "both_out")
    if killers == 0:
        return Verdict(Side.GOOD.value, "killers_out")
    if specials == 0:
        return Verdict(Side.KILLERS.value, "specials_out")
    if 2 * killers >= sum(living.values()):
        return Verdict(Side.KILLERS.value, "parity")
    return None
