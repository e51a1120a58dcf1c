"""What the judge may impose: warnings, which only count, and sending a player out."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.rules.game import Cause, Game, leave


def warn(game: Game, warnings: Mapping[int, int], seat: int) -> dict[int, int]:
    """The warnings by seat after one more for ``seat``; ``ValueError`` when it is not in the game.

    Nothing follows by itself: after a warning it is the judge who decides (000 §5.4, 001 §二.5(4)).
    """
    if not game.is_living(seat):
        raise ValueError(f"seat {seat} is not in the game")
    return {**warnings, seat: warnings.get(seat, 0) + 1}


def eject(game: Game, seat: int) -> Game:
    """Send a player out, at any time and without last words; ``ValueError`` when it is not in the game.

    For opened eyes at night, speaking out of turn again, cheating or leaving (000 §5.4, §5.13-14,
    001 §二.5(4), (11), (14)-(15)); that no last words follow is a house decision.
    """
    return leave(game, (seat,), Cause.EJECTED)
