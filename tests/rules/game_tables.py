"""Tables to begin a story with: who sits where, and how the cards fell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from narrator.rules.game import Cause, Game, leave
from narrator.rules.ruleset import NightStep, Ruleset, load, read_ruleset

KILL = NightStep("killer", "kill")
CHECK = NightStep("police", "check", "is_killer")

TINY = """
source = "a table for counting"
last_words = "killers"
tie = "three_step"
resolution = "victim_dies"
victory = "one_kind_out"
repeat_first_victim = false
sides = { killer = "killers", police = "good", civilian = "good" }
deals = [{ players = [4, 5], killer = 1, police = 1 }]
night = [{ role = "killer", act = "kill" }, { role = "police", act = "check", hint = "is_killer" }]
"""


def dealt(ruleset: Ruleset, players: int) -> dict[int, str]:
    """The cards in the order they are named: killers from seat 1 on, then police, then civilians."""
    cards = [role for role, count in ruleset.deal(players).items() for _ in range(count)]
    return dict(enumerate(cards, start=1))


def table(
    ruleset_id: str = "standard",
    players: int = 12,
    *,
    known: bool = True,
    right_hand: int = 1,
    barred: int | None = None,
) -> Game:
    """A new game; with ``known`` its roles lie as in ``dealt``."""
    ruleset = load(ruleset_id)
    roles = dealt(ruleset, players) if known else None
    return Game(ruleset, players, roles, right_hand=right_hand, barred=barred)


def tiny(players: int = 5) -> Game:
    """One killer (seat 1), one police (seat 2), the rest civilians."""
    ruleset = read_ruleset("tiny", TINY.encode(), "tiny.toml")
    return Game(ruleset, players, dealt(ruleset, players))


def killed(game: Game, *seats: int) -> Game:
    return leave(game, seats, Cause.KILLED)


def voted_out(game: Game, *seats: int) -> Game:
    return leave(game, seats, Cause.VOTED)


def ejected(game: Game, *seats: int) -> Game:
    return leave(game, seats, Cause.EJECTED)


def living_counts(game: Game) -> Mapping[str, int]:
    return {role: len(game.living_holders(role)) for role in game.ruleset.deal(game.players)}


def without(seats: Iterable[int], *gone: int) -> tuple[int, ...]:
    return tuple(seat for seat in seats if seat not in gone)
