"""``narrator play`` as a person starts it: a whole game at a terminal, and wrong starts."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from narrator.moderator.effects import Note
from narrator.moderator.evening import Setup
from narrator.resources import config_folder, voices_folder
from narrator.table.journal import Journal
from narrator.table.settings import database_file


class Game:
    """``narrator`` on a pseudo-terminal; the person types when the program says it waits."""

    PROMPT = "   > for example"

    def __init__(self, *arguments: str) -> None:
        self.master, slave = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "narrator", "play", "--mute", "--keyboard", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        os.close(slave)
        self.screen = ""

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        os.close(self.master)

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def reads(self, within: float = 60.0) -> Iterator[str]:
        """The question before each prompt, as it comes up, until the program has left."""
        latest = time.monotonic() + within
        raw, seen = b"", 0
        while self.process.poll() is None or self._more(0):
            assert time.monotonic() < latest, f"still running, the screen shows\n{self.screen[-800:]}"
            if not self._more(0.2):
                continue
            try:
                raw += os.read(self.master, 4096)
            except OSError:
                return  # on Linux: nobody holds the terminal any more
            self.screen = raw.decode("utf-8", errors="ignore").replace("\r\n", "\n")
            lines = self.screen.split("\n")[:-1]
            while seen < len(lines):
                seen += 1
                if lines[seen - 1].startswith(self.PROMPT):
                    yield next(line for line in reversed(lines[:seen]) if line[:1] in "📖🔊")[2:]

    def leaves(self) -> int:
        """The exit code."""
        return self.process.wait(20)

    def _more(self, seconds: float) -> bool:
        return bool(select.select([self.master], [], [], seconds)[0])


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Game]]:
    """Starts games at a pace that a test can wait for, with no voice that was stored earlier."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "settings.toml").write_text("pace = 0.02\n", encoding="utf-8")
    games: list[Game] = []

    def start(*arguments: str) -> Game:
        games.append(Game(*arguments))
        return games[-1]

    yield start
    for game in games:
        game.close()


def judge(question: str) -> str:
    """How the judge of a short game answers: seat 1 is killed, seat 2 voted out, and that was it."""
    answers = {
        "今天有几个人玩": "８个人",
        "夜里的秘密怎么告诉我": "自己记",
        "法官请说：好了": "好了",
        "发好牌": "好了",
        "给完请说：好了": "好了",
        "昨晚谁死了": "1",
        "请留遗言": "过",
        "四号请发言": "现在投票",
        "请发言": "過",
        "投二号的，请举手": "7票",
        "二号得票最多": "确认",
        "游戏结束了吗": "y",
        "谁赢了": "杀手",
        "杀手赢，对吗": "对",
        "还玩吗": "结束",
        "对吗": "是",
    }
    return next(answer for words, answer in answers.items() if words in question)


def test_a_small_game_is_typed_from_the_welcome_to_the_goodbye(start: Callable[..., Game]) -> None:
    game = start()
    for question in game.reads():
        game.type(judge(question))
    assert game.leaves() == 0
    assert game.process.stderr is not None
    assert game.process.stderr.read() == ""
    spoken = [line[2:] for line in game.screen.splitlines() if line[:1] in "📖🔊"]
    assert spoken[0] == "欢迎来玩杀人游戏。"
    assert "昨晚，一号死了。" in spoken
    assert "二号出局。" in spoken
    assert spoken[-3] == "杀手获胜。"
    assert "还玩吗" in spoken[-2]
    assert spoken[-1] == "谢谢大家，下次再玩。"
    assert [line for line in spoken if "请发言" in line] == [f"{n}号请发言。" for n in "二三四"]

    with closing(sqlite3.connect(database_file())) as journal:
        ((ended, inputs),) = journal.execute(
            "SELECT ended, (SELECT count(*) FROM input) FROM evening"
        ).fetchall()
    assert ended is not None
    assert inputs >= 18


def test_the_table_of_last_time_is_offered_and_its_first_victim_spared(start: Callable[..., Game]) -> None:
    with closing(Journal(database_file())) as journal:
        journal.open_evening(Setup(1))
        journal.noted(Note("game", {"ruleset": "standard", "players": 8, "secrets": "judge"}))
        journal.noted(Note("verdict", {"first_victim": 1}))
    game = start()
    asked = []
    for question in game.reads():
        asked.append(question)
        game.type("结束游戏" if "好了" in question else "y")
    assert game.leaves() == 0
    assert "还和上次一样吗" in asked[0]
    assert "警匪标准版，八个人" in asked[1]
    assert "这一局第一晚不能再杀一号" in game.screen
    assert "谢谢大家" in game.screen


