"""What goes wrong at the edges: the game goes on, and it is said once, on the screen and aloud."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from doubles import Bell, Evening, Everything

from narrator.ears.microphone import MicrophoneLost
from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Elapsed, Input
from narrator.mouth.renderer import Renderer
from narrator.table.attention import PATIENT_FAILURES
from narrator.table.blocks import BLOCK_SECONDS
from narrator.table.journal import Journal
from narrator.table.performance import READING_SECONDS_A_CHARACTER
from narrator.table.resume import interrupted
from narrator.table.sheetfile import SheetFile
from narrator.table.steadymic import SteadyMicrophone

STANDARD = Setup(7, ruleset="standard", players=8, secrets=Secrets.JUDGE)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "narrator.db"


# The disk


@contextmanager
def full_disk(largest: int) -> Iterator[None]:
    """No file can grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def inputs_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as other:
        ((count,),) = other.execute("SELECT count(*) FROM input").fetchall()
    return int(count)


def test_a_full_disk_does_not_stop_a_game_and_nothing_is_missing_once_there_is_space(file: Path) -> None:
    told: list[str] = []
    with closing(Journal(file, lambda key, **params: told.append(key))) as journal:
        journal.open_evening(STANDARD)
        evening = Evening(STANDARD, file.parent, ears=False, witnesses=(journal,), rests={"speech"})
        evening.until_asked("dealt")
        written = inputs_in(file)
        with full_disk(file.with_name("narrator.db-wal").stat().st_size):
            evening.until_asked("speech")
            assert told == ["journal_full"]
            assert inputs_in(file) == written < len(evening.log.taken_)
        evening.keyboard.type("过")
        evening.until_taken()
        assert told == ["journal_full", "journal_back"]
        assert inputs_in(file) == len(evening.log.taken_)
    with closing(Journal(file)) as journal:
        again = interrupted(journal)
    assert again is not None
    assert list(again.moderator.inputs) == evening.log.taken_


def test_a_full_disk_is_told_aloud_at_the_table(file: Path) -> None:
    evening = Evening(STANDARD, file.parent, rests=Everything())
    with closing(Journal(file, evening.notices.tell)) as journal:
        journal.open_evening(STANDARD)
        with full_disk(0):
            for number in range(3):
                journal.taken(Elapsed(str(number)))
        evening.until_asked("agree")
        assert evening.log.told_ == ["journal_full"]
        assert evening.log.lines.count("fault.journal_full") == 1


def test_an_evening_that_cannot_even_begin_to_be_written_is_refused_in_one_sentence(file: Path) -> None:
    with closing(Journal(file)) as journal, full_disk(0), pytest.raises(Fault, match="journal_unwritable"):
        journal.open_evening(STANDARD)


def test_a_code_sheet_that_cannot_be_written_is_told_and_the_old_one_is_kept(tmp_path: Path) -> None:
    told: list[str] = []
    setup = Setup(7, ruleset="standard", players=8, secrets=Secrets.CODES)
    sheets = SheetFile(tmp_path, "zh-CN", lambda key, **params: told.append(message(key, **params)))
    Evening(setup, tmp_path / "first", ears=False, witnesses=(sheets,), rests={"dealt"}).until_asked("dealt")
    old = (tmp_path / "codes.txt").read_bytes()
    with full_disk(100):
        evening = Evening(setup, tmp_path / "other", ears=False, witnesses=(sheets,), rests={"dealt"})
        evening.until_asked("dealt")
    assert [line.startswith("The code sheet can't be written") for line in told] == [False, True]
    assert (tmp_path / "codes.txt").read_bytes() == old
    assert not list(tmp_path.glob("*.part"))


# Two at once


def test_a_second_narrator_is_refused_and_the_first_goes_on(file: Path) -> None:
    with closing(Journal(file)) as journal:
        journal.open_evening(STANDARD)
        with pytest.raises(Fault) as raised:
            Journal(file)
        assert raised.value.key == "journal_in_use"
        assert "Another narrator" in message(raised.value.key, **raised.value.params)
        journal.taken(Elapsed("limit"))
    assert inputs_in(file) == 1


def test_one_that_was_killed_locks_nobody_out(file: Path) -> None:
    child = (
        "import sys, time; from pathlib import Path; from narrator.table.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1])); print('locked', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", child, str(file)], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(Fault, match="journal_in_use"):
            Journal(file)
        process.kill()
    Journal(file).close()


def test_a_program_that_copies_the_file_for_a_moment_costs_no_input(file: Path) -> None:
    told: list[str] = []
    with closing(Journal(file, lambda key, **params: told.append(key))) as journal:
        journal.open_evening(STANDARD)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            journal.taken(Elapsed("1"))
            other.execute("ROLLBACK")
        journal.taken(Elapsed("2"))
    assert inputs_in(file) == 2
    assert told == ["journal_full", "journal_back"]


# The ears


def test_a_recogniser_that_fails_once_is_replaced_and_nothing_is_said(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, rests=Everything())
    evening.until_asked("agree")
    assert evening.ears is not None
    evening.ears.broken = True
    evening.wait(BLOCK_SECONDS)
    evening.ears.broken = False
    evening.microphone.say("对")
    evening.until_asked("dealt")
    assert evening.log.told_ == []


