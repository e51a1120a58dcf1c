"""The keyboard: a real terminal, and a pipe."""

from __future__ import annotations

import os
import termios
import time
from collections.abc import Iterator
from contextlib import closing
from typing import TextIO

import pytest

from narrator.table.keyboard import TerminalKeyboard


class Terminal:
    """A pseudo-terminal: ``stream`` is the program's end, ``type`` the person's."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        self.stream: TextIO = os.fdopen(slave, "r", encoding="utf-8")

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def shows(self) -> str:
        """What the terminal has echoed since it was last looked at."""
        time.sleep(0.05)
        os.set_blocking(self.master, False)
        try:
            return os.read(self.master, 4096).decode()
        except BlockingIOError:
            return ""

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self.stream.fileno())[3] & termios.ECHO)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    # The reading thread holds the stream until the terminal is gone.
    os.close(terminal.master)
    time.sleep(0.05)
    terminal.stream.close()


def line(keyboard: TerminalKeyboard) -> str | None:
    """The next line, given a moment."""
    latest = time.monotonic() + 3
    while time.monotonic() < latest and not keyboard.closed:
        found = keyboard.poll()
        if found is not None:
            return found
        time.sleep(0.005)
    return None


def test_lines_come_whole_and_in_order_and_never_keep_the_loop_waiting(terminal: Terminal) -> None:
    keyboard = TerminalKeyboard(terminal.stream)
    assert keyboard.poll() is None
    terminal.type("三号")
    time.sleep(0.05)
    assert keyboard.poll() is None
    terminal.type("\n五票\n\n")
    assert [line(keyboard), line(keyboard), line(keyboard)] == ["三号", "五票", ""]
    assert keyboard.poll() is None


def test_a_secret_is_not_echoed_and_afterwards_the_terminal_is_as_before(terminal: Terminal) -> None:
    keyboard = TerminalKeyboard(terminal.stream)
    terminal.type("1\n")
    assert "1" in terminal.shows()
    keyboard.hide(True)
    terminal.type("7\n")
    assert line(keyboard) == "1"
    assert line(keyboard) == "7"
    assert "7" not in terminal.shows()
    keyboard.hide(False)
    assert terminal.echoes
    terminal.type("2\n")
    assert "2" in terminal.shows()


def test_hiding_twice_still_restores_what_was_there_first(terminal: Terminal) -> None:
    before = termios.tcgetattr(terminal.stream.fileno())
    with closing(TerminalKeyboard(terminal.stream)) as keyboard:
        keyboard.hide(True)
        keyboard.hide(True)
        assert not terminal.echoes
    assert termios.tcgetattr(terminal.stream.fileno()) == before


def test_a_secret_is_hidden_again_when_a_shell_had_the_terminal_in_between(terminal: Terminal) -> None:
    shell = termios.tcgetattr(terminal.stream.fileno())
    keyboard = TerminalKeyboard(terminal.stream)
    keyboard.hide(True)
    termios.tcsetattr(terminal.stream.fileno(), termios.TCSANOW, shell)
    keyboard.again()
    assert not terminal.echoes
    keyboard.hide(False)
    keyboard.again()
    assert terminal.echoes


def test_a_terminal_that_did_not_echo_before_is_left_so(terminal: Terminal) -> None:
    quiet = termios.tcgetattr(terminal.stream.fileno())
    quiet[3] &= ~termios.ECHO
    termios.tcsetattr(terminal.stream.fileno(), termios.TCSANOW, quiet)
    keyboard = TerminalKeyboard(terminal.stream)
    keyboard.hide(True)
    keyboard.hide(False)
    assert not terminal.echoes


def test_ctrl_d_ends_the_input_after_every_line_was_taken(terminal: Terminal) -> None:
    keyboard = TerminalKeyboard(terminal.stream)
    terminal.type("过\n\x04")
    assert line(keyboard) == "过"
    assert line(keyboard) is None
    assert keyboard.closed


def test_a_terminal_that_is_closed_ends_the_input_without_a_word() -> None:
    terminal = Terminal()
    keyboard = TerminalKeyboard(terminal.stream)
    os.close(terminal.master)
    assert line(keyboard) is None
    assert keyboard.closed
    keyboard.close()
    terminal.stream.close()


def test_a_pipe_is_read_to_its_end_and_has_no_echo_to_hide() -> None:
    reading, writing = os.pipe()
    os.write(writing, "对\r\n好了\n过".encode())
    os.close(writing)
    with os.fdopen(reading, "r", encoding="utf-8", newline="") as stream:
        keyboard = TerminalKeyboard(stream)
        keyboard.hide(True)
        assert [line(keyboard), line(keyboard), line(keyboard), line(keyboard)] == ["对", "好了", "过", None]
        keyboard.close()
