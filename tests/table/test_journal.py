"""The journal: what is in it is there for good, and what can't be read is never destroyed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from doubles import Evening

from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.effects import Note, Say
from narrator.moderator.evening import Agreement, Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Command, Elapsed, Input, Unclear, Why
from narrator.table.journal import Journal
from narrator.table.schema import SCHEMA
from narrator.table.witness import Witness

SETUP = Setup(11, ruleset="standard", players=8, secrets=Secrets.JUDGE)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "narrator.db"


def read(file: Path, query: str) -> list[tuple[Any, ...]]:
    """What somebody else finds in the file."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def agreed(ruleset: str = "standard", players: int = 9) -> Note:
    return Note("game", {"number": 1, "ruleset": ruleset, "players": players, "secrets": "codes"})


def ended(first_victim: int | None) -> Note:
    return Note("verdict", {"winner": "good", "reason": "killers_out", "first_victim": first_victim})


def an_old_evening(file: Path) -> None:
    """A file with one game in it, closed properly."""
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        journal.noted(agreed())
        for number in range(200):
            journal.taken(Answer(Kind.VOTES, number))
        journal.noted(ended(3))
        journal.close_evening()


# Writing


def test_only_the_owner_can_read_the_file_or_its_side_files(file: Path) -> None:
    before = os.umask(0)
    try:
        with closing(Journal(file)) as journal:
            journal.open_evening(SETUP)
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
    finally:
        os.umask(before)
    files = ("narrator.db", "narrator.db-wal", "narrator.db-shm", "narrator.db.lock")
    assert modes == dict.fromkeys(files, 0o600)


def test_a_file_that_others_could_read_is_closed_to_them(file: Path) -> None:
    an_old_evening(file)
    file.chmod(0o644)
    with closing(Journal(file)):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_every_commit_reaches_the_disk(file: Path) -> None:
    with closing(Journal(file)) as journal:
        (durable,) = journal._connection.execute("PRAGMA synchronous").fetchone()
        assert read(file, "PRAGMA journal_mode") == [("wal",)]
    assert durable == 2  # FULL


def test_inputs_are_kept_in_their_order_with_all_they_say(file: Path) -> None:
    inputs: list[Input] = [
        Answer(Kind.YESNO, True),
        Unclear(Why.SILENCE),
        Answer(Kind.SEAT, None),
        Command("eject", 3),
        Elapsed("limit"),
    ]
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        for event in inputs:
            journal.taken(event)
        rows = read(file, "SELECT number, type, content FROM input ORDER BY number")
    assert [number for number, _, _ in rows] == [1, 2, 3, 4, 5]
    kept: list[Input] = []
    for _, kind, content in rows:
        match kind, json.loads(content):
            case "Answer", found:
                kept.append(Answer(Kind(found["kind"]), found["value"], found["certainty"]))
            case "Unclear", found:
                kept.append(Unclear(Why(found["why"])))
            case "Command", found:
                kept.append(Command(**found))
            case "Elapsed", found:
                kept.append(Elapsed(**found))
    assert kept == inputs


def test_what_is_needed_to_play_it_again_is_kept_too(file: Path) -> None:
    setup = Setup(11, previous=Agreement("classic", 12, Secrets.KEYPAD), barred=4)
    with closing(Journal(file)) as journal:
        journal.open_evening(setup)
        ((content,),) = read(file, "SELECT setup FROM evening")
    assert Setup.of(json.loads(content)) == setup


def test_two_evenings_are_kept_apart_and_only_the_one_that_ended_is_closed(file: Path) -> None:
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        journal.taken(Elapsed("limit"))
        journal.close_evening()
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        journal.taken(Elapsed("limit"))
        journal.taken(Elapsed("grace"))
    assert read(file, "SELECT evening, number FROM input ORDER BY 1, 2") == [(1, 1), (2, 1), (2, 2)]
    assert read(file, "SELECT id, ended IS NOT NULL FROM evening ORDER BY id") == [(1, 1), (2, 0)]


