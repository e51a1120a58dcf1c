"""In play nothing goes out and nothing is kept: no socket is opened, no sound is written to a file."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typed_game
from audited import AUDIO

AUDITED = Path(__file__).with_name("audited.py")


def test_a_whole_game_opens_no_socket_and_writes_no_sound(tmp_path: Path) -> None:
    log = tmp_path / "audit.log"
    screen = typed_game.play([sys.executable, str(AUDITED), str(log)], tmp_path / "home")
    assert "杀手获胜" in screen
    events = log.read_text(encoding="utf-8").splitlines()
    # The hook was at work: at least the journal's lock is a file that is written.
    assert "opens a file to write" in events
    assert [event for event in events if event != "opens a file to write"] == []
    # A library that opens files by itself is not seen by the hook, but its files are.
    assert [file for file in tmp_path.rglob("*") if file.suffix in AUDIO] == []


@pytest.mark.parametrize(
    ("what", "program"),
    [
        ("socket.", "import socket; socket.socket()"),
        ("socket.", "import urllib.request as r; r.urlopen('http://127.0.0.1:9')"),
        ("writes ", "open('a.wav', 'wb')"),
        ("writes ", "import os; os.open('a.ogg', os.O_WRONLY | os.O_CREAT)"),
    ],
)
def test_the_hook_would_notice(what: str, program: str, tmp_path: Path) -> None:
    start = f"import sys; sys.path.insert(0, {str(AUDITED.parent)!r}); import audited; audited.watch('log')"
    subprocess.run(
        [sys.executable, "-c", f"{start}; {program}"], cwd=tmp_path, capture_output=True, check=False
    )
    assert what in (tmp_path / "log").read_text(encoding="utf-8")


def test_no_system_call_does_either(tmp_path: Path) -> None:
    """With the libraries' own calls, threads and child processes.

    Sockets of the UNIX family are allowed: by one of those an audio library asks for the sound server of
    this very machine.
    """
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("no strace to watch system calls with")
    if subprocess.run([strace, "-o", "/dev/null", "true"], capture_output=True, check=False).returncode:
        pytest.skip("strace may not watch processes here")
    log = tmp_path / "calls.log"
    calls = "trace=socket,connect,bind,sendto,open,openat,creat"
    command = [strace, "-f", "-qq", "-e", calls, "-o", str(log), sys.executable, "-m", "narrator"]
    screen = typed_game.play(command, tmp_path / "home")
    assert "杀手获胜" in screen
    seen = log.read_text(encoding="utf-8", errors="replace").splitlines()
    assert any("narrator.db" in call for call in seen)
    assert [call for call in seen if _goes_out(call)] == []
    assert [call for call in seen if _keeps_sound(call)] == []


def _goes_out(call: str) -> bool:
    family = re.search(r"socket\((\w+)|sa_family=(\w+)", call)
    return family is not None and (family[1] or family[2]) not in ("AF_UNIX", "PF_LOCAL", "AF_LOCAL")


def _keeps_sound(call: str) -> bool:
    opened = re.search(r'(?:open|openat|creat)\([^"]*"([^"]*)"', call)
    if opened is None or not re.search(r"O_WRONLY|O_RDWR|creat\(", call):
        return False
    return opened[1].lower().endswith(AUDIO)
