"""The rhythm: brisk in round one, slower as fewer remain; by public facts alone (002, 注意节奏)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Beat:
    """One row of a voice pack's rhythm and the stretch of the game it holds for.

    It holds up to round ``rounds`` and while at most ``living`` are in the game; None holds always.
    ``pauses`` multiplies every silence, ``speeches`` the longest speech, ``rate`` the rate of speaking.
    """

    rounds: int | None = None
    living: int | None = None
    pauses: float = 1.0
    speeches: float = 1.0
    rate: float = 1.0

    def holds(self, round_: int, living: int) -> bool:
        """Whether it holds for a round with so many in the game."""
        in_time = self.rounds is None or round_ <= self.rounds
        return in_time and (self.living is None or living <= self.living)


Rhythm = tuple[Beat, ...]

EVEN = Beat()
"""Where no row holds, and before the first game."""


def beat_of(rhythm: Rhythm, round_: int, living: int) -> Beat:
    """The first row that holds."""
    return next((beat for beat in rhythm if beat.holds(round_, living)), EVEN)
