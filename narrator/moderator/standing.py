"""How a game stands, as everybody at the table knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from narrator.moderator.moderator import Moderator

PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Standing:
    """Public facts of an evening; only ``roles`` is secret, and empty unless it was asked for.

    ``phase`` is the group of the machine's states (``night``, ``ballot``, ``paused``, …), ``round`` the
    number of the night and of the day after it, 0 before the first game. ``ruleset`` is an id and
    ``name`` what the host's own ruleset is called.
    """

    phase: str = ""
    round: int = 0
    seats: tuple[int, ...] = ()
    living: tuple[int, ...] = ()
    ruleset: str = ""
    name: str = ""
    secrets: str = ""
    roles: Mapping[int, str] = field(default_factory=dict)


def standing_of(moderator: Moderator, reveal: bool = False) -> Standing:
    """The standing, true whenever a question is open: by then everything that led to it has been said.

    Between two questions the moderator is ahead of what the table has heard.
    """
    evening = moderator.evening
    phase = moderator.state.partition(".")[0]
    game = evening.game_
    if game is None:
        return Standing(phase)
    return Standing(
        phase=phase,
        round=game.round,
        seats=game.seats,
        living=game.living,
        ruleset=game.ruleset.id,
        name=game.ruleset.name,
        secrets=evening.table.secrets.value,
        roles=dict(game.roles or {}) if reveal else {},
    )