def test_the_end_of_the_input_ends_the_game_and_leaves_the_terminal_as_it_was(
    start: Callable[..., Game],
) -> None:
    game = start("--players", "8", "--secrets", "keypad")
    before = termios.tcgetattr(game.master)
    for question in game.reads():
        if "输入座位号" in question:
            assert not termios.tcgetattr(game.master)[3] & termios.ECHO
            game.type("\x04")
        else:
            game.type("好了" if "好了" in question else "y")
    assert game.leaves() == 0
    assert termios.tcgetattr(game.master) == before


@pytest.mark.parametrize("interrupt", ["SIGINT", "SIGTERM"])
def test_an_interrupted_game_gives_the_terminal_back(start: Callable[..., Game], interrupt: str) -> None:
    game = start("--players", "8", "--secrets", "keypad")
    before = termios.tcgetattr(game.master)
    for question in game.reads():
        if "输入座位号" in question:
            game.process.send_signal(getattr(signal, interrupt))
        else:
            game.type("好了" if "好了" in question else "y")
    assert game.leaves() == 130
    assert termios.tcgetattr(game.master) == before
    assert game.process.stderr is not None
    assert "Traceback" not in game.process.stderr.read()


def test_the_code_sheet_lies_where_the_screen_says_and_only_its_owner_can_read_it(
    start: Callable[..., Game],
) -> None:
    game = start("--players", "8", "--secrets", "codes")
    for question in game.reads():
        if "发好牌" in question:
            game.type("\x04")
        else:
            game.type("y")
    assert game.leaves() == 0
    folder = database_file().parent
    for name in ("codes.html", "codes.txt"):
        assert str(folder / name) in game.screen
        assert (folder / name).stat().st_mode & 0o777 == 0o600


def test_a_damaged_journal_is_said_and_does_not_keep_anyone_from_playing(start: Callable[..., Game]) -> None:
    database_file().parent.mkdir(parents=True)
    database_file().write_bytes(b"no database at all" * 100)
    game = start("--players", "8", "--secrets", "judge")
    for _ in game.reads():
        game.type("\x04")
    assert game.leaves() == 0
    assert game.process.stderr is not None
    said = game.process.stderr.read()
    assert said.count("\n") == 1
    assert "was damaged" in said
    assert len(list(database_file().parent.glob("narrator.db.damaged-*"))) == 1


# Wrong starts


def narrator(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "narrator", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "mentions"),
    [
        ("play --keyboard --ruleset mahjong", "mahjong"),
        ("play --keyboard --players 5", "5"),
        ("play --keyboard --players 20", "20"),
        ("play --keyboard --ruleset classic --players 10", "11"),
        ("play --keyboard --players many", "many"),
        ("play --keyboard --secrets whisper", "whisper"),
        ("play --voices /nowhere", "/nowhere"),
        ("play --keyboard --model /nowhere", "/nowhere"),
        ("rehearse --snr abc", "abc"),
        ("rehearse --players 7", "7"),
        ("rehearse --ruleset mahjong", "mahjong"),
        ("rehearse --model /nowhere", "/nowhere"),
        ("rehearse --voices /nowhere", "/nowhere"),
        ("simulate --ruleset mahjong", "mahjong"),
        ("simulate --ruleset classic --players 9", "9"),
        ("simulate --players 40", "40"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(command: str, mentions: str) -> None:
    done = narrator(*command.split())
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1, done.stderr
    assert mentions in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["play --keyboard", "rehearse"])
def test_a_voice_pack_of_ones_own_that_lacks_a_line_is_named_with_the_line(
    command: str, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    shutil.copytree(voices_folder() / "zh-CN", own)
    text = (own / "lines.toml").read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith('"tie.second"')]
    assert len(kept) == len(text.splitlines()) - 1
    (own / "lines.toml").write_text("\n".join(kept), encoding="utf-8")
    done = narrator(*command.split(), "--voices", str(own))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "tie.second" in done.stderr
    assert str(own) in done.stderr


def test_a_rehearsal_that_cannot_leave_its_files_says_so(tmp_path: Path, model_path: Path) -> None:
    (tmp_path / "taken").write_text("in the way")
    done = narrator("rehearse", "--model", str(model_path), "--out", str(tmp_path / "taken"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert str(tmp_path / "taken") in done.stderr
