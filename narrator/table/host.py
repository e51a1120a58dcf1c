"""Whoever asks the questions of a session."""

from __future__ import annotations

from typing import Protocol

from narrator.moderator.effects import Effect
from narrator.moderator.inputs import Input


class Host(Protocol):
    """A moderator, or an offer or a room check made before or between."""

    def begin(self) -> tuple[Effect, ...]:
        """The first effects."""

    def handle(self, event: Input, /) -> tuple[Effect, ...]:
        """What an input causes."""

    def parting(self) -> tuple[Effect, ...]:
        """What is said when the table is left in the middle."""
