"""What everybody at a table knows: the frame of a game, and what becomes public in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from narrator.moderator.evening import Secrets
from narrator.rules import dawn as rules_dawn
from narrator.rules.custom import Setting
from narrator.rules.game import Departure, Game

Choices = dict[str, int | None]


@dataclass(frozen=True)
class Public:
    """What everybody knows before the cards are dealt; ``seed`` decides everything else that is public.

    ``knobs`` are the table's own rules. The table ``hears`` (or has a keyboard only), and is ``voiced`` (or
    prints its lines).
    """

    ruleset: str
    players: int
    way: Secrets
    hears: bool
    voiced: bool
    seed: int
    knobs: tuple[tuple[str, Setting], ...] = ()


class Dawn(NamedTuple):
    """What everybody learns of a night; the killers' victim, if dead, decides who speaks first."""

    deaths: tuple[int, ...]
    muted: tuple[int, ...]
    victim: int | None


class Fact(NamedTuple):
    """What is public after an input.

    What was said openly, who left, what nights brought, whose cards were shown, and whether it is over.
    """

    said: str
    departures: tuple[Departure, ...]
    dawns: tuple[Dawn, ...]
    shown: tuple[tuple[int, bool], ...]
    over: bool


@dataclass
class Plan:
    """What became public in the game that was played first; the others try to look like it.

    ``choices`` are secret, but a good beginning for whoever looks for others with the same dawn.
    """

    choices: dict[int, Choices] = field(default_factory=dict)
    dawns: dict[int, Dawn] = field(default_factory=dict)
    departures: tuple[Departure, ...] = ()
    over: bool = False


def public_dawn(dawn: rules_dawn.Dawn) -> Dawn:
    """What of a night's outcome everybody learns."""
    return Dawn(dawn.deaths, dawn.muted, dawn.victim if dawn.victim in dawn.deaths else None)


def fact(said: str, game: Game | None, over: bool) -> Fact:
    """What is public in a game after something was said."""
    if game is None:
        return Fact(said, (), (), (), over)
    dawns = tuple(public_dawn(night.dawn) for night in game.nights)
    return Fact(said, game.departures, dawns, tuple(game.shown.items()), over)
