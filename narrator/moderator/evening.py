"""Everything the moderator remembers from the first greeting to the last goodbye."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from narrator.rules.ballot import Tally
from narrator.rules.game import Game
from narrator.rules.ruleset import NightStep, Ruleset
from narrator.rules.victory import Verdict


class Secrets(StrEnum):
    """How the judge answers secret questions at a table where every word is heard."""

    CODES = "codes"
    KEYPAD = "keypad"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a table agreed to play: the ruleset's id, the number of players, the way of keeping secrets."""

    ruleset: str
    players: int
    secrets: Secrets


@dataclass(frozen=True, slots=True)
class Setup:
    """What is known before the first word.

    ``previous`` is the table of last time, offered for one word; ``barred`` its first victim.
    ``ruleset``, ``players`` and ``secrets`` answer the lobby's questions beforehand. ``speech_seconds``
    limits a speech and last words. ``right_hand`` is +1 where seat k+1 sits to the right of seat k.
    ``seed`` decides the code sheets.
    """

    seed: int
    previous: Agreement | None = None
    barred: int | None = None
    ruleset: str | None = None
    players: int | None = None
    secrets: Secrets | None = None
    right_hand: int = 1
    speech_seconds: int = 60
    first_game: int = 1

    def without_presets(self) -> Setup:
        """The same, with every question of the lobby open."""
        return replace(self, previous=None, ruleset=None, players=None, secrets=None)


@dataclass(slots=True)
class Draft:
    """The lobby's answers so far."""

    ruleset: str | None = None
    players: int | None = None
    secrets: Secrets | None = None
    taken_over: bool = False
    agreed: bool = False


@dataclass(slots=True)
class NightNotes:
    """What has been told tonight."""

    step: int = 0
    learned: list[tuple[str, int]] = field(default_factory=list)
    choices: dict[str, int | None] = field(default_factory=dict)


@dataclass(slots=True)
class DayNotes:
    """Who still speaks, who may leave words, and how the ballot stands today."""

    victim: int | None = None
    order: tuple[int, ...] = ()
    words: list[int] = field(default_factory=list)
    speakers: list[int] = field(default_factory=list)
    candidates: tuple[int, ...] = ()
    tally: Tally | None = None
    ties: int = 0
    disputed: bool = False
    amending: int | None = None
    voted: bool = False
    may_be_over: bool = False


@dataclass(slots=True)
class Evening:
    """The mutable memory of the moderator; only its chapters write to it."""

    setup: Setup
    draft: Draft = field(default_factory=Draft)
    agreement: Agreement | None = None
    number: int = 0
    barred: int | None = None
    first_victim: int | None = None
    game_: Game | None = None
    night: NightNotes = field(default_factory=NightNotes)
    day: DayNotes = field(default_factory=DayNotes)
    warnings: dict[int, int] = field(default_factory=dict)
    verdict: Verdict | None = None
    wish: str = ""

    @property
    def game(self) -> Game:
        """The game in progress; asking before one was agreed is a mistake of the program."""
        assert self.game_ is not None, "no game has been agreed yet"
        return self.game_

    @game.setter
    def game(self, game: Game) -> None:
        self.game_ = game

    @property
    def table(self) -> Agreement:
        """The agreed table; asking before there is one is a mistake of the program."""
        assert self.agreement is not None, "no table has been agreed yet"
        return self.agreement

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the game in progress."""
        return self.game.ruleset

    @property
    def step(self) -> NightStep:
        """The role that is awake now."""
        return self.ruleset.night[self.night.step]
