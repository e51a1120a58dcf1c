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

from narrator.cli.main import main
from narrator.moderator.effects import Note
from narrator.moderator.evening import Setup
from narrator.resources import config_folder, data_folder, voices_folder
from narrator.table.journal import Journal
from narrator.table.resume import interrupted
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
            # Lines one after another, which a test can read; the view has tests of its own.
            env={**os.environ, "TERM": "dumb"},
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
        "玩哪一个": "标准",
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


def test_the_wording_chosen_once_is_that_of_the_next_evening_too(start: Callable[..., Game]) -> None:
    for arguments in (("--locale", "zh-TW"), ()):
        game = start(*arguments)
        assert next(game.reads()) == "今天有幾個人玩？"
        game.process.kill()
        game.process.wait()
    settings = (config_folder() / "settings.toml").read_text(encoding="utf-8")
    assert settings.splitlines() == ["pace = 0.02", 'locale = "zh-TW"']


def test_the_wording_asked_for_in_the_lobby_is_that_of_all_that_comes(start: Callable[..., Game]) -> None:
    """The lines, what is understood, the judge's code sheet, and the next evening."""
    game = start()
    questions = game.reads()
    for answer in ("换个说法", "8個人", "標準", "暗號表", "確認"):
        next(questions)
        game.type(answer)
    assert next(questions) == "法官請收好暗號表。發好牌，請說：好了。"
    assert "📖 好，現在用台灣的說法。" in game.screen
    assert "第二夜·殺手·殺誰" in (data_folder() / "codes.txt").read_text(encoding="utf-8")
    game.process.kill()
    game.process.wait()
    game = start("--new")
    assert next(game.reads()) == "今天有幾個人玩？"
    game.type("大陸說法")
    assert next(game.reads()) == "好，现在用大陆的说法。"
    game.type("8个人")
    assert next(game.reads()) == "八个人，可以玩，标准版，医生版。玩哪一个？"
    settings = (config_folder() / "settings.toml").read_text(encoding="utf-8")
    assert settings.splitlines() == ["pace = 0.02", 'locale = "zh-CN"']


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
    called = [line.removeprefix("好，") for line in spoken if "请发言" in line]
    assert called == [f"{n}号请发言。" for n in "二三四"]

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
    game = start("--ruleset", "standard", "--players", "8", "--secrets", "keypad")
    before = termios.tcgetattr(game.master)
    for question in game.reads():
        if "输入座位号" in question:
            assert not termios.tcgetattr(game.master)[3] & termios.ECHO
            game.type("\x04")
        else:
            game.type("好了" if "好了" in question else "y")
    assert game.leaves() == 0
    assert termios.tcgetattr(game.master) == before
    assert "先停在这里，这一局已经存好，下次可以接着玩。" in game.screen


