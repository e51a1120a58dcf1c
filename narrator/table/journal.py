"""The journal: every input of every evening, durable before it takes effect, in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from narrator.faults import Fault
from narrator.moderator.effects import Note
from narrator.moderator.evening import Agreement, Secrets, Setup
from narrator.moderator.inputs import Input
from narrator.rules.custom import parse
from narrator.rules.library import Library
from narrator.table.lock import Lock
from narrator.table.schema import open_database, unwritable
from narrator.table.stored import restored, stored
from narrator.table.witness import Witness

_NOTE = "INSERT INTO note (evening, number, what, content, undone) VALUES (?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An evening that did not end: all that is needed to go on with it.

    ``numbers`` count ``inputs`` as the file does, ``taken`` is the last number given. ``spent`` are rows of
    code sheets that must not be used again; ``notes`` what the moderator had noted: (number, what, content).
    """

    evening: int
    setup: Setup
    inputs: tuple[Input, ...]
    numbers: tuple[int, ...]
    taken: int
    spent: frozenset[str]
    notes: tuple[tuple[int, str, str], ...]


class Journal(Witness):
    """Writes one evening down; reads what earlier ones left behind.

    The file is readable by its owner only, for it holds the table's secrets. Opening raises what
    ``open_database`` and ``Lock`` raise. Later on nothing is raised: what can't be written is kept, tried
    again with every input, and told once as ``journal_full`` and ``journal_back``.
    """

    def __init__(self, file: Path, told: Callable[..., None] = lambda key, **params: None) -> None:
        self.file = file
        self._told = told
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(file, error) from error
        self._lock = Lock(file.with_name(f"{file.name}.lock"))
        try:
            self._connection = open_database(file)
        except Fault:
            self._lock.close()
            raise
        self._evening = 0
        self._taken = 0
        self._live: list[int] = []
        self._unwritten: list[tuple[str, tuple[object, ...]]] = []
        self._full = False

    # Reading

    def last_table(self, known: Library = Library()) -> Agreement | None:  # noqa: B008 - immutable
        """What was agreed for the latest game, if it can still be played with the rulesets ``known``."""
        content = self._latest("game")
        if content is None:
            return None
        try:
            table = Agreement(
                str(content["ruleset"]),
                int(content["players"]),
                Secrets(content["secrets"]),
                tuple(map(parse, content.get("knobs", ()))),
            )
            known.chosen(table.ruleset, table.knobs, table.players)
        except (AttributeError, KeyError, TypeError, ValueError, Fault):
            # The ruleset was renamed or its limits changed since: nothing to take over.
            return None
        return table

    def last_first_victim(self) -> int | None:
        """Who was the first to be killed in the latest finished game; None when nobody was."""
        content = self._latest("verdict")
        victim = content.get("first_victim") if content else None
        return victim if isinstance(victim, int) else None

    def unfinished(self) -> Unfinished | None:
        """The latest evening, if it did not end.

        ``Fault("resume_impossible")`` when it is written in a way that this program does not know.
        """
        try:
            return self._unfinished()
        except (AttributeError, KeyError, TypeError, ValueError, sqlite3.Error) as error:
            raise Fault("resume_impossible", why=error) from error

    def _unfinished(self) -> Unfinished | None:
        row = self._connection.execute(
            "SELECT id, setup, ended FROM evening ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is None or row[2] is not None:
            return None
        evening = row[0]
        inputs = self._connection.execute(
            "SELECT number, type, content FROM input WHERE evening = ? AND undone IS NULL ORDER BY number",
            (evening,),
        ).fetchall()
        notes = self._connection.execute(
            "SELECT number, what, content FROM note WHERE evening = ? AND undone IS NULL ORDER BY rowid",
            (evening,),
        ).fetchall()
        ((taken,),) = self._connection.execute(
            "SELECT coalesce(max(number), 0) FROM input WHERE evening = ?", (evening,)
        )
        return Unfinished(
            evening,
            Setup.of(json.loads(row[1])),
            tuple(restored(kind, content) for _, kind, content in inputs),
            tuple(number for number, _, _ in inputs),
            taken,
            self._spent(evening),
            tuple(notes),
        )

    def _spent(self, evening: int) -> frozenset[str]:
        undone = self._connection.execute(
            "SELECT content FROM note WHERE evening = ? AND what = 'undone'", (evening,)
        ).fetchall()
        return frozenset(row for (content,) in undone for row in json.loads(content)["rows"])

    # Writing

    def open_evening(self, setup: Setup) -> None:
        """Begin to write an evening down; raises what ``unwritable`` gives when that can't even begin."""
        row = (time.time(), json.dumps(asdict(setup), ensure_ascii=False))
        try:
            with self._connection:
                cursor = self._connection.execute("INSERT INTO evening (started, setup) VALUES (?, ?)", row)
        except sqlite3.Error as error:
            raise unwritable(self.file, error) from error
        assert cursor.lastrowid is not None
        self._evening = cursor.lastrowid
        self._taken, self._live = 0, []

    def go_on(
        self, with_: Unfinished, notes: Iterable[tuple[int, str, str]], undone: Note | None = None
    ) -> None:
        """Write on where an evening was interrupted.

        ``notes`` and ``undone``, what the last input took back, are what was still to be written then.
        """
        self._evening, self._taken, self._live = with_.evening, with_.taken, list(with_.numbers)
        for number, what, content in notes:
            self._later(_NOTE, (self._evening, number, what, content, None))
        if undone is not None:
            self.noted(undone)
        self._write()

    def taken(self, event: Input) -> None:
        """Write an input down, durably, before it takes effect; notes of earlier ones go with it."""
        self._taken += 1
        self._live.append(self._taken)
        self._later(
            "INSERT INTO input (evening, number, type, content, at) VALUES (?, ?, ?, ?, ?)",
            (self._evening, self._taken, *stored(event), time.time()),
        )
        self._write()

    def noted(self, note: Note) -> None:
        """Keep what the moderator wants remembered, to be written with the next input.

        Nothing is lost by that: whoever goes on with the evening plays the inputs again.
        """
        undone = self._taken if note.what == "undone" else None
        self._later(_NOTE, (self._evening, self._taken, note.what, as_json(note), undone))
        if note.what == "undone":
            kept = note.data["kept"]
            assert isinstance(kept, int)
            last = self._live[kept - 1] if kept else 0
            del self._live[kept:]
            for table in ("input", "note"):
                self._later(
                    # The opening of the evening is number 0, and stays.
                    f"UPDATE {table} SET undone = ? WHERE evening = ? AND number > ? AND undone IS NULL",
                    (self._taken, self._evening, last),
                )

    def close_evening(self) -> None:
        """The evening ended as it should."""
        self._later("UPDATE evening SET ended = ? WHERE id = ?", (time.time(), self._evening))
        self._write()

    def _later(self, statement: str, row: tuple[object, ...]) -> None:
        self._unwritten.append((statement, row))

    def _write(self) -> None:
        """Commit everything that waits, whole or not at all."""
        try:
            with self._connection:
                for statement, row in self._unwritten:
                    self._connection.execute(statement, row)
        except sqlite3.Error as error:
            if not self._full:
                self._full = True
                self._told("journal_full", file=self.file, why=error)
            return
        self._unwritten.clear()
        if self._full:
            self._full = False
            self._told("journal_back", file=self.file)

    def close(self) -> None:
        """Write what still waits, and let the file go."""
        self._write()
        self._connection.close()
        self._lock.close()

    def _latest(self, what: str) -> Mapping[str, Any] | None:
        self._write()
        try:
            row = self._connection.execute(
                "SELECT content FROM note WHERE what = ? AND undone IS NULL ORDER BY rowid DESC LIMIT 1",
                (what,),
            ).fetchone()
            content = json.loads(row[0]) if row else None
        except (TypeError, ValueError, sqlite3.Error):
            return None  # a damaged row tells nothing
        return content if isinstance(content, dict) else None


def as_json(note: Note) -> str:
    """A note's particulars as the file keeps them."""
    return json.dumps(dict(note.data), ensure_ascii=False)
