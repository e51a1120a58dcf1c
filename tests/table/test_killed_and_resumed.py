"""The plug is pulled at every single input of a game, and the game goes on as if nothing had been."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("ruleset", "players", "secrets", "seed"),
    [("standard", 15, "codes", 3), ("butterfly", 13, "codes", 3)],
)
def test_a_game_survives_sigkill_at_every_input(
    ruleset: str, players: int, secrets: str, seed: int, tmp_path: Path
) -> None:
    """Misunderstandings, pauses, 撤销 and 更正 among them; each process takes one input and dies."""
    script = Path(__file__).with_name("killing.py")
    support = str(Path(__file__).parents[1] / "support")
    done = subprocess.run(
        [
            sys.executable,
            str(script),
            ruleset,
            str(players),
            secrets,
            str(seed),
            str(tmp_path / "narrator.db"),
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((support, os.environ.get("PYTHONPATH", "")))},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["inputs"] >= 200
    assert figures["killed"] == figures["inputs"] + 1
    assert figures["resumed"] == figures["inputs"], figures["differences"]
    assert figures["differences"] == []
