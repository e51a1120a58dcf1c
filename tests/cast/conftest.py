"""A small cast of tones, packed as the build packs voices."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tones import TONES, tone

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "scripts"))


@pytest.fixture(scope="session")
def small_cast(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three voices; only ``anna`` and ``bao`` know what a judge says."""
    from cast_build.packing import pack_voice, write_index  # type: ignore[import-not-found]
    from cast_build.voices import CastVoice  # type: ignore[import-not-found]

    folder = tmp_path_factory.mktemp("cast")
    packed = {}
    for number, name in enumerate(("anna", "bao", "chen")):
        voice = CastVoice(name, (("zf_xiaoni", 1.0),), 1.0, judge=name != "chen")
        clips = {text: tone(hertz + 40 * number) for text, hertz in TONES.items()}
        packed[voice] = pack_voice(folder / f"{name}.opus", clips)
    write_index(folder, packed)
    return folder
