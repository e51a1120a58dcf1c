"""An installed wheel carries the voices and the project's own model, and runs away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from narrator import resources
from narrator.mouth.recorded import recorded_voices
from narrator.rehearsal.cast.natural import clips_folder

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of a copy of this project, with a model of its own and one that git ignores."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy / name)
    for name in ("narrator", "voices", "scripts", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("zh-compact", "private-model"):
        (copy / "models" / name / "am").mkdir(parents=True)
        (copy / "models" / name / "am" / "final.mdl").write_bytes(b"\0B")
    shutil.copy(ROOT / "models" / "README.md", copy / "models")
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=copy,
        check=True,
        timeout=120,
        capture_output=True,
    )
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel is installed in."""
    target = tmp_path_factory.mktemp("site")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-deps",
            "--no-index",
            "--target",
            str(target),
            str(wheel),
        ],
        check=True,
        timeout=120,
        capture_output=True,
    )
    return target


def away(installed: Path, *arguments: str) -> str:
    """Run Python on the installed package, far from the checkout, and give what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=installed.parent,
        env={**os.environ, "PYTHONPATH": str(installed)},
        check=True,
        timeout=60,
        capture_output=True,
        encoding="utf-8",
    )
    return done.stdout


def test_the_wheel_carries_data_and_nothing_that_is_not_the_programs(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    assert {
        "narrator/data/voices/zh-CN/lines.toml",
        "narrator/data/voices/zh-CN/phrases.toml",
        "narrator/data/voices/zh-CN/sheet.toml",
        "narrator/data/voices/zh-CN/recap.toml",
        "narrator/data/voices/zh-TW/lines.toml",
        "narrator/data/voices/zh-TW/phrases.toml",
        "narrator/data/models/zh-compact/am/final.mdl",
        "narrator/messages/house.en.toml",
        "narrator/messages/house.zh.toml",
        "narrator/rules/rulesets/standard.toml",
        "narrator/py.typed",
    } <= names
    assert {f"narrator/rehearsal/cast/clips/{file.name}" for file in clips_folder().glob("*")} <= names
    assert not [name for name in names if "private-model" in name]
    recorded = {name.split("/")[5] for name in names if name.startswith("narrator/data/voices/zh-CN/clips/")}
    assert recorded == set(recorded_voices(ROOT / "voices" / "zh-CN")[:1])
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"narrator"}


def test_it_shows_the_rules_and_draws_a_sheet_away_from_the_checkout(installed: Path) -> None:
    assert str(installed) in away(installed, "-c", "import narrator; print(narrator.__file__)")
    assert "standard" in away(installed, "-m", "narrator", "rules")
    assert "杀谁" in away(installed, "-m", "narrator", "codes", "--players", "9")


def test_it_finds_its_own_voices_and_model(installed: Path) -> None:
    shown = away(
        installed,
        "-c",
        "from narrator.resources import *; print(voices_folder(), *models_folders())",
    )
    data = installed / "narrator" / "data"
    assert shown.split() == [str(data / "voices"), str(data / "models")]


def test_a_checkout_uses_the_files_beside_the_package() -> None:
    assert resources.in_checkout()
    assert resources.voices_folder() == ROOT / "voices"
    assert resources.models_folders() == (ROOT / "models",)


def test_models_a_person_has_fetched_come_after_the_shipped_ones() -> None:
    mine = resources.data_folder() / "models"
    mine.mkdir(parents=True)
    assert resources.models_folders()[-1] == mine
