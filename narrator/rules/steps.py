"""The night's steps: who wakes, what they do, and what of a night is missing or doubled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from narrator.rules.registry import HINTS, LIMITS, Resolution
from narrator.rules.roles import Side

KILL = "kill"
"""The act by which the killers choose their victim, in every ruleset."""

_KEYS = {"role", "act", "hint", "uses", "limits", "first_night"}


@dataclass(frozen=True, slots=True)
class NightStep:
    """A role wakes and acts.

    ``act`` names what it does to the seat it chooses; without one it only wakes and is seen. ``hint`` is
    what the judge shows it afterwards by a gesture: the name of one of ``registry.HINTS``, or nothing.
    ``uses`` is how often a game the act may be done, None as often as the role wakes. ``limits`` name
    whom it may not choose (``registry.LIMITS``). A ``first_night`` step comes in the first night only.
    A role with several acts has a step for each, one after another, and wakes once.
    """

    role: str
    act: str | None
    hint: str | None = None
    uses: int | None = None
    limits: tuple[str, ...] = ()
    first_night: bool = False


def read_step(step: Mapping[str, Any], sides: Mapping[str, Side]) -> NightStep:
    """Read a step; ``ValueError`` with the reason when it makes no sense."""
    if "role" not in step:
        raise ValueError("night.role is missing")
    for key in sorted(set(step) - _KEYS):
        raise ValueError(f"night.{key} is unknown")
    if step["role"] not in list(sides):
        raise ValueError(f"role {step['role']!r} wakes but has no side")
    if "act" not in step:
        return _seen(step)
    hint, uses, limits = step.get("hint"), step.get("uses"), step.get("limits", [])
    if hint is not None and not (isinstance(hint, str) and hint in HINTS):
        raise ValueError(f"hint = {hint!r} is unknown ({', '.join(sorted(HINTS))})")
    if uses is not None and not (type(uses) is int and uses > 0):
        raise ValueError(f"uses = {uses!r} of night step {step['act']!r} is no number from 1 up")
    if not isinstance(limits, list):
        raise ValueError(f"limits = {limits!r} of night step {step['act']!r} is no list of names")
    for limit in limits:
        if not isinstance(limit, str) or limit not in LIMITS:
            raise ValueError(f"limit {limit!r} is unknown ({', '.join(sorted(LIMITS))})")
    return NightStep(step["role"], str(step["act"]), hint, uses, tuple(limits), _first_night(step))


def check_night(
    night: tuple[NightStep, ...],
    dealt: Mapping[str, int],
    resolution: Resolution,
    sides: Mapping[str, Side],
) -> None:
    """Every dealt role but the civilians wakes once, every act is done once and means something.

    Nobody is shown who is a killer before the killers were seen.

    ``ValueError`` names the step that is missing, doubled or idle.
    """
    woken = [step.role for place, step in enumerate(night) if not place or night[place - 1].role != step.role]
    done = [step.act for step in night if step.act is not None]
    for kind, names in (("act", done), ("role", woken)):
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"night step of {kind} {name!r} is listed twice")
    for act in sorted(resolution.acts - set(done)):
        raise ValueError(f"night step {act!r} is missing")
    for role in dealt:
        if role not in woken and role != "civilian":
            raise ValueError(f"night step of role {role!r} is missing")
    for role in woken:
        if role not in dealt:
            raise ValueError(f"role {role!r} wakes but is not dealt to {sum(dealt.values())} players")
        if len([step for step in night if step.role == role]) > 1 and any(
            step.act is None for step in night if step.role == role
        ):
            raise ValueError(f"night step of role {role!r} is listed twice")
    for place, step in enumerate(night):
        unseen = {role for role, side in sides.items() if side is Side.KILLERS and role in dealt}
        unseen -= {earlier.role for earlier in night[:place]}
        if step.hint is not None and unseen:
            raise ValueError(f"night step {step.act!r} shows something before {min(unseen)!r} has woken")
        if step.act is not None and step.act not in resolution.acts and step.hint is None:
            raise ValueError(f"night step {step.act!r} does nothing and shows nothing")


def _seen(step: Mapping[str, Any]) -> NightStep:
    """A role that only wakes; nothing can be asked or shown."""
    for key in sorted(set(step) & {"hint", "uses", "limits"}):
        raise ValueError(f"night.{key} without night.act makes no sense")
    return NightStep(step["role"], None, first_night=_first_night(step))


def _first_night(step: Mapping[str, Any]) -> bool:
    first = step.get("first_night", False)
    if not isinstance(first, bool):
        raise ValueError(f"first_night = {first!r} is neither true nor false")
    return first
