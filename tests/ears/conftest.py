"""A real model, a real voice and a quiet room to hear it in."""

from __future__ import annotations

import io
import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray
from quiet_room import RATE, Speak

from narrator.ears.model import RecogniserModel, load_model
from narrator.resources import voices_folder
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook


@pytest.fixture(scope="session")
def model(model_path: Path) -> RecogniserModel:
    return load_model(model_path)


@pytest.fixture(scope="session")
def phrasebook() -> Phrasebook:
    return load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")


@pytest.fixture(scope="session")
def speak() -> Speak:
    """Chinese text to speech at 16 kHz, without the silence around it."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("no espeak-ng to speak to the recogniser")
    return _spoken


@cache
def _spoken(text: str) -> NDArray[np.int16]:
    command = ["espeak-ng", "-v", "cmn-latn-pinyin+f2", "-s", "150", "--stdout", text]
    wav = subprocess.run(command, capture_output=True, check=True).stdout
    # Written to a pipe, the header's length is a placeholder: read what there is.
    samples, rate = soundfile.read(io.BytesIO(wav), dtype="float32")
    sound = soxr.resample(samples, rate, RATE)
    loud = np.flatnonzero(np.abs(sound) > 0.01)
    clip: NDArray[np.int16] = (0.5 * sound[loud[0] : loud[-1] + 1] * 32767).astype(np.int16)
    return clip
