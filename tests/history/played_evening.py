"""Evenings written down without sound: a scripted table answers, and the clock moves as it is told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from narrator.moderator.effects import Effect, Expect, Note, Say
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Answer
from narrator.moderator.moderator import Moderator
from narrator.mouth.lines import load_pack
from narrator.rehearsal.script import Script
from narrator.resources import voices_folder
from narrator.rules.ruleset import load
from narrator.table.journal import Journal
from narrator.table.words import Words, load_words

BEGIN = 1_772_395_200.0
"""An evening in March, in seconds since 1970."""

STEP = 20.0
"""Seconds between two answers."""


class Clock:
    """The wall clock, which only moves when somebody answers."""

    def __init__(self) -> None:
        self.now = BEGIN

    def time(self) -> float:
        return self.now


class Told:
    """What the moderator of an evening did, game by game, and the script's ledger."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.notes: list[Note] = []
        self.last: list[Effect] = []

    def all(self, what: str) -> list[dict[str, object]]:
        return [dict(note.data) for note in self.notes if note.what == what]


Evening = Callable[..., Told]


@pytest.fixture(scope="session")
def evening() -> Evening:
    """Play an evening into a journal; ``stop`` breaks it off after so many answers."""
    clock = Clock()

    def play(
        file: Path,
        ruleset: str = "standard",
        players: int = 9,
        secrets: Secrets = Secrets.CODES,
        seed: int = 1,
        games: int = 1,
        stop: int | None = None,
    ) -> Told:
        setup = Setup(seed, ruleset=ruleset, players=players, secrets=secrets)
        told = Told(Script(load(ruleset), players, secrets, seed, games=games))
        moderator = Moderator(setup)
        with pytest.MonkeyPatch.context() as patched, closing(Journal(file)) as journal:
            patched.setattr("narrator.table.journal.time.time", clock.time)
            journal.open_evening(setup)
            _follow(told, journal, moderator.begin())
            answers = 0
            while not moderator.ended and answers != stop:
                reply = told.script.reply(_asked(told.last))
                event = Answer(reply.kind, reply.value)
                clock.now += STEP
                answers += 1
                journal.taken(event)
                _follow(told, journal, moderator.handle(event))
            if moderator.ended:
                journal.close_evening()
        return told

    return play


@pytest.fixture(scope="session")
def played(evening: Evening, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Told]:
    """A journal with one game of nine, and what was told of it; to be read only."""
    file = tmp_path_factory.mktemp("played") / "narrator.db"
    told = evening(file)
    told.script.settle()
    return file, told


def _follow(told: Told, journal: Journal, effects: tuple[Effect, ...]) -> None:
    told.last = [*effects]
    for effect in effects:
        if isinstance(effect, Note):
            told.notes.append(effect)
            told.script.noted(effect)
            journal.noted(effect)
        elif isinstance(effect, Say):
            told.script.spoken(effect)


def _asked(effects: list[Effect]) -> Expect:
    return next(effect for effect in reversed(effects) if isinstance(effect, Expect))


@pytest.fixture(scope="session")
def words() -> Words:
    folder = voices_folder() / "zh-CN"
    return load_words(folder, load_pack(folder))
