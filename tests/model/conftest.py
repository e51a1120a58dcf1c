"""The build of the speech model, made importable for its tests."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "scripts"))


@pytest.fixture(scope="session")
def phrase_file() -> Path:
    """What the game understands."""
    return PROJECT / "voices" / "zh-CN" / "phrases.toml"


@pytest.fixture(scope="session")
def _graph_tools() -> None:
    if shutil.which("fstconvert") is None:
        pytest.skip("no OpenFst tools: install libfst-tools and libfst22-plugins-base")


@pytest.fixture(scope="session")
def random_model(_graph_tools: None, phrase_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder with a whole graph and a network of random weights."""
    from model_build.modelfolder import write_folder  # type: ignore[import-not-found]
    from random_network import random_layers, random_priors

    folder = tmp_path_factory.mktemp("model")
    write_folder(folder, phrase_file, random_layers(), random_priors())
    return folder
