"""The journal's file: its tables, how files of earlier versions are brought up to date, what damage is."""

from __future__ import annotations

import itertools
import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from narrator.faults import Fault

# How long a statement waits for another program that reads or copies the file; the table waits with it.
BUSY_SECONDS = 1.0

# Where SQLite's header tells who may write the file, and what it says at most: 1 without a log, 2 with one.
_WRITE_VERSION, _WRITE_VERSIONS = 18, (0, 1, 2)

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

    Raises ``Fault("journal_damaged")`` after setting a broken file aside, or one that isn't a journal,
    ``Fault("journal_newer")`` for a file of a later version (which is left alone) and what ``unwritable``
    makes of the rest.
    """
    try:
        # Created with its mode before SQLite opens it: its side files take the same.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        file.chmod(0o600)
        connection = sqlite3.connect(file, timeout=BUSY_SECONDS)
    except (OSError, sqlite3.Error) as error:
        raise unwritable(file, error) from error
    try:
        version = _checked(connection, file)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        # SQLite's own report of the damage may quote what is damaged.
        connection.close()
        if _out_of_reach(error):
            raise unwritable(file, error) from error
        raise Fault("journal_damaged", file=file, aside=_set_aside(file)) from error
    if version > SCHEMA:
        connection.close()
        raise Fault("journal_newer", file=file, version=version, known=SCHEMA)
    try:
        _bring_up_to_date(connection, version)
    except sqlite3.Error as error:
        connection.close()
        raise unwritable(file, error) from error
    return connection


def unwritable(file: Path, error: Exception) -> Fault:
    """What to tell when the journal can't be written: it is somebody else's, or there is no room for it."""
    why = (error.strerror if isinstance(error, OSError) else None) or error
    if isinstance(error, PermissionError) or (isinstance(error, sqlite3.Error) and _is_locked_away(file)):
        return Fault("journal_forbidden", file=file, why=why)
    return Fault("journal_unwritable", file=file, why=why)


def _is_locked_away(file: Path) -> bool:
    """Whether this user may not write the file, one that SQLite keeps beside it, or their folder."""
    paths = (file.parent, *(file.with_name(f"{file.name}{side}") for side in ("", "-wal", "-shm")))
    return any(path.exists() and not os.access(path, os.R_OK | os.W_OK) for path in paths)


def _out_of_reach(error: Exception) -> bool:
    """Whether it is the disk, a lock or a permission that fails, rather than what the file holds."""
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode != sqlite3.SQLITE_ERROR


def _set_aside(file: Path) -> Path:
    """Rename a damaged file, and what SQLite has left beside it; returns the name it has now."""
    aside = _unused(file.with_name(f"{file.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"))
    try:
        file.rename(aside)
        for side in ("-wal", "-shm"):
            # The log may hold inputs that the file itself doesn't.
            beside = file.with_name(f"{file.name}{side}")
            if beside.exists():
                beside.rename(aside.with_name(f"{aside.name}{side}"))
    except OSError as error:
        raise unwritable(file, error) from error
    return aside


def _unused(file: Path) -> Path:
    """``file``, or the first numbered name after it that nothing has yet."""
    names = (file.with_name(f"{file.name}-{number}") for number in itertools.count(2))
    return next(path for path in itertools.chain([file], names) if not path.exists())


def _checked(connection: sqlite3.Connection, file: Path) -> int:
    """The file's version, once it is known to be whole, and to hold the tables of that version."""
    (state,) = connection.execute("PRAGMA quick_check").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state)
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        return version
    if version < 0 or _tables(connection) != _tables_of(version):
        raise sqlite3.DatabaseError(f"not the tables of format {version}")
    _try_to_write(connection, file, version)
    return version


def _try_to_write(connection: sqlite3.Connection, file: Path, version: int) -> None:
    """Raise what writing would raise later; damage where it is the header that forbids it."""
    try:
        # The transaction alone begins even where nothing can be written.
        connection.executescript(f"BEGIN IMMEDIATE;PRAGMA user_version = {version};ROLLBACK;")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_READONLY:
            with file.open("rb") as header:
                if header.read(_WRITE_VERSION + 1)[-1] not in _WRITE_VERSIONS:
                    raise sqlite3.DatabaseError(str(error)) from error
        raise


def _bring_up_to_date(connection: sqlite3.Connection, version: int) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    for step in range(version, SCHEMA):
        # One transaction each, so that a plug pulled here leaves the version before or the one after.
        connection.executescript(f"BEGIN;{MIGRATIONS[step]}PRAGMA user_version = {step + 1};COMMIT;")


def _tables(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Every column of every table, by name and in order."""
    return connection.execute(
        "SELECT s.name, c.name FROM sqlite_master AS s, pragma_table_info(s.name) AS c"
        " WHERE s.type = 'table' ORDER BY s.name, c.cid"
    ).fetchall()


def _tables_of(version: int) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as ideal:
        for step in MIGRATIONS[:version]:
            ideal.executescript(step)
        return _tables(ideal)
