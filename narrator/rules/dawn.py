"""What a night brought, and what is remembered of the nights before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Dawn:
    """What the night brought.

    ``deaths`` are the dead in the order they are announced, ``muted`` the seats that may not speak today.
    ``victim`` is the one of the dead whom the killers chose, None where nobody knows. ``needles`` are the
    seats that got an empty needle: known to nobody but the rules.
    """

    deaths: tuple[int, ...]
    muted: tuple[int, ...] = ()
    victim: int | None = None
    needles: tuple[int, ...] = ()


@dataclass(frozen=True)
class Night:
    """One night that is over: the choices that had effect, by act, and what they brought.

    ``choices`` are empty where only the judge knows them.
    """

    dawn: Dawn
    choices: Mapping[str, int | None] = field(default_factory=dict)
