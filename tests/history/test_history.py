"""Games of the past come back from the journal as they were played, and the journal stays as it is."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from played_evening import BEGIN, STEP, Evening, Told

from narrator.faults import Fault
from narrator.moderator.evening import Agreement, Secrets
from narrator.rules.game import Game
from narrator.table.history import read_history
from narrator.table.recappage import recap_page
from narrator.table.schema import MIGRATIONS
from narrator.table.statspage import stats_page
from narrator.table.tally import add_up
from narrator.table.timeline import timeline
from narrator.table.words import Words


def test_a_game_comes_back_as_its_players_remember_it(played: tuple[Path, Told]) -> None:
    file, told = played
    (past,) = read_history(file).games
    assert past.game.roles == told.script.roles
    assert past.game.departures == told.script.game.departures
    assert past.verdict == told.script.verdict
    assert past.first_victim == told.script.first_victim
    assert past.table == Agreement("standard", 9, Secrets.CODES)
    assert history_of_nights(past.game)


def history_of_nights(game: Game) -> bool:
    """Whether what the killers and the police chose is known for every night."""
    return all({"kill", "check"} <= set(night.choices) for night in game.nights) and bool(game.nights)


def test_every_ballot_comes_back_with_its_counts(played: tuple[Path, Told]) -> None:
    file, told = played
    (past,) = read_history(file).games
    noted = [
        (note["round"], {int(seat): votes for seat, votes in note["votes"]})  # type: ignore[attr-defined]
        for note in told.all("ballot")
    ]
    assert [(count.round, dict(count.votes)) for count in past.counts] == noted
    assert noted


def test_where_only_the_judge_knows_the_roles_they_stay_unknown(evening: Evening, tmp_path: Path) -> None:
    file = tmp_path / "narrator.db"
    told = evening(file, secrets=Secrets.JUDGE)
    (past,) = read_history(file).games
    assert past.game.roles is None
    assert past.verdict is not None
    assert past.verdict.winner == told.all("verdict")[0]["winner"]
    assert [one.seat for one in past.game.departures] == [one.seat for one in told.script.game.departures]


def test_it_is_known_when_each_night_fell_and_each_day_broke(played: tuple[Path, Told]) -> None:
    (past,) = read_history(played[0]).games
    assert past.began is not None
    assert past.ended is not None
    assert past.began >= BEGIN
    times = [past.began, *(t for moment in past.moments for t in (moment.night, moment.day)), past.ended]
    known = [t for t in times if t is not None]
    assert known == sorted(known)
    assert len(past.moments) == len(past.game.nights)
    assert past.seconds == past.ended - past.began
    assert past.seconds % STEP == 0


def test_several_games_of_an_evening_are_told_apart(evening: Evening, tmp_path: Path) -> None:
    file = tmp_path / "narrator.db"
    told = evening(file, players=8, games=2)
    games = read_history(file).games
    assert [past.key[2] for past in games] == [1, 2]
    winners = [past.verdict.winner for past in games if past.verdict is not None]
    assert winners == [note["winner"] for note in told.all("verdict")]


def test_a_game_that_was_broken_off_has_no_verdict_but_keeps_what_happened(
    evening: Evening, played: tuple[Path, Told], tmp_path: Path
) -> None:
    file = Path(shutil.copy(played[0], tmp_path / "narrator.db"))
    told = evening(file, seed=7, stop=30)
    finished, broken_off = read_history(file).games
    assert finished.verdict is not None
    assert broken_off.verdict is None
    assert broken_off.game.roles == told.script.roles


def test_an_evening_without_a_game_is_no_game(evening: Evening, tmp_path: Path) -> None:
    file = tmp_path / "narrator.db"
    evening(file, stop=0)
    assert read_history(file).games == []


# The file


def test_the_journal_is_not_changed_by_reading_it(played: tuple[Path, Told]) -> None:
    file, _ = played
    before = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    read_history(file)
    after = {path.name: path.read_bytes() for path in file.parent.iterdir() if path.name in before}
    assert after == before


def test_a_journal_that_is_being_written_can_be_read(played: tuple[Path, Told], tmp_path: Path) -> None:
    file = Path(shutil.copy(played[0], tmp_path / "narrator.db"))
    with closing(sqlite3.connect(file)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE evening SET ended = 0")
        (past,) = read_history(file).games
    assert past.verdict is not None


def first_version(file: Path, target: Path) -> None:
    """Write what ``file`` holds as the first version of the program would have."""
    with closing(sqlite3.connect(file)) as new, closing(sqlite3.connect(target)) as old:
        old.executescript(MIGRATIONS[0])
        for table, columns in (
            ("evening", "id, started, setup, ended"),
            ("input", "evening, number, type, content"),
            ("note", "evening, number, what, content"),
        ):
            places = ", ".join("?" * (columns.count(",") + 1))
            old.executemany(
                f"INSERT INTO {table} VALUES ({places})", new.execute(f"SELECT {columns} FROM {table}")
            )
        old.execute("PRAGMA user_version = 1")
        old.commit()


def test_a_journal_of_the_first_version_has_no_times(played: tuple[Path, Told], tmp_path: Path) -> None:
    file, old = played[0], tmp_path / "old.db"
    first_version(file, old)
    (past,), (same,) = read_history(old).games, read_history(file).games
    assert (past.game, past.verdict) == (same.game, same.verdict)
    assert past.seconds is None
    assert past.moments[0].day is None
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_an_evening_that_cannot_be_played_again_is_left_out_and_told(
    evening: Evening, played: tuple[Path, Told], tmp_path: Path
) -> None:
    file = Path(shutil.copy(played[0], tmp_path / "narrator.db"))
    evening(file, seed=2, stop=8)
    with closing(sqlite3.connect(file)) as connection:
        (setup,) = connection.execute("SELECT setup FROM evening WHERE id = 1").fetchone()
        changed = json.dumps({**json.loads(setup), "ruleset": "gone"})
        connection.execute("UPDATE evening SET setup = ? WHERE id = 1", (changed,))
        connection.commit()
    history = read_history(file)
    assert history.unreadable == [1]
    assert len(history.games) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE evening SET setup = 'null' WHERE id = 1",
        "UPDATE evening SET setup = x'ff' WHERE id = 1",
        "UPDATE input SET content = '[]' WHERE evening = 1",
        "INSERT INTO note (evening, number, what, content) VALUES (1, 1, 'undone', '{')",
        "INSERT INTO note (evening, number, what, content) VALUES (1, 1, 'undone', '7')",
    ],
)
def test_a_row_that_is_damaged_costs_its_evening_and_no_other(
    statement: str, evening: Evening, played: tuple[Path, Told], tmp_path: Path
) -> None:
    file = Path(shutil.copy(played[0], tmp_path / "narrator.db"))
    evening(file, seed=2, stop=8)
    changed(file, statement)
    history = read_history(file)
    assert history.unreadable == [1]
    assert len(history.games) == 1


@pytest.mark.parametrize("moment", ["'yesterday'", "x'ff'", "1e300", "-5", "NULL"])
def test_a_moment_that_cannot_be_is_not_known(
    moment: str, played: tuple[Path, Told], words: Words, tmp_path: Path
) -> None:
    file = Path(shutil.copy(played[0], tmp_path / "narrator.db"))
    changed(file, f"UPDATE input SET at = {moment}")
    if moment != "NULL":
        changed(file, f"UPDATE evening SET started = {moment}")
    (past,) = read_history(file).games
    assert (past.began, past.ended, past.seconds) == (None, None, None)
    assert recap_page(timeline(past, words), words)
    assert stats_page(add_up([[past]]), words)


@pytest.mark.parametrize("by", [-40, 2 * 365])
def test_a_clock_that_is_set_in_mid_game_makes_no_game_of_years(
    by: int, played: tuple[Path, Told], words: Words, tmp_path: Path
) -> None:
    file = Path(shutil.copy(played[0], tmp_path / "narrator.db"))
    changed(file, f"UPDATE input SET at = at + {by} * 86400 WHERE number > 20")
    (past,) = read_history(file).games
    assert past.seconds is None
    assert add_up([[past]]).minutes == ()
    lengths = [half.lasted for both in timeline(past, words).rounds for half in both if half is not None]
    assert all(not length or length.removesuffix("分钟").isdigit() for length in lengths)
    assert sum(int(length.removesuffix("分钟")) for length in lengths if length) < 12 * 60


def changed(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()


def test_what_is_no_journal_is_told(tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        read_history(tmp_path / "none.db")
    assert caught.value.key == "no_journal"
    for content in (b"", b"no database at all" * 100):
        (tmp_path / "bad.db").write_bytes(content)
        with pytest.raises(Fault) as caught:
            read_history(tmp_path / "bad.db")
        assert caught.value.key == "unreadable_journal"


def test_a_copy_in_a_folder_that_is_read_only_is_read(played: tuple[Path, Told], tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    shutil.copy(played[0], folder / "club.db")
    folder.chmod(0o500)
    try:
        assert len(read_history(folder / "club.db").games) == 1
    finally:
        folder.chmod(0o700)
