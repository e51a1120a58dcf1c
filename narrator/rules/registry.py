"""The named functions a ruleset file can refer to; each module registers its own at import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

RESOLUTIONS: dict[str, Callable[..., Any]] = {}
"""What the night's choices do: ``(game, choices) -> Dawn``."""

ACTS: dict[str, frozenset[str]] = {}
"""The acts each resolution works with: a night that lacks one of them is broken."""

TIES: dict[str, Callable[..., Any]] = {}
"""What follows a tied vote: ``(game, stage, tied, order) -> Revote | Drawn``."""

VICTORIES: dict[str, Callable[..., Any]] = {}
"""Whether the game is over: ``(living, dealt) -> Verdict | None``, both as counts by role."""


def register(table: dict[str, Callable[..., Any]], name: str) -> Callable[[_F], _F]:
    """Enter a function under the name that ruleset files use."""

    def enter(function: _F) -> _F:
        table[name] = function
        return function

    return enter
