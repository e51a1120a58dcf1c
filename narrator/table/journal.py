"""The journal: every input of every evening, durable before it takes effect, in one SQLite file."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from narrator.faults import Fault
from narrator.moderator.effects import Note
from narrator.moderator.evening import Agreement, Secrets, Setup
from narrator.moderator.inputs import Input
from narrator.rules import ruleset as rulesets
from narrator.table.witness import Witness

SCHEMA = 1

_TABLES = """
CREATE TABLE evening (
    id INTEGER PRIMARY KEY, started REAL NOT NULL, setup TEXT NOT NULL, ended REAL
);
CREATE TABLE input (
    evening INTEGER NOT NULL REFERENCES evening(id), number INTEGER NOT NULL,
    type TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (evening, number)
);
CREATE TABLE note (
    evening INTEGER NOT NULL REFERENCES evening(id), number INTEGER NOT NULL,
    what TEXT NOT NULL, content TEXT NOT NULL
);
CREATE INDEX note_what ON note (what);
"""


class Journal(Witness):
    """Writes one evening down; reads what earlier ones left behind.

    The file is readable by its owner only, for it holds the table's secrets. Raises
    ``Fault("journal_damaged")`` after setting a broken file aside, ``Fault("journal_newer")`` for a file
    of a later version (which is left alone) and ``Fault("journal_unwritable")``.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._connection = _open(file)
        self._evening = 0
        self._inputs = 0

    # Reading

    def last_table(self) -> Agreement | None:
        """What was agreed for the latest game."""
        content = self._latest("game")
        if content is None:
            return None
        try:
            table = Agreement(str(content["ruleset"]), int(content["players"]), Secrets(content["secrets"]))
            rulesets.load(table.ruleset).deal(table.players)
        except (KeyError, ValueError, Fault):
            # The ruleset was renamed or its limits changed since: nothing to take over.
            return None
        return table

    def last_first_victim(self) -> int | None:
        """Who was the first to be killed in the latest finished game; None when nobody was."""
        content = self._latest("verdict")
        victim = content.get("first_victim") if content else None
        return victim if isinstance(victim, int) else None

    # Writing

    def open_evening(self, setup: Setup) -> None:
        """Begin to write an evening down."""
        with self._connection:
            cursor = self._connection.execute(
                "INSERT INTO evening (started, setup) VALUES (?, ?)",
                (time.time(), json.dumps(asdict(setup), ensure_ascii=False)),
            )
        assert cursor.lastrowid is not None
        self._evening = cursor.lastrowid
        self._inputs = 0

    def taken(self, event: Input) -> None:
        """Write an input down, durably, before it takes effect."""
        self._inputs += 1
        row = (self._evening, self._inputs, type(event).__name__, json.dumps(asdict(event)))
        self._write("INSERT INTO input VALUES (?, ?, ?, ?)", row)

    def noted(self, note: Note) -> None:
        """Write down what the moderator wants remembered."""
        row = (self._evening, self._inputs, note.what, json.dumps(dict(note.data), ensure_ascii=False))
        self._write("INSERT INTO note VALUES (?, ?, ?, ?)", row)

    def close_evening(self) -> None:
        """The evening ended as it should."""
        self._write("UPDATE evening SET ended = ? WHERE id = ?", (time.time(), self._evening))

    def _write(self, statement: str, row: tuple[object, ...]) -> None:
        try:
            with self._connection:
                self._connection.execute(statement, row)
        except sqlite3.Error as error:
            raise Fault("journal_unwritable", file=self.file, why=error) from error

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def _latest(self, what: str) -> Mapping[str, Any] | None:
        row = self._connection.execute(
            "SELECT content FROM note WHERE what = ? ORDER BY rowid DESC LIMIT 1", (what,)
        ).fetchone()
        return json.loads(row[0]) if row else None


def _open(file: Path) -> sqlite3.Connection:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # Created with its mode before SQLite opens it: its side files take the same.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        file.chmod(0o600)
        connection = sqlite3.connect(file)
    except (OSError, sqlite3.Error) as error:
        raise Fault("journal_unwritable", file=file, why=error) from error
    try:
        version = _prepare(connection)
    except sqlite3.OperationalError as error:
        connection.close()
        raise Fault("journal_unwritable", file=file, why=error) from error
    except sqlite3.DatabaseError as error:
        connection.close()
        aside = _unused(file.with_name(f"{file.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"))
        file.rename(aside)
        raise Fault("journal_damaged", file=file, aside=aside) from error
    if version > SCHEMA:
        connection.close()
        raise Fault("journal_newer", file=file, version=version, known=SCHEMA)
    return connection


def _unused(file: Path) -> Path:
    """``file``, or the first numbered name after it that nothing has yet."""
    names = (file.with_name(f"{file.name}-{number}") for number in itertools.count(2))
    return next(path for path in itertools.chain([file], names) if not path.exists())


def _prepare(connection: sqlite3.Connection) -> int:
    """Check the file, create what is missing; returns the schema's version."""
    (state,) = connection.execute("PRAGMA quick_check").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state)
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        return version
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if version == 0:
        # One transaction, so that a plug pulled here leaves either nothing or everything.
        connection.executescript(f"BEGIN;{_TABLES}PRAGMA user_version = {SCHEMA};COMMIT;")
    return SCHEMA