def test_a_pulled_plug_loses_nothing_that_was_taken(file: Path) -> None:
    child = (
        "import os, signal, sys; from pathlib import Path; from narrator.table.journal import Journal\n"
        "from narrator.moderator.evening import Setup; from narrator.moderator.inputs import Elapsed\n"
        "journal = Journal(Path(sys.argv[1])); journal.open_evening(Setup(1))\n"
        "for number in range(7): journal.taken(Elapsed(str(number)))\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", child, str(file)], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    with closing(Journal(file)):
        rows = read(file, "SELECT content FROM input ORDER BY number")
    assert [json.loads(content)["timer"] for (content,) in rows] == list("0123456")


class _Reader(Witness):
    """Looks into the file, from outside, whenever something comes of an input."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._taken = 0
        self.looks = 0

    def taken(self, event: Input) -> None:
        self._taken += 1

    def noted(self, note: Note) -> None:
        self._look()

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        self._look()

    def _look(self) -> None:
        self.looks += 1
        assert read(self._file, "SELECT count(*) FROM input") == [(self._taken,)]


def test_in_a_game_every_input_is_on_disk_before_anything_comes_of_it(file: Path) -> None:
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        reader = _Reader(file)
        evening = Evening(SETUP, file.parent, ears=False, witnesses=(journal, reader), rests={"speech"})
        evening.until_asked("speech")
        taken = len(evening.log.taken_)
    assert reader.looks > 2 * taken > 0
    assert read(file, "SELECT count(*) FROM input") == [(taken,)]


# Remembering


def test_a_new_journal_remembers_no_table(file: Path) -> None:
    with closing(Journal(file)) as journal:
        assert (journal.last_table(), journal.last_first_victim()) == (None, None)


def test_the_table_of_last_time_and_its_first_victim_are_remembered(file: Path) -> None:
    an_old_evening(file)
    with closing(Journal(file)) as journal:
        assert journal.last_table() == Agreement("standard", 9, Secrets.CODES)
        assert journal.last_first_victim() == 3


def test_the_latest_game_counts_for_the_table_and_the_latest_finished_one_for_the_victim(file: Path) -> None:
    an_old_evening(file)
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        journal.noted(agreed("classic", 14))
        assert journal.last_table() == Agreement("classic", 14, Secrets.CODES)
        assert journal.last_first_victim() == 3
        journal.noted(ended(None))
        assert journal.last_first_victim() is None


@pytest.mark.parametrize(
    "note",
    [agreed("vanished"), agreed(players=7), Note("game", {"ruleset": "standard", "players": 9})],
    ids=["ruleset gone", "players don't fit any more", "incomplete"],
)
def test_a_table_that_can_no_longer_be_played_is_not_offered(note: Note, file: Path) -> None:
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        journal.noted(agreed())
        journal.noted(note)
        assert journal.last_table() is None


def test_a_game_played_leaves_the_table_and_the_victim_behind(file: Path) -> None:
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        evening = Evening(SETUP, file.parent, ears=False, witnesses=(journal,))
        evening.play()
        assert journal.last_table() == Agreement("standard", 8, Secrets.JUDGE)
        victim = evening.log.note("verdict").data["first_victim"]
        assert victim is not None
        assert journal.last_first_victim() == victim


# Damage


def opening(file: Path) -> Fault:
    with pytest.raises(Fault) as raised:
        Journal(file)
    assert message(raised.value.key, **raised.value.params).endswith(".")
    assert not message(raised.value.key, **raised.value.params).startswith(raised.value.key)
    return raised.value


def random_bytes(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(bytes(range(256)) * 64)


def cut_in_half(file: Path) -> None:
    an_old_evening(file)
    with file.open("r+b") as database:
        database.truncate(file.stat().st_size // 2)


def overwritten_inside(file: Path) -> None:
    an_old_evening(file)
    with file.open("r+b") as database:
        database.seek(4096 + 8)
        database.write(b"\xa5" * 4096)


def another_version(version: int) -> Callable[[Path], None]:
    """A journal whose header was hit where it tells its version."""

    def damage(file: Path) -> None:
        an_old_evening(file)
        changed(file, f"PRAGMA user_version = {version}")

    return damage


def another_format(place: int, value: int) -> Callable[[Path], None]:
    """A journal whose header was hit where it tells which SQLite may read (19) or write (18) it."""

    def damage(file: Path) -> None:
        an_old_evening(file)
        with file.open("r+b") as database:
            database.seek(place)
            database.write(bytes([value]))

    return damage


def a_table_less(file: Path) -> None:
    an_old_evening(file)
    changed(file, "DROP TABLE note")


def another_program_s(file: Path) -> None:
    file.parent.mkdir()
    changed(file, "CREATE TABLE evening (guests TEXT)")


def changed(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    "damage",
    [
        *(random_bytes, cut_in_half, overwritten_inside, a_table_less, another_program_s),
        *map(another_version, (-(2**31), -1, 0, 1, SCHEMA - 1)),
        *(another_format(place, value) for place in (18, 19) for value in (3, 0xA5, 0xFF)),
    ],
)
def test_a_damaged_file_is_set_aside_unchanged_and_a_new_one_can_begin(damage: Any, file: Path) -> None:
    damage(file)
    content = file.read_bytes()
    fault = opening(file)
    assert fault.key == "journal_damaged"
    aside = fault.params["aside"]
    assert isinstance(aside, Path)
    assert aside.read_bytes() == content
    assert not file.exists()
    an_old_evening(file)
    with closing(Journal(file)) as journal:
        assert journal.last_first_victim() == 3
    assert aside.read_bytes() == content


def test_a_second_damaged_file_does_not_replace_the_first(file: Path) -> None:
    random_bytes(file)
    opening(file)
    file.write_bytes(b"another kind of damage" * 500)
    opening(file)
    kept = {path.read_bytes()[:7] for path in file.parent.glob("*.damaged-*")}
    assert kept == {bytes(range(7)), b"another"}


def set_aside(file: Path, left_behind: dict[Path, bytes], place: int, damage: bytes) -> Path:
    """Where the file goes at the next start: a crash left so much behind, and bytes of it were damaged."""
    for path, content in left_behind.items():
        path.write_bytes(content)
    with file.open("r+b") as database:
        database.seek(place)
        database.write(damage)
    aside = opening(file).params["aside"]
    assert isinstance(aside, Path)
    return aside


def test_a_crashed_evening_beside_a_damaged_file_does_not_leak_into_the_new_one(file: Path) -> None:
    an_old_evening(file)
    log = file.with_name("narrator.db-wal")
    with closing(Journal(file)) as journal:
        journal.open_evening(SETUP)
        journal.taken(Elapsed("limit"))
        left_behind = {path: path.read_bytes() for path in (file, log)}
    aside = set_aside(file, left_behind, 4096, b"\xa5" * 3 * 4096)
    assert aside.stat().st_size >= len(left_behind[file])
    assert not log.exists()
    with closing(Journal(file)) as journal:
        assert (journal.last_table(), read(file, "SELECT count(*) FROM evening")) == (None, [(0,)])


def test_the_log_of_a_crashed_evening_goes_aside_with_its_damaged_file(file: Path) -> None:
    an_old_evening(file)
    log = file.with_name("narrator.db-wal")
    with closing(sqlite3.connect(file)) as reader:
        # Somebody who looks in keeps SQLite from folding the log into the file.
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM evening").fetchone()
        with closing(Journal(file)) as journal:
            journal.open_evening(SETUP)
            journal.taken(Elapsed("limit"))
            left_behind = {path: path.read_bytes() for path in (file, log)}
    aside = set_aside(file, left_behind, 18, b"\x07")
    assert not log.exists()
    with aside.open("r+b") as database:
        database.seek(18)
        database.write(b"\x02")
    assert read(aside, "SELECT count(*) FROM input WHERE evening = 2") == [(1,)]


def test_a_damaged_file_that_cannot_be_set_aside_is_a_fault(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random_bytes(file)

    def refused(*_: object) -> None:
        raise PermissionError("not in this folder")

    monkeypatch.setattr(Path, "rename", refused)
    assert opening(file).key == "journal_forbidden"
    assert file.read_bytes() == bytes(range(256)) * 64


def test_a_file_of_a_later_version_is_left_alone(file: Path) -> None:
    an_old_evening(file)
    with closing(sqlite3.connect(file)) as later:
        later.execute(f"PRAGMA user_version = {SCHEMA + 1}")
        later.commit()
    content = file.read_bytes()
    fault = opening(file)
    assert (fault.key, fault.params["version"]) == ("journal_newer", SCHEMA + 1)
    assert file.read_bytes() == content
    assert {path.name for path in file.parent.iterdir()} == {"narrator.db", "narrator.db.lock"}


def test_a_folder_that_cannot_be_made_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    assert opening(tmp_path / "data" / "narrator.db").key == "journal_unwritable"


def test_a_folder_in_the_files_place_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "narrator.db").mkdir()
    assert opening(tmp_path / "narrator.db").key == "journal_unwritable"


def test_a_file_that_another_program_holds_is_a_fault_and_not_damage(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_old_evening(file)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, timeout: connect(path, timeout=0.1))
    with closing(connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        assert opening(file).key == "journal_unwritable"
    assert file.exists()


# Somebody else's


NOBODY = 65534
ORDINARY = () if os.geteuid() else ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
"""Starts a program that may do no more than its files' modes let it, as root otherwise may."""

