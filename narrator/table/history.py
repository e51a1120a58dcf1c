"""Games of the past, read from journals that are never written to: what was played, and how it went."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from narrator.faults import Fault
from narrator.moderator.effects import Effect, Note
from narrator.moderator.evening import Agreement, Setup
from narrator.moderator.moderator import Moderator
from narrator.rules.game import Game
from narrator.rules.victory import Verdict
from narrator.table.schema import MIGRATIONS, SCHEMA
from narrator.table.stored import restored

_EVENINGS = "SELECT id, started, setup FROM evening ORDER BY id"
_INPUTS = "SELECT type, content, at FROM input WHERE evening = ? AND undone IS NULL ORDER BY number"
# Seconds; what seems to last longer began before the clock was set, or was gone on with another day.
_LONGEST_GAME = 12 * 3600.0
# Seconds since 1970 until the year 9999, the last that can be shown.
_NEVER = 253_370_764_800
_UNDONE = "SELECT content FROM note WHERE evening = ? AND what = 'undone'"


@dataclass(frozen=True, slots=True)
class Count:
    """One ballot as it was agreed: the votes for each candidate, in the order they were called."""

    round: int
    stage: int
    votes: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Moment:
    """When a round's night fell and its day broke, as seconds since 1970; None where nobody wrote it down."""

    night: float | None = None
    day: float | None = None


@dataclass(frozen=True, slots=True)
class PastGame:
    """One game as the journal knows it.

    ``key`` tells it from all others, also across tables. ``game`` is its last position, with all that the
    moderator knew; ``verdict`` is None for a game that was not finished, whose secrets are still secrets.
    ``began`` and ``ended`` are seconds since 1970, None where an old journal doesn't tell. Who voted for
    whom isn't known, only the counts are.
    """

    key: tuple[float, int, int]
    table: Agreement
    game: Game
    began: float | None
    ended: float | None
    verdict: Verdict | None = None
    first_victim: int | None = None
    counts: tuple[Count, ...] = ()
    moments: tuple[Moment, ...] = ()

    @property
    def seconds(self) -> float | None:
        """How long it took; None where that isn't known."""
        return between(self.began, self.ended)


def between(began: float | None, ended: float | None) -> float | None:
    """Seconds from the one to the other; None where one is missing, or the clock was set meanwhile."""
    if began is None or ended is None:
        return None
    took = ended - began
    return took if 0 <= took <= _LONGEST_GAME else None


@dataclass(slots=True)
class History:
    """All games of one journal, oldest first; ``unreadable`` evenings are left out and told by number."""

    games: list[PastGame] = field(default_factory=list)
    unreadable: list[int] = field(default_factory=list)


def read_history(file: Path) -> History:
    """The games of the journal in ``file``, which is only read, whatever its version.

    An evening is played again from its inputs; one that this program can't play any more (its rules have
    changed since) is left out. Raises ``Fault("no_journal")`` and ``Fault("unreadable_journal")``.
    """
    history = History()
    try:
        if not file.is_file():
            raise Fault("no_journal", file=file)
        file.open("rb").close()  # it tells better than SQLite why it can't be read
        with _Copy(file) as connection:
            for evening, started, setup in connection.execute(_EVENINGS).fetchall():
                inputs = connection.execute(_INPUTS, (evening,)).fetchall()
                undone = connection.execute(_UNDONE, (evening,)).fetchall()
                try:
                    spent = [row for (content,) in undone for row in json.loads(content)["rows"]]
                    replay = _Replay(_moment(started), json.loads(setup), spent)
                    history.games += replay.games(inputs)
                except Exception:  # whatever a damaged row, or rules that have changed since, lead to
                    history.unreadable.append(evening)
    except OSError as error:
        raise Fault("unreadable_journal", file=file, why=error.strerror or error) from error
    except sqlite3.Error as error:
        raise Fault("unreadable_journal", file=file, why=error) from error
    return history


def _moment(value: object) -> float | None:
    """A point in time as it was written down; None where it is missing or can't be one."""
    return float(value) if isinstance(value, int | float) and 0 <= value < _NEVER else None


class _Copy:
    """A journal's content in memory, brought up to date there: the file itself may be in use, or old."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(":memory:")
        try:
            self._read(file)
        except sqlite3.Error:
            self._connection.close()
            raise

    def _read(self, file: Path) -> None:
        try:
            self._take(f"{file.resolve().as_uri()}?mode=ro")
        except sqlite3.OperationalError:
            # In a folder that can't be written to, a journal can only be opened as one that never changes.
            self._take(f"{file.resolve().as_uri()}?immutable=1")
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if not 0 < version <= SCHEMA:
            raise sqlite3.DatabaseError(f"version {version}")
        for step in MIGRATIONS[version:]:
            self._connection.executescript(step)

    def _take(self, uri: str) -> None:
        source = sqlite3.connect(uri, uri=True)
        try:
            source.backup(self._connection)
        finally:
            source.close()

    def __enter__(self) -> sqlite3.Connection:
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()


class _Replay:
    """One evening played again, its games picked up on the way."""

    def __init__(self, started: float | None, setup: Mapping[str, Any], spent: Iterable[str]) -> None:
        self._started = started
        self._setup = Setup.of(setup)
        self._spent = frozenset(spent)
        self._games: list[PastGame] = []

    def games(self, inputs: list[tuple[str, str, object]]) -> list[PastGame]:
        """The evening's games, the last one perhaps unfinished."""
        moderator = Moderator(self._setup)
        for effects in moderator.restore((), self._spent):
            self._follow(moderator, effects, self._started)
        for kind, content, written in inputs:
            self._follow(moderator, moderator.handle(restored(kind, content)), _moment(written))
        return self._games

    def _follow(self, moderator: Moderator, effects: tuple[Effect, ...], at: float | None) -> None:
        for note in effects:
            if isinstance(note, Note):
                self._take(moderator, note, at)
        game = moderator.evening.game_
        if self._games and game is not None and self._games[-1].verdict is None:
            self._games[-1] = replace(self._games[-1], game=game, ended=at or self._games[-1].ended)

    def _take(self, moderator: Moderator, note: Note, at: float | None) -> None:
        evening = moderator.evening
        if note.what == "game":
            number = evening.number
            key = (self._started or 0.0, self._setup.seed, number)
            self._games.append(PastGame(key, evening.table, evening.game, at, at))
            return
        if not self._games:
            return
        current = self._games[-1]
        if note.what == "ballot":
            data: Any = note.data
            votes = {int(seat): int(count) for seat, count in data["votes"]}
            count = Count(int(data["round"]), int(data["stage"]), votes)
            self._games[-1] = replace(current, counts=(*current.counts, count))
        elif note.what == "night":
            self._games[-1] = replace(current, moments=(*current.moments, Moment(night=at)))
        elif note.what == "dawn" and current.moments:
            *before, latest = current.moments
            self._games[-1] = replace(current, moments=(*before, replace(latest, day=at)))
        elif note.what == "verdict":
            self._games[-1] = replace(
                current,
                game=evening.game,
                verdict=evening.verdict,
                first_victim=evening.first_victim,
                ended=at or current.ended,
            )
