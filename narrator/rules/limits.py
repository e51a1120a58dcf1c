"""Whom a role may not choose, beyond those who are out."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.rules.game import Game
from narrator.rules.registry import LIMITS, register
from narrator.rules.steps import KILL, NightStep

Choices = Mapping[str, int | None]


@register(LIMITS, "not_self")
def _not_self(game: Game, step: NightStep, seat: int, tonight: Choices) -> bool:
    """Not itself: the butterfly's hug (002 §2.A)."""
    return game.roles is not None and game.roles[seat] == step.role


@register(LIMITS, "not_twice_running")
def _not_twice_running(game: Game, step: NightStep, seat: int, tonight: Choices) -> bool:
    """Not the seat of the night before (house decision for ``werewolf``: the guard)."""
    return bool(game.nights) and step.act is not None and game.nights[-1].choices.get(step.act) == seat


@register(LIMITS, "only_the_victim")
def _only_the_victim(game: Game, step: NightStep, seat: int, tonight: Choices) -> bool:
    """Only whom the killers chose tonight (house decision for ``werewolf``: the witch's save)."""
    return tonight.get(KILL) != seat


@register(LIMITS, "one_act_a_night")
def _one_act_a_night(game: Game, step: NightStep, seat: int, tonight: Choices) -> bool:
    """One of the role's acts a night (house decision for ``werewolf``: the witch's potions)."""
    others = [other.act for other in game.ruleset.night if other.role == step.role and other.act != step.act]
    return any(act is not None and tonight.get(act) is not None for act in others)
