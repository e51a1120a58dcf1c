"""警匪版: the killers' victim dies, the police learn who is a killer, one kind out ends it."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.rules.dawn import Dawn
from narrator.rules.game import Game
from narrator.rules.registry import VICTORIES, hint, register, resolution
from narrator.rules.roles import Side
from narrator.rules.steps import KILL
from narrator.rules.victory import DRAW, Counts, Verdict


@resolution("victim_dies", KILL)
def _victim_dies(game: Game, choices: Mapping[str, int | None]) -> Dawn:
    """The killers' victim dies (000 §3.13, 001 §二.3(11))."""
    victim = choices.get(KILL)
    return Dawn(() if victim is None else (victim,), victim=victim)


@hint("is_killer")
def _is_killer(game: Game, choices: Mapping[str, int | None], seat: int) -> str:
    """Whether the checked seat is a killer (000 §3.10, 001 §二.3(8): 准确身份)."""
    return "yes" if game.is_killer(seat) else "no"


@register(VICTORIES, "one_kind_out")
def _one_kind_out(living: Counts, dealt: Counts) -> Verdict | None:
    """One kind is out: killers - good wins; police - killers win; civilians - a draw (000 §4, 001 §二.4).

    Civilians win or lose with the police. In one moment good comes before killers, killers before a draw.
    """
    if living["killer"] == 0:
        return Verdict(Side.GOOD.value, "killers_out")
    if living["police"] == 0:
        return Verdict(Side.KILLERS.value, "police_out")
    if living["civilian"] == 0:
        return Verdict(DRAW, "civilians_out")
    return None
