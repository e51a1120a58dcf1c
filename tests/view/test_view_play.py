"""``narrator play`` at a terminal that can be painted, and at those that can't."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator

import pytest
from emulator import TerminalGame

from narrator.resources import config_folder

TABLE = ("--ruleset", "standard", "--players", "8", "--secrets", "keypad")


@pytest.fixture(autouse=True)
def _brisk() -> None:
    """A pace that a test can wait for."""
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "settings.toml").write_text("pace = 0.02\n", encoding="utf-8")


@pytest.fixture
def start() -> Iterator[Callable[..., TerminalGame]]:
    """Starts games, and ends them with the test."""
    games: list[TerminalGame] = []

    def start(*arguments: str, **options: str) -> TerminalGame:
        games.append(TerminalGame(*TABLE, *arguments, **options))
        return games[-1]

    yield start
    for game in games:
        game.close()


def to_the_first_secret(game: TerminalGame) -> None:
    game.until_shown("对吗？")
    game.type("是\n")
    game.until_shown("发好牌", "Listening for a choice")
    game.type("好了\n")
    game.until_shown("输入座位号", "secret answer")


def test_below_what_is_said_stands_where_the_game_is(start: Callable[..., TerminalGame]) -> None:
    game = start()
    to_the_first_secret(game)
    assert game.terminal.rows[-5:] == [
        " Night 1 | 警匪标准版, 8 players | 用键盘",
        "In the game (8): 1 2 3 4 5 6 7 8",
        "Listening for the judge's secret answer",
        "Typed 「好了」",
        ">",
    ]
    # What was typed in the open stands among the lines, where it was said.
    rows = game.terminal.everything
    assert rows.index("> 好了") == next(index for index, row in enumerate(rows) if "发好牌" in row) + 1


def test_a_secret_is_not_on_the_terminal_while_it_is_typed_nor_later(
    start: Callable[..., TerminalGame],
) -> None:
    game = start()
    to_the_first_secret(game)
    seen = len(game.raw)
    game.type("7\n")
    game.until_shown("***", "请再输入一遍")
    game.type("7\n")
    game.until_shown("第二位杀手", "secret answer")
    since = game.raw[seen:].decode()
    assert "***" in since
    assert "7" not in "".join(row for row in game.terminal.everything if not row.startswith("In the game"))
    assert "> 7" not in since


def test_afterwards_the_terminal_is_as_before_and_only_the_lines_stay(
    start: Callable[..., TerminalGame],
) -> None:
    game = start()
    to_the_first_secret(game)
    game.type("\x04")
    assert game.until_left() == 0
    assert termios.tcgetattr(game.master) == game.before
    assert game.terminal.rows[-1] == "📖 先停在这里，这一局已经存好，下次可以接着玩。"
    assert not any("Night 1" in row for row in game.terminal.everything)


def test_ctrl_c_says_goodbye_and_gives_the_terminal_back(start: Callable[..., TerminalGame]) -> None:
    game = start()
    to_the_first_secret(game)
    os.kill(game.process.pid, 2)
    assert game.until_left() == 130
    assert termios.tcgetattr(game.master) == game.before
    assert "Traceback" not in "\n".join(game.terminal.everything)


def test_back_from_the_background_secrets_are_as_hidden_as_before(
    start: Callable[..., TerminalGame],
) -> None:
    game = start()
    to_the_first_secret(game)
    # As a shell leaves it: lines, echoed.
    termios.tcsetattr(game.master, termios.TCSANOW, game.before)
    game.process.send_signal(signal.SIGCONT)
    game.until(lambda: not termios.tcgetattr(game.master)[3] & (termios.ECHO | termios.ICANON))
    seen = len(game.raw)
    game.type("7\n")
    game.until_shown("请再输入一遍")
    since = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", game.raw[seen:].decode())
    assert "7" not in since.replace("1 2 3 4 5 6 7 8", "")


def test_a_window_that_becomes_small_shows_what_fits(start: Callable[..., TerminalGame]) -> None:
    # A shell may export the size its window had once.
    game = start(COLUMNS="80", LINES="24")
    to_the_first_secret(game)
    game.resize(24, 24)
    game.until(lambda: "Listening for the judg…" in game.terminal.rows[-3:])
    assert game.terminal.rows[-1] == ">"
    game.resize(1, 24)
    game.resize(80, 24)
    game.until_shown("Listening for the judge's secret answer")
    assert game.process.poll() is None


def test_a_terminal_that_closes_ends_only_the_typing(start: Callable[..., TerminalGame]) -> None:
    game = start()
    to_the_first_secret(game)
    os.close(game.master)
    try:
        game.process.send_signal(signal.SIGCONT)
        assert game.process.wait(30) == 0
    finally:
        game.master = os.open(os.devnull, os.O_RDWR)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [((), {"term": "dumb"}), ((), {"term": ""}), (("--plain",), {}), ((), {"PYTHONIOENCODING": "ascii"})],
    ids=["dumb", "nameless", "plain", "ascii"],
)
def test_where_nothing_can_be_painted_lines_come_one_after_another(
    start: Callable[..., TerminalGame], arguments: tuple[str, ...], options: dict[str, str]
) -> None:
    game = start(*arguments, **options)
    game.until_shown("> for example")
    assert b"\x1b" not in game.raw
    assert not any("Before the game" in row for row in game.terminal.everything)


def test_without_colours_the_view_is_still_there(start: Callable[..., TerminalGame]) -> None:
    game = start(NO_COLOR="1")
    game.until_shown("Listening for yes or no")
    assert re.search(rb"\x1b\[[0-9;]*[34][0-9]m", game.raw) is None


def test_what_is_piped_elsewhere_is_lines_only() -> None:
    master, slave = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "narrator", "play", "--mute", "--keyboard", *TABLE],
        stdin=slave,
        stdout=subprocess.PIPE,
        env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().decode() for _ in range(3)]
        process.kill()
    os.close(master)
    os.close(slave)
    assert lines[0] == "📖 欢迎来玩杀人游戏。\n"
    assert lines[2].startswith("   > for example: ")
