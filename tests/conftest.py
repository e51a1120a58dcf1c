"""What every test may ask for: a recogniser's model, and a home of its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from narrator.resources import models_folders

# Looked up once, before the tests get homes of their own.
_NAMED_MODEL = os.environ.get("NARRATOR_MODEL")
_MODELS_FOLDERS = models_folders()


def _is_model(folder: Path) -> bool:
    return (folder / "am" / "final.mdl").is_file() and (folder / "graph" / "words.txt").is_file()


def _find_model() -> Path | None:
    if _NAMED_MODEL:
        return Path(_NAMED_MODEL)
    candidates = [folder / "zh-compact" for folder in _MODELS_FOLDERS]
    candidates += [model for folder in _MODELS_FOLDERS for model in sorted(folder.iterdir())]
    return next(filter(_is_model, candidates), None)


@pytest.fixture(scope="session")
def model_path() -> Path:
    """The folder of a Vosk model: NARRATOR_MODEL, or one of those in models/."""
    model = _find_model()
    if model is None:
        pytest.skip("no recogniser model: put one in models/, or name its folder in NARRATOR_MODEL")
    return model


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, journal and language of the person who runs the tests stay out of them, and unharmed."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("NARRATOR_HOME", str(home / "data"))
    monkeypatch.setenv("NARRATOR_CONFIG", str(home / "config"))
    monkeypatch.setenv("NARRATOR_LANG", "en")
