"""The phrase file that comes with the program."""

from __future__ import annotations

import pytest

from narrator.resources import voices_folder
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook


@pytest.fixture(scope="session")
def phrasebook() -> Phrasebook:
    return load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")
