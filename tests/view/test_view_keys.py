"""The view's keyboard at a real terminal: nothing is echoed, and afterwards all is as before."""

from __future__ import annotations

import os
import termios
import time
from collections.abc import Callable, Iterator

import pytest

from narrator.table.view.keys import EditedKeyboard


class Desk:
    """A pseudo-terminal and the keyboard at it."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.changes = 0
        self.entered: list[str] = []
        self.keyboard = EditedKeyboard(self.slave, self._changed, self.entered.append)

    def _changed(self) -> None:
        self.changes += 1

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def until(self, condition: Callable[[], bool]) -> None:
        latest = time.monotonic() + 5
        while not condition():
            assert time.monotonic() < latest
            time.sleep(0.005)

    def line(self) -> str | None:
        """The next line, given a moment."""
        found: list[str | None] = []

        def came() -> bool:
            line = self.keyboard.poll()
            if line is not None:
                found.append(line)
            return line is not None or self.keyboard.closed

        self.until(came)
        return found[0] if found else None

    @property
    def echoed(self) -> bytes:
        os.set_blocking(self.master, False)
        try:
            return os.read(self.master, 4096)
        except BlockingIOError:
            return b""


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.keyboard.close()
    os.close(desk.master)
    desk.until(lambda: desk.keyboard.poll() is None and desk.keyboard.closed)
    os.close(desk.slave)


def test_lines_come_whole_and_the_terminal_echoes_none_of_it(desk: Desk) -> None:
    assert desk.keyboard.poll() is None
    desk.type("三")
    desk.until(lambda: desk.keyboard.shown == "三")
    assert desk.keyboard.poll() is None
    desk.type("号\n五票\n")
    assert [desk.line(), desk.line()] == ["三号", "五票"]
    assert desk.entered == ["三号", "五票"]
    assert desk.echoed == b""
    assert desk.changes >= 2


def test_a_secret_is_neither_shown_nor_kept_in_sight(desk: Desk) -> None:
    desk.keyboard.hide(True)
    desk.type("1")
    desk.until(lambda: desk.changes >= 2)
    assert desk.keyboard.shown == ""
    desk.type("2\n")
    assert desk.line() == "12"
    desk.keyboard.hide(False)
    desk.type("过\n")
    assert desk.line() == "过"
    assert desk.entered == ["过"]
    assert desk.echoed == b""


def test_an_empty_line_is_a_line_but_nothing_to_show(desk: Desk) -> None:
    desk.type("\n")
    assert desk.line() == ""
    assert desk.entered == []


def test_ctrl_d_ends_the_input_after_every_line_was_taken(desk: Desk) -> None:
    desk.type("过\n\x04")
    assert desk.line() == "过"
    assert desk.line() is None
    assert desk.keyboard.closed


def test_afterwards_the_terminal_is_as_before(desk: Desk) -> None:
    assert not termios.tcgetattr(desk.slave)[3] & (termios.ECHO | termios.ICANON)
    desk.keyboard.close()
    desk.keyboard.close()
    assert termios.tcgetattr(desk.slave) == desk.before


def test_keys_are_not_echoed_again_when_a_shell_had_the_terminal_in_between(desk: Desk) -> None:
    termios.tcsetattr(desk.slave, termios.TCSANOW, desk.before)
    desk.keyboard.again()
    desk.type("7\n")
    assert desk.line() == "7"
    assert desk.echoed == b""
    desk.keyboard.close()
    desk.keyboard.again()
    assert termios.tcgetattr(desk.slave) == desk.before


def test_ctrl_c_is_still_a_signal_and_ctrl_s_stops_nothing(desk: Desk) -> None:
    keys = termios.tcgetattr(desk.slave)
    assert keys[3] & termios.ISIG
    assert not keys[0] & termios.IXON
