"""What a failing disk or a curious host does to the journal."""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

from doors import VOICE, any_input, fitting_input, target
from mutation import spoiled_bytes, spoiled_data

from narrator.moderator.effects import Note
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Answer, Input, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.mouth.lines import load_pack
from narrator.table.history import read_history
from narrator.table.journal import Journal
from narrator.table.recappage import recap_page
from narrator.table.resume import interrupted
from narrator.table.statspage import stats_page
from narrator.table.tally import add_up
from narrator.table.timeline import timeline
from narrator.table.words import Words, load_words


@cache
def _evening_file() -> bytes:
    """A journal whose latest evening stopped in the middle of a game."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "narrator.db"
        rng = random.Random(5)
        with closing(Journal(file)) as journal:
            setup = Setup(7, ruleset="standard", players=8, secrets=Secrets.CODES)
            moderator = Moderator(setup)
            journal.open_evening(setup)
            effects = moderator.begin()
            for _ in range(40):
                for effect in effects:
                    if isinstance(effect, Note):
                        journal.noted(effect)
                event = fitting_input(moderator, rng)
                journal.taken(event)
                effects = moderator.handle(event)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        return file.read_bytes()


@target(3)
def damaged_rows(rng: random.Random, folder: Path) -> None:
    """A journal whose rows were tampered with: unknown types, broken JSON, wrong order, missing rows."""
    file = folder / "narrator.db"
    _fresh(file)
    file.write_bytes(_evening_file())
    with closing(sqlite3.connect(file)) as connection:
        for _ in range(rng.choice((1, 1, 2, 5))):
            _tamper(connection, rng)
        connection.commit()
    _read_back(file)


def _tamper(connection: sqlite3.Connection, rng: random.Random) -> None:
    numbers = [number for (number,) in connection.execute("SELECT number FROM input")]
    number = rng.choice(numbers) if numbers else 1
    junk = rng.choice(
        ("", "{", "null", "[]", "3", '{"kind": "seat"}', '{"value": {}}', '{"name": "eject", "seat": "x"}')
    )
    event: Input = any_input(rng)
    if isinstance(event, Answer):
        event = replace(event, value=rng.choice((None, True, "x", "ready", *range(-1, 19), 10**9)))
    known = json.dumps({spec.name: getattr(event, spec.name) for spec in fields(event)}, ensure_ascii=False)
    match rng.randrange(8):
        case 0:
            connection.execute("DELETE FROM input WHERE number = ?", (number,))
        case 1:
            connection.execute("UPDATE input SET content = ? WHERE number = ?", (junk, number))
        case 2:
            connection.execute(
                "UPDATE input SET type = ? WHERE number = ?",
                (rng.choice(("", "Answer", "Undo", "os")), number),
            )
        case 3:
            connection.execute(
                "UPDATE input SET type = ?, content = ? WHERE number = ?",
                (type(event).__name__, known, number),
            )
        case 4:
            connection.execute(
                "UPDATE OR IGNORE input SET number = number + 1000 WHERE number < ?", (number,)
            )
        case 5:
            connection.execute(
                "UPDATE evening SET setup = ?", (rng.choice((junk, _spoiled_setup(connection, rng))),)
            )
        case 6:
            connection.execute("UPDATE note SET content = ? WHERE number = ?", (junk, number))
        case _:
            connection.execute(
                "UPDATE note SET what = ? WHERE number = ?",
                (rng.choice(("game", "undone", "verdict", "")), number),
            )


def _spoiled_setup(connection: sqlite3.Connection, rng: random.Random) -> str:
    ((setup,),) = connection.execute("SELECT setup FROM evening LIMIT 1")
    try:
        return json.dumps(spoiled_data(json.loads(setup), rng))
    except (AttributeError, TypeError, ValueError):
        return "{}"  # spoiled before


@target(2)
def damaged_database(rng: random.Random, folder: Path) -> None:
    """A journal with damaged bytes."""
    file = folder / "narrator.db"
    _fresh(file)
    file.write_bytes(spoiled_bytes(_evening_file(), rng))
    _read_back(file)


@target(1)
def past_games(rng: random.Random, folder: Path) -> None:
    """A journal that was tampered with, told as a recap and as statistics."""
    file = folder / "narrator.db"
    _fresh(file)
    file.write_bytes(_evening_file())
    with closing(sqlite3.connect(file)) as connection:
        _tamper(connection, rng)
        column = rng.choice(("evening SET started", "evening SET ended", "input SET at", "input SET content"))
        absurd = rng.choice(("x", -5, 1e300, b"\xff", 10**17))
        connection.execute(f"UPDATE {column} = ?", (absurd,))
        connection.commit()
    games = read_history(file).games
    words = _words()
    stats_page(add_up([games]), words)
    for past in games:
        recap_page(timeline(past, words, reveal=True), words)


@cache
def _words() -> Words:
    return load_words(VOICE, load_pack(VOICE))


def _fresh(file: Path) -> None:
    for old in file.parent.glob(f"{file.name}*"):
        old.unlink()


def _read_back(file: Path) -> None:
    with closing(Journal(file)) as journal:
        journal.last_table()
        journal.last_first_victim()
        before = interrupted(journal)
        if before is not None:
            before.moderator.handle(Unclear(Why.UNKNOWN))