needs_ordinary_rights = pytest.mark.skipif(
    bool(ORDINARY) and shutil.which("setpriv") is None, reason="needs setpriv: root may open everything"
)


def started(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ORDINARY, sys.executable, "-m", "narrator", *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "NARRATOR_HOME": str(home), "NARRATOR_CONFIG": str(home / "settings")},
        timeout=60,
        check=False,
    )


def given_away(path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give a file to another user")
    os.chown(path, NOBODY, -1)


def closed(path: Path) -> None:
    path.chmod(0)


@needs_ordinary_rights
@pytest.mark.parametrize("take", [given_away, closed])
@pytest.mark.parametrize("name", ["narrator.db", "narrator.db.lock", "narrator.db-wal"])
def test_a_journal_that_this_user_may_not_use_is_told_in_one_sentence_and_nothing_is_lost(
    name: str, take: Callable[[Path], None], file: Path
) -> None:
    an_old_evening(file)
    file.with_name("narrator.db-wal").touch(mode=0o600)
    content, taken = file.read_bytes(), file.with_name(name)
    take(taken)
    # Whoever only reads needs no lock, and can do without the log.
    readers = [("stats",)] if taken == file else []
    for command in [("play", "--new", "--first-word", "--keyboard"), *readers]:
        done = started(file.parent, *command)
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        assert str(file) in done.stderr.splitlines()[-1]
    taken.chmod(0o600)
    assert file.read_bytes() == content
    assert not list(file.parent.glob("*damaged*"))


@needs_ordinary_rights
@pytest.mark.parametrize("command", [("play", "--new", "--first-word"), ("rules",), ("check",)])
def test_a_folder_that_this_user_may_not_enter_is_told_in_one_sentence(
    command: tuple[str, ...], file: Path
) -> None:
    rulesets = file.parent / "settings" / "rulesets"
    rulesets.mkdir(parents=True)
    rulesets.chmod(0)
    rulesets.parent.chmod(0)
    done = started(file.parent, *command)
    rulesets.parent.chmod(0o700)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert str(rulesets.parent) in done.stderr.splitlines()[-1]
