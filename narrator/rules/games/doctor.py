"""3.0 版: a doctor who saves or leaves an empty needle, a secret police with a single shot."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.rules.dawn import Dawn
from narrator.rules.game import Game
from narrator.rules.registry import VICTORIES, register, resolution
from narrator.rules.roles import Side
from narrator.rules.steps import KILL
from narrator.rules.victory import Counts, Verdict


@resolution("needle_after_needle", "shoot", KILL, "heal", most_deaths=3)
def _needle_after_needle(game: Game, choices: Mapping[str, int | None]) -> Dawn:
    """Whom the killers or the secret police hit dies unless the doctor treats him (001 §三, 医生使用方法).

    Treating anybody else leaves an empty needle; empty needles on two consecutive nights kill. A night
    without one heals, also the night on which the treatment saved a life.
    """
    hit = {seat for seat in (choices.get(KILL), choices.get("shoot")) if seat is not None}
    treated = choices.get("heal")
    needles = () if treated is None or treated in hit else (treated,)
    deaths = hit - {treated}
    deaths |= {seat for seat in needles if game.nights and seat in game.nights[-1].dawn.needles}
    victim = choices.get(KILL)
    return Dawn(tuple(deaths), victim=victim if victim in deaths else None, needles=needles)


@register(VICTORIES, "police_or_half")
def _police_or_half(living: Counts, dealt: Counts) -> Verdict | None:
    """Police out, or killers at least half of the living - killers win; killers out - good (001 §三, end).

    The ordinary police count, the secret one doesn't. Police and killers out together is the killers'.
    All others out (全部好人) is more than half.
    """
    if living["police"] == 0:
        return Verdict(Side.KILLERS.value, "police_out")
    if living["killer"] == 0:
        return Verdict(Side.GOOD.value, "killers_out")
    if 2 * living["killer"] >= sum(living.values()):
        return Verdict(Side.KILLERS.value, "half")
    return None
