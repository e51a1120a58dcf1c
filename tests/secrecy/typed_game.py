"""A game typed at a terminal by a process of its own: each question is answered as it comes up."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

PROMPT = "   > "
PATIENCE = 120.0

# A short game by the judge's own word: seat 1 is killed, seat 2 voted out, and that was it.
ANSWERS = {
    "昨晚谁死了": "1",
    "还有谁死了": "没有",
    "请留遗言": "过",
    "四号请发言": "现在投票",
    "请发言": "过",
    "投二号的，请举手": "7票",
    "二号得票最多": "确认",
    "游戏结束了吗": "是",
    "谁赢了": "杀手",
    "杀手赢，对吗": "对",
    "还玩吗": "结束",
    "好了": "好了",
    "对吗": "是",
}
ARGUMENTS = ("play", "--mute", "--keyboard", "--ruleset", "standard", "--players", "8", "--secrets", "judge")


def play(command: Sequence[str], home: Path) -> str:
    """Play the game with ``command`` and return what the screen showed; fails if it does not end well."""
    (home / "config").mkdir(parents=True)
    (home / "config" / "settings.toml").write_text("pace = 0.02\n", encoding="utf-8")
    env = {
        **os.environ,
        # Lines one after another, which can be read from here.
        "TERM": "dumb",
        "NARRATOR_HOME": str(home / "data"),
        "NARRATOR_CONFIG": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    master, slave = os.openpty()
    process = subprocess.Popen(
        [*command, *ARGUMENTS], stdin=slave, stdout=slave, stderr=subprocess.PIPE, env=env
    )
    os.close(slave)
    try:
        screen = _answer_everything(master, process)
        code = process.wait(PATIENCE)
    finally:
        process.kill()
        _, errors = process.communicate()
        os.close(master)
    assert code == 0, errors.decode()
    return screen


def _answer_everything(master: int, process: subprocess.Popen[bytes]) -> str:
    latest = time.monotonic() + PATIENCE
    raw, seen = b"", 0
    while process.poll() is None or select.select([master], [], [], 0)[0]:
        assert time.monotonic() < latest, raw.decode(errors="ignore")[-800:]
        if not select.select([master], [], [], 0.2)[0]:
            continue
        try:
            raw += os.read(master, 4096)
        except OSError:
            break  # on Linux: nobody holds the terminal any more
        lines = raw.decode(errors="ignore").replace("\r\n", "\n").split("\n")[:-1]
        while seen < len(lines):
            seen += 1
            if lines[seen - 1].startswith(PROMPT):
                question = next(line for line in reversed(lines[:seen]) if line[:1] in "📖🔊")
                answer = next(text for words, text in ANSWERS.items() if words in question)
                os.write(master, f"{answer}\n".encode())
    return raw.decode(errors="ignore")
