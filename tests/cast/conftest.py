"""A small cast of tones, packed as the build packs voices."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from narrator.rehearsal.room import Samples
from narrator.table.blocks import RATE

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "scripts"))

TONES = {"过": 400.0, "三号": 700.0, "没有票": 1000.0}
"""What each voice has to say, and how high it sounds."""


def tone(hertz: float, seconds: float = 0.5) -> Samples:
    times = np.arange(round(seconds * RATE)) / RATE
    return (0.3 * np.sin(2 * np.pi * hertz * times)).astype(np.float32)


def pitch(samples: Samples) -> float:
    """The loudest frequency in hertz."""
    spectrum = np.abs(np.fft.rfft(samples))
    return float(np.argmax(spectrum) * RATE / len(samples))


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
