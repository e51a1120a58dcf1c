"""Everything the moderator remembers from the first greeting to the last goodbye."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from narrator.moderator.rhythm import EVEN, Beat, Rhythm, beat_of
from narrator.rules.ballot import Tally
from narrator.rules.custom import Setting
from narrator.rules.game import Game
from narrator.rules.library import Library, OwnRules, library
from narrator.rules.ruleset import NightStep, Ruleset
from narrator.rules.victory import Verdict

Knobs = tuple[tuple[str, Setting], ...]
"""What a table has changed about a ruleset: knobs and their settings."""


class Secrets(StrEnum):
    """How the judge answers secret questions at a table where every word is heard."""

    CODES = "codes"
    KEYPAD = "keypad"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a table agreed to play: ruleset and own rules, number of players, way of keeping secrets."""

    ruleset: str
    players: int
    secrets: Secrets
    knobs: Knobs = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """What is known before the first word.

    ``previous`` is the table of last time, offered for one word; ``barred`` its first victim.
    ``ruleset`` (with ``knobs`` turned), ``players`` and ``secrets`` answer the lobby's questions beforehand.
    ``own`` are the host's own rulesets, word for word: whoever replays the evening needs no file.
    ``speech_seconds`` limits a speech and last words. ``right_hand`` is +1 where seat k+1 sits to the
    right of seat k.
    ``seed`` decides the code sheets, ``rhythm`` is the voice pack's. ``backdrop`` says whether nights have a
    soft sound under them to begin with, ``keyboard`` whether there is anything to type on.
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
    knobs: Knobs = ()
    own: tuple[OwnRules, ...] = ()
    rhythm: Rhythm = ()
    backdrop: bool = False
    keyboard: bool = True

    @property
    def library(self) -> Library:
        """Every ruleset this table can choose from."""
        return library(self.own)

    def can_keep(self, way: Secrets) -> bool:
        """Whether secrets can be told that way at this table."""
        return self.keyboard or way is not Secrets.KEYPAD

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Setup:
        """The setup that ``dataclasses.asdict`` and JSON made ``data`` of; what it lacks is as by default."""
        given = {key: value for key, value in data.items() if key in {field.name for field in fields(cls)}}
        previous, secrets = given.get("previous"), given.get("secrets")
        if previous is not None:
            given["previous"] = Agreement(
                str(previous["ruleset"]),
                int(previous["players"]),
                Secrets(previous["secrets"]),
                _pairs(previous.get("knobs", ())),
            )
        given["secrets"] = None if secrets is None else Secrets(secrets)
        given["knobs"] = _pairs(given.get("knobs", ()))
        given["own"] = tuple(OwnRules(**rules) for rules in given.get("own", ()))
        given["rhythm"] = tuple(Beat(**beat) for beat in given.get("rhythm", ()))
        return cls(**given)

    def without_presets(self) -> Setup:
        """The same, with every question of the lobby open."""
        return replace(self, previous=None, ruleset=None, players=None, secrets=None, knobs=())


def _pairs(knobs: Iterable[Iterable[Any]]) -> Knobs:
    return tuple((str(knob), setting) for knob, setting in knobs)


@dataclass(slots=True)
class Draft:
    """The lobby's answers so far."""

    ruleset: str | None = None
    players: int | None = None
    secrets: Secrets | None = None
    knobs: Knobs = ()
    taken_over: bool = False
    agreed: bool = False
    wants_own_rules: bool = False
    knob: int = 0


@dataclass(slots=True)
class NightNotes:
    """What has been told tonight.

    ``dead`` and ``muted`` are what a judge who keeps the secrets reports at dawn, ``told`` how many of
    the two lists are complete.
    """

    step: int = 0
    dead: list[int] = field(default_factory=list)
    muted: list[int] = field(default_factory=list)
    told: int = 0
    learned: list[tuple[str, int]] = field(default_factory=list)
    choices: dict[str, int | None] = field(default_factory=dict)


@dataclass(slots=True)
class SheetNotes:
    """The code sheet of the game in progress: its seed, the spare rows given out, and the rows in use.

    ``exposed`` are the rows of all games under which something may have been said aloud, in order, each
    with the number of its game; ``spent`` those of them that were taken back and must not be used again.
    """

    seed: int = 0
    spares: int = 0
    exposed: list[str] = field(default_factory=list)
    spent: frozenset[str] = frozenset()


@dataclass(slots=True)
class SoundNotes:
    """How the table wants this evening to sound: a backdrop at night or none (None: as set up)."""

    backdrop: bool | None = None


@dataclass(slots=True)
class DayNotes:
    """Who still speaks, who may leave words, and how the ballot stands today.

    ``laps`` of speeches are still to begin; ``speaking`` is who was given the floor last. ``named`` is
    the spoken ballot: voter to whom it names; ``misheard`` are votes of it, voter and seat, that were heard
    and disputed. Those in ``words`` and ``parting`` have left and are asked
    for last words, and whom they take along. ``overtime`` is true once a speech has reached its limit,
    ``amended`` once a count has been disputed.
    """

    laps: int = 0
    speaking: int | None = None
    named: dict[int, int] = field(default_factory=dict)
    misheard: list[tuple[int, int]] = field(default_factory=list)
    parting: list[int] = field(default_factory=list)
    skipped: bool = False
    order: tuple[int, ...] = ()
    words: list[int] = field(default_factory=list)
    speakers: list[int] = field(default_factory=list)
    candidates: tuple[int, ...] = ()
    tally: Tally | None = None
    ties: int = 0
    runoff: bool = False
    disputed: bool = False
    amending: int | None = None
    amended: bool = False
    voted: bool = False
    may_be_over: bool = False
    left: bool = False
    cut: bool = False
    overtime: bool = False


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
    sheet: SheetNotes = field(default_factory=SheetNotes)
    warnings: dict[int, int] = field(default_factory=dict)
    verdict: Verdict | None = None
    wish: str = ""
    beat: Beat = EVEN
    sound: SoundNotes = field(default_factory=SoundNotes)

    @property
    def game(self) -> Game:
        """The game in progress; asking before one was agreed is a mistake of the program."""
        assert self.game_ is not None, "no game has been agreed yet"
        return self.game_

    @game.setter
    def game(self, game: Game) -> None:
        self.game_ = game

    @property
    def current_beat(self) -> Beat:
        """The row of the rhythm that holds now."""
        if self.game_ is None:
            return EVEN
        return beat_of(self.setup.rhythm, self.game_.round, len(self.game_.living))

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
        return self.ruleset.tonight(self.game.round)[self.night.step]
