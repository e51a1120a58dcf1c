"""The journal's file: its tables, how files of earlier versions are brought up to date, what damage is."""

from __future__ import annotations

import itertools
import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from narrator.faults import Fault

# How long a statement waits for another program that reads or copies the file; the table waits with it.
BUSY_SECONDS = 1.0

MIGRATIONS: Sequence[str] = (
    # 0 → 1: evenings, their inputs, and what the moderator wants remembered.
    """
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
    """,
    # 1 → 2: the number of the input by which an input, and what came of it, was taken back.
    """
    ALTER TABLE input ADD COLUMN undone INTEGER;
    ALTER TABLE note ADD COLUMN undone INTEGER;
    CREATE INDEX note_evening ON note (evening, number);
    """,
    # 2 → 3: when an input was taken, in seconds since 1970.
    "ALTER TABLE input ADD COLUMN at REAL;",
)
"""What leads from each version to the next; what is written here is never changed, only continued."""

SCHEMA = len(MIGRATIONS)
"""The version that this program writes."""


def open_database(file: Path) -> sqlite3.Connection:
    """Open the file, or begin one, with the tables of ``SCHEMA``; readable by its owner only.

    Raises ``Fault("journal_damaged")`` after setting a broken file aside, ``Fault("journal_newer")`` for a
    file of a later version (which is left alone) and ``Fault("journal_unwritable")``.
    """
    try:
        # Created with its mode before SQLite opens it: its side files take the same.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        file.chmod(0o600)
        connection = sqlite3.connect(file, timeout=BUSY_SECONDS)
    except (OSError, sqlite3.Error) as error:
        raise Fault("journal_unwritable", file=file, why=error) from error
    try:
        version = _prepare(connection)
    except sqlite3.OperationalError as error:
        connection.close()
        raise Fault("journal_unwritable", file=file, why=error) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        # SQLite's own report of the damage may quote what is damaged.
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
    """Check the file, bring it up to date; returns the version it has now."""
    (state,) = connection.execute("PRAGMA quick_check").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state)
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        return version
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    for step in range(version, SCHEMA):
        # One transaction each, so that a plug pulled here leaves the version before or the one after.
        connection.executescript(f"BEGIN;{MIGRATIONS[step]}PRAGMA user_version = {step + 1};COMMIT;")
    return SCHEMA
