"""Every command that the READMEs show is typed as it stands there, at a table that has played three games."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from played_evening import Evening

from narrator.cli.main import main
from narrator.resources import data_folder

ROOT = Path(__file__).parents[2]
ELSEWHERE = {
    "narrator fetch": "downloads; tests/fetch does so from a server of its own",
    "narrator demo --minutes 10": "plays in real time; the demo's own tests play a short one",
    "narrator play --set killers=4 --set last_words=all --set vote=2": "needs people; tests/table types them",
}


def _shown(file: str) -> list[str]:
    text = (ROOT / file).read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = (line.partition("#")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line.startswith("narrator ")]


SHOWN = list(dict.fromkeys(_shown("README.md") + _shown("README.zh-CN.md")))


def test_what_is_not_run_here_is_still_shown() -> None:
    assert set(ELSEWHERE) <= set(SHOWN)


@pytest.mark.audio
@pytest.mark.parametrize("command", [command for command in SHOWN if command not in ELSEWHERE])
def test_a_command_does_what_it_is_shown_for(
    command: str, evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening(data_folder() / "narrator.db", games=3)
    (tmp_path / "club").mkdir()
    evening(tmp_path / "club" / "other.db", seed=2)
    (tmp_path / "recordings").mkdir()
    for file in ("answer.wav", "recordings/三号.wav"):
        said = ["espeak-ng", "-v", "cmn-latn-pinyin", "-w", str(tmp_path / file), "san1 hao4"]
        subprocess.run(said, check=True, timeout=60)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == 0
    for written in re.findall(r"\S+\.(?:html|wav)$", command):
        assert (tmp_path / written).stat().st_size > 1000
