"""What libraries write to standard error themselves, while the terminal is painted."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing

import pytest

from narrator.table.view.stray import StrayLines


def until(condition: Callable[[], bool]) -> None:
    latest = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < latest
        time.sleep(0.005)


def test_it_becomes_lines_of_the_view_and_nothing_else_of_it_is_seen(
    capfd: pytest.CaptureFixture[str],
) -> None:
    lines: list[str] = []
    with closing(StrayLines(lines.append)):
        os.write(2, b"ALSA lib pcm.c: underrun ")
        os.write(2, "occurred\n\n\x1b[2J断线\n".encode())
        until(lambda: len(lines) == 2)
    assert lines == ["ALSA lib pcm.c: underrun occurred", "[2J断线"]
    assert capfd.readouterr().err == ""


def test_afterwards_standard_error_goes_where_it_went(capfd: pytest.CaptureFixture[str]) -> None:
    stray = StrayLines(lambda line: None)
    stray.close()
    stray.close()
    os.write(2, b"told\n")
    assert capfd.readouterr().err == "told\n"


def test_the_last_words_before_it_is_closed_are_still_lines(capfd: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    with closing(StrayLines(lines.append)):
        os.write(2, b"goodbye\n")
    assert lines == ["goodbye"]


def test_a_process_that_goes_on_does_not_hold_it_up(capfd: pytest.CaptureFixture[str]) -> None:
    """As the synthesiser's, which is stopped later."""
    lines: list[str] = []
    with closing(StrayLines(lines.append)):
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    os.write(2, b"told\n")
    assert capfd.readouterr().err == "told\n"
    process.kill()
    process.wait()
