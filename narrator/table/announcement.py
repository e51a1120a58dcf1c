"""A host who has nothing but one line to say."""

from __future__ import annotations

from narrator.moderator.effects import Effect, End, Say
from narrator.moderator.inputs import Input


class Announcement:
    """A host who says one line and asks nothing."""

    def __init__(self, line: str) -> None:
        self._line = line

    def begin(self) -> tuple[Effect, ...]:
        """Say it."""
        return (Say(self._line), End())

    def handle(self, event: Input) -> tuple[Effect, ...]:
        """Nothing was asked."""
        return ()

    def parting(self) -> tuple[Effect, ...]:
        """Nobody is left in the middle of anything."""
        return ()
