"""A recording in a room's noise: as loud as was asked for, and drawn by seed and name alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sounds import RATE, silence, tone, write

from narrator.ears.sound import BLOCK
from narrator.rehearsal.bench import Noise, in_noise
from narrator.rehearsal.room import SPEECH_LEVEL
from narrator.rehearsal.trials import Trial
from narrator.table.hearing import HUSH


def trial(file: Path, name: str = "三号.wav") -> Trial:
    return Trial(file, name, "seat", "三号", None)


def played(what: Trial, noise: Noise) -> np.ndarray:
    _, blocks = in_noise(what, noise)
    return np.concatenate(list(blocks)).astype(np.float64) / 32768


def rms(samples: np.ndarray) -> float:
    return float(np.sqrt((samples**2).mean()))


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return write(tmp_path / "sound.wav", silence(1.0), tone(1.0, 0.01), silence(1.0))


@pytest.mark.parametrize("snr", [0.0, 10.0, 20.0])
def test_voice_and_noise_have_the_levels_that_were_asked_for(snr: float, recording: Path) -> None:
    sound = played(trial(recording), Noise(snr, seed=1))
    hum, voice = sound[:RATE], sound[RATE : 2 * RATE]
    assert len(sound) == 3 * RATE + HUSH * BLOCK
    assert 20 * np.log10(SPEECH_LEVEL / rms(hum)) == pytest.approx(snr, abs=1.0)
    both = np.sqrt(SPEECH_LEVEL**2 + rms(hum) ** 2)
    assert rms(voice) == pytest.approx(both, rel=0.1)


def test_seed_and_name_draw_the_noise_and_nothing_else_does(recording: Path) -> None:
    first = played(trial(recording), Noise(10.0, seed=1))
    assert np.array_equal(played(trial(recording), Noise(10.0, seed=1)), first)
    assert not np.array_equal(played(trial(recording), Noise(10.0, seed=2)), first)
    assert not np.array_equal(played(trial(recording, "四号.wav"), Noise(10.0, seed=1)), first)


def test_the_floor_is_that_of_the_room_before_anybody_speaks(recording: Path) -> None:
    quiet, _ = in_noise(trial(recording), Noise(40.0, seed=1))
    loud, _ = in_noise(trial(recording), Noise(10.0, seed=1))
    assert 25 <= loud - quiet <= 35
