"""狼人杀: a witch with two potions, a guard, a hunter; wolves win over all villagers or all specials.

The texts the other games come from don't have it: every rule here is a house decision.
"""

from __future__ import annotations

from collections.abc import Mapping

from narrator.rules.dawn import Dawn
from narrator.rules.game import Cause, Game
from narrator.rules.registry import VICTORIES, WORDS, register, resolution
from narrator.rules.roles import Side
from narrator.rules.steps import KILL
from narrator.rules.victory import Counts, Verdict

SPECIALS = ("seer", "witch", "hunter", "guard")


@resolution("potions_and_guard", "protect", KILL, "save", "poison", most_deaths=2)
def _potions_and_guard(game: Game, choices: Mapping[str, int | None]) -> Dawn:
    """The wolves' victim lives if guarded or saved, but dies if both; nothing helps against poison."""
    victim, poisoned = choices.get(KILL), choices.get("poison")
    guarded, saved = choices.get("protect") == victim, choices.get("save") == victim
    torn = victim is not None and guarded == saved
    deaths = {seat for seat in (victim if torn else None, poisoned) if seat is not None}
    return Dawn(tuple(deaths), victim=victim if torn else None)


@register(WORDS, "first_night_or_voted")
def _first_night_or_voted(game: Game, seat: int) -> bool:
    """The dead of the first night and whoever is voted out."""
    gone = next(departure for departure in game.departures if departure.seat == seat)
    return gone.cause is Cause.VOTED or (gone.cause is Cause.KILLED and gone.round == 1)


@register(VICTORIES, "villagers_or_specials")
def _villagers_or_specials(living: Counts, dealt: Counts) -> Verdict | None:
    """All wolves out - good wins; all villagers or all special roles out - wolves win."""
    if living["wolf"] == 0:
        return Verdict(Side.GOOD.value, "killers_out")
    if living["civilian"] == 0:
        return Verdict(Side.KILLERS.value, "civilians_out")
    if all(living.get(role, 0) == 0 for role in SPECIALS):
        return Verdict(Side.KILLERS.value, "specials_out")
    return None
