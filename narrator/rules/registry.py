"""The named functions a ruleset file can refer to; each module registers its own at import."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a night's choices do, and what a night can bring at most.

    ``decide(game, choices) -> Dawn``. ``acts`` are those it works with: a night that lacks one of them is
    broken. ``most_deaths`` and ``most_muted`` are how many can be told of at dawn.
    """

    decide: Callable[..., Any]
    acts: frozenset[str]
    most_deaths: int
    most_muted: int


@dataclass(frozen=True, slots=True)
class Hint:
    """What the judge shows a role after its choice: ``tell(game, choices, seat)`` is one of ``gestures``."""

    tell: Callable[..., str]
    gestures: tuple[str, ...]


RESOLUTIONS: dict[str, Resolution] = {}
"""What the night's choices do."""

GESTURES = ("yes", "no", "nothing")
"""What the judge can show without a sound: a nod, a shake of the head, no sign at all."""

HINTS: dict[str, Hint] = {}
"""What a role learns about the seat it chose."""

LIMITS: dict[str, Callable[..., Any]] = {}
"""Whom a role may not choose: ``(game, step, seat, tonight) -> bool``, true where it is forbidden."""

ORDERS: dict[str, Callable[..., Any]] = {}
"""Who speaks after whom by day: ``(game, victim) -> seats``."""

WORDS: dict[str, Callable[..., Any]] = {}
"""Who may leave last words: ``(game, seat) -> bool``, asked once the seat has left."""

REVEALS: dict[str, Callable[..., Any]] = {}
"""Whose cards have still to be shown: ``(game) -> seats``."""

TIES: dict[str, Callable[..., Any]] = {}
"""What follows a tied vote: ``(game, stage, tied, order) -> Revote | Drawn | Nobody``."""

VICTORIES: dict[str, Callable[..., Any]] = {}
"""Whether the game is over: ``(living, dealt) -> Verdict | None``, both as counts by role."""

KNOBS: dict[str, Any] = {}
"""What a table may change besides the number of cards of a role: name to ``custom.Knob``."""


def register(table: dict[str, Callable[..., Any]], name: str) -> Callable[[_F], _F]:
    """Enter a function under the name that ruleset files use."""

    def enter(function: _F) -> _F:
        table[name] = function
        return function

    return enter


def resolution(name: str, *acts: str, most_deaths: int = 1, most_muted: int = 0) -> Callable[[_F], _F]:
    """Enter what a night does under the name that ruleset files use."""

    def enter(function: _F) -> _F:
        RESOLUTIONS[name] = Resolution(function, frozenset(acts), most_deaths, most_muted)
        return function

    return enter


def hint(name: str, gestures: int = 2) -> Callable[[_F], _F]:
    """Enter a hint that chooses from the first so many of ``GESTURES``."""

    def enter(function: _F) -> _F:
        HINTS[name] = Hint(function, GESTURES[:gestures])
        return function

    return enter