@pytest.mark.parametrize(("interrupt", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_an_interrupted_game_says_goodbye_and_gives_the_terminal_back(
    start: Callable[..., Game], interrupt: str, code: int
) -> None:
    game = start("--ruleset", "standard", "--players", "8", "--secrets", "keypad")
    before = termios.tcgetattr(game.master)
    for question in game.reads():
        if "输入座位号" in question:
            game.process.send_signal(getattr(signal, interrupt))
        else:
            game.type("好了" if "好了" in question else "y")
    assert game.leaves() == code
    assert termios.tcgetattr(game.master) == before
    assert "先停在这里，这一局已经存好，下次可以接着玩。" in game.screen
    assert game.process.stderr is not None
    assert game.process.stderr.read() == ""


def test_a_terminal_that_closes_leaves_the_game_to_be_gone_on_with(start: Callable[..., Game]) -> None:
    game = start("--ruleset", "standard", "--players", "8", "--secrets", "keypad")
    for question in game.reads():
        if "输入座位号" in question:
            break
        game.type("好了" if "好了" in question else "y")
    os.close(game.master)
    game.process.send_signal(signal.SIGHUP)
    assert game.process.wait(30) == 0
    assert game.process.stderr is not None
    assert game.process.stderr.read() == ""
    game.master = os.open(os.devnull, os.O_RDWR)
    with closing(Journal(database_file())) as journal:
        found = interrupted(journal)
    assert found is not None
    assert found.moderator.phase == "night.identifying"


def killed_at_the_ballot(start: Callable[..., Game]) -> str:
    """A game whose plug is pulled when the first hands are counted; the question that was open."""
    game = start("--ruleset", "standard", "--players", "8", "--secrets", "judge")
    for question in game.reads():
        if "请举手" in question:
            game.process.kill()
            game.process.wait(20)
            return question
        game.type(judge(question))
    raise AssertionError(game.screen)


def test_a_game_whose_plug_was_pulled_is_offered_and_goes_on_with_the_question_of_then(
    start: Callable[..., Game],
) -> None:
    open_then = killed_at_the_ballot(start)
    game = start()
    asked = []
    for question in game.reads():
        asked.append(question)
        game.type("继续" if len(asked) == 1 else "\x04")
    assert game.leaves() == 0
    assert asked == ["上一局停在第一天，投票，继续吗？", open_then]
    spoken = [line[2:] for line in game.screen.splitlines() if line.startswith(("📖", "🔊"))]
    assert spoken == [asked[0], "好，接着玩。", open_then, "先停在这里，这一局已经存好，下次可以接着玩。"]


def test_whoever_does_not_want_it_gets_a_new_game_and_is_not_asked_again(start: Callable[..., Game]) -> None:
    killed_at_the_ballot(start)
    game = start("--ruleset", "standard", "--players", "8", "--secrets", "judge")
    asked = []
    for question in game.reads():
        asked.append(question)
        game.type("不" if len(asked) == 1 else "\x04")
    assert game.leaves() == 0
    assert "好，重新开始。" in game.screen
    assert "欢迎来玩杀人游戏。" in game.screen
    again = start("--ruleset", "standard", "--players", "8", "--secrets", "judge")
    for question in again.reads():
        assert "继续吗" not in question
        again.type("\x04")


def test_scripts_go_on_or_begin_anew_without_being_asked(start: Callable[..., Game]) -> None:
    open_then = killed_at_the_ballot(start)
    game = start("--resume")
    for question in game.reads():
        assert question == open_then
        game.type("\x04")
    assert game.leaves() == 0
    anew = start("--new", "--ruleset", "standard", "--players", "8", "--secrets", "judge")
    for question in anew.reads():
        assert "对吗" in question
        anew.type("\x04")
    assert anew.leaves() == 0
    nothing = start("--resume")
    assert nothing.leaves() == 2
    assert nothing.process.stderr is not None
    assert nothing.process.stderr.read().startswith("There is no unfinished game")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--ruleset", "doctor"), "--ruleset"),
        (("--players", "9"), "--players"),
        (("--players", "9", "--secrets", "judge", "--set", "killers=3"), "--set, --players, --secrets"),
    ],
)
def test_a_game_that_is_gone_on_with_cannot_be_given_other_rules(
    options: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--resume", "--keyboard", *options]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert f"leave out {named}, or --resume" in sentence


def test_a_second_narrator_at_the_same_table_is_refused(start: Callable[..., Game]) -> None:
    game = start("--ruleset", "standard", "--players", "8", "--secrets", "judge")
    next(game.reads())
    second = start()
    assert second.leaves() == 2
    assert second.process.stderr is not None
    assert second.process.stderr.read().startswith("Another narrator is using this table's journal")
    game.type("\x04")
    for _ in game.reads():
        game.type("\x04")
    assert game.leaves() == 0


def test_the_code_sheet_lies_where_the_screen_says_and_only_its_owner_can_read_it(
    start: Callable[..., Game],
) -> None:
    game = start("--ruleset", "standard", "--players", "8", "--secrets", "codes")
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
    game = start("--ruleset", "standard", "--players", "8", "--secrets", "judge")
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