def test_a_recogniser_that_fails_again_and_again_leaves_the_keyboard(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, rests=Everything())
    evening.until_asked("agree")
    assert evening.ears is not None
    evening.ears.broken = True
    evening.wait(BLOCK_SECONDS * (PATIENT_FAILURES + 1))
    evening.until_asked("agree")
    assert evening.log.told_ == ["ears_lost"]
    assert evening.log.lines[-1] == "fault.ears_lost"
    evening.keyboard.type("对")
    evening.until_asked("dealt")


# The loudspeaker


def test_a_loudspeaker_that_is_gone_is_told_once_and_lines_stay_to_be_read(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests=Everything())
    evening.until(lambda: evening.loudspeaker.playing)
    evening.loudspeaker.unplugged = True
    began = evening.session.elapsed
    evening.until_asked("agree")
    assert evening.log.told_ == ["loudspeaker_lost"]
    shown = sum(len(text) for text in evening.log.silent)
    assert shown > 20
    assert evening.session.elapsed - began > shown * READING_SECONDS_A_CHARACTER * 0.9
    evening.loudspeaker.unplugged = False
    evening.wait(BLOCK_SECONDS)
    evening.until_asked("agree")
    assert evening.log.told_ == ["loudspeaker_lost", "loudspeaker_back"]
    assert evening.log.lines[-1] == "fault.loudspeaker_back"
    evening.keyboard.type("对")
    evening.until_asked("dealt")


# The microphone


class _Plug:
    """A microphone that is pulled out at once."""

    def read(self) -> object:
        raise MicrophoneLost

    def close(self) -> None:
        """Gone already."""


def test_a_microphone_that_is_gone_is_said_aloud_and_the_open_question_stays(tmp_path: Path) -> None:
    evening = Evening(STANDARD, tmp_path, bell=Bell(), rests=Everything())
    evening.until_asked("agree")

    def nothing() -> _Plug:
        raise Fault("no_microphone", device="default", why="gone")

    gone = SteadyMicrophone(_Plug(), nothing, evening.notices.tell)  # type: ignore[arg-type]
    gone.read()
    gone.close()
    evening.wait(BLOCK_SECONDS)
    assert evening.loudspeaker.playing
    evening.until_asked("agree", within=20)
    assert evening.log.told_ == ["microphone_lost"]
    assert evening.log.lines.count("fault.microphone_lost") == 1
    evening.keyboard.type("对")
    evening.until_asked("dealt")


# The voice


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hung"])
def test_a_renderer_that_is_killed_or_hangs_is_replaced_while_the_game_goes_on(
    how: signal.Signals, tmp_path: Path
) -> None:
    with Renderer(limit=1.0) as renderer:
        evening = Evening(STANDARD, tmp_path, rests={"dealt"}, bell=renderer, watch_voice=True)

        def sounds(count: int) -> None:
            latest = time.monotonic() + 120
            while len(evening.loudspeaker.played) < count:
                assert time.monotonic() < latest, evening.log.order
                if evening.about:
                    evening.keyboard.type("重复")
                evening.wait(BLOCK_SECONDS)
                # Rendering takes real time, which the table's virtual one must not run away from.
                time.sleep(0.02)

        sounds(2)
        pid = renderer.worker_pid
        assert pid is not None
        os.kill(pid, how)
        evening.until_asked("dealt")
        known = len(evening.loudspeaker.played)
        sounds(known + 12)
        assert renderer.worker_pid not in (None, pid)
    assert evening.log.told_ in ([], ["voice_missing"])
    evening.keyboard.type("结束游戏", "y")
    evening.play()


def test_a_voice_that_never_answers_is_said_once(tmp_path: Path) -> None:
    bell = Bell()
    bell.never = Everything()
    evening = Evening(STANDARD, tmp_path, bell=bell, rests={"dealt"}, watch_voice=True)
    evening.until_asked("dealt")
    assert evening.log.told_ == ["voice_missing"]
    assert evening.log.lines.count("fault.voice_missing") == 1


# The clock


def test_a_clock_that_jumps_changes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def played(jumps: bool, folder: Path) -> tuple[list[str], list[Input]]:
        day = 86_400.0
        moments = iter([5 * day, -3 * day, 0.0, 1e12] * 10_000)
        with closing(Journal(folder / "narrator.db")) as journal:
            if jumps:
                monkeypatch.setattr(time, "time", lambda: next(moments))
            journal.open_evening(STANDARD)
            evening = Evening(STANDARD, folder, ears=False, witnesses=(journal,), rests={"review"})
            evening.until_asked("review")
            monkeypatch.undo()
        return evening.log.order, evening.log.taken_

    assert played(False, file.parent / "a") == played(True, file.parent / "b")
    with closing(Journal(file.parent / "b" / "narrator.db")) as journal:
        unfinished = journal.unfinished()
    assert unfinished is not None
    assert len(unfinished.inputs) > 30


def test_the_latest_evening_is_the_one_that_began_last_whatever_the_clock_said(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 2e9)
    with closing(Journal(file)) as journal:
        journal.open_evening(STANDARD)
    monkeypatch.setattr(time, "time", lambda: 1e9)
    with closing(Journal(file)) as journal:
        journal.open_evening(Setup(8, ruleset="standard", players=9, secrets=Secrets.JUDGE))
        found = journal.unfinished()
    assert found is not None
    assert found.setup.players == 9
