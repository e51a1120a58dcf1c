"""The tone ear is trained on recordings: here on buzzing glides, which it must then tell apart."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.lib.stride_tricks import sliding_window_view as windows

pytest.importorskip("torch", reason="install scripts/model_build/requirements.txt to train a tone ear")

RATE = 16_000
GLIDES = {1: (0.0, 0.0), 2: (0.0, 7.0), 3: (-5.0, -9.0), 4: (4.0, -6.0)}
"""Semitones above 200 Hz at which each tone begins and ends here."""


def buzz(tone: int, random: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A syllable of ``tone`` by a voice of any height."""
    size = round(RATE * random.uniform(0.3, 0.5))
    places = np.linspace(0, 1, size)
    begin, end = GLIDES[tone]
    # The third one dips and rises again.
    semitones = begin + (end - begin) * places + (8 * np.maximum(0, places - 0.5) if tone == 3 else 0)
    hertz = 200 * 2 ** ((semitones + random.uniform(-6, 6)) / 12)
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    sound = sum((np.sin(number * phase) / number for number in range(1, 9)), np.zeros(size))
    silence = np.zeros(RATE // 5)
    return np.concatenate([silence, 0.2 * sound * np.hanning(size) ** 0.3, silence])


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    random = np.random.default_rng(1)
    folder = tmp_path / "speech"
    (folder / "syllables").mkdir(parents=True)
    for syllable in ("ma", "na", "la", "yi", "wu", "nü"):
        for tone in GLIDES:
            soundfile.write(folder / "syllables" / f"{syllable}{tone}.ogg", buzz(tone, random), RATE)
    return folder


def test_what_it_was_taught_it_tells_apart(
    recordings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from model_build import tones  # type: ignore[import-not-found]

    from narrator.ears.tones import FILE, ToneEar, features

    monkeypatch.setattr(tones, "_STEPS", 600)
    progress: list[str] = []
    tones.write_tones(tmp_path, recordings, 1, 1, progress.append)
    ear = ToneEar.load(tmp_path / FILE)
    random = np.random.default_rng(2)
    right = 0
    for number in range(24):
        tone = number % 4 + 1
        told = features((buzz(tone, random) * 32_767).astype(np.int16))
        assert told is not None
        right += int(ear.chances(told).argmax()) + 1 == tone
    assert right >= 22
    assert progress[-1].startswith("tone ear written")


def test_without_recordings_there_is_nothing_to_learn(tmp_path: Path) -> None:
    from model_build.tones import train_tones  # type: ignore[import-not-found]

    with pytest.raises(ValueError, match="no recordings with tones"):
        train_tones(tmp_path, tmp_path, 1, 1, print)


def test_syllables_are_cut_where_they_are_heard(model_path: Path) -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("no espeak-ng to speak to the recogniser")
    from model_build import espeak
    from model_build.cutting import cut  # type: ignore[import-not-found]

    from narrator.ears.model import load_model

    model = load_model(model_path)
    sound = espeak.say([("bei3", "jing1")], "f2", 140, 50)
    ((first, one), (second, two)) = cut(model, sound, ("bei3", "jing1"))
    assert (first, second) == ("bei3", "jing1")
    assert len(one) + len(two) <= len(sound)
    # Each is at its own place: the first where the sound begins to be loud, the second after it.
    places = [
        int(np.flatnonzero((windows(sound, len(piece)) == piece).all(axis=1))[0]) for piece in (one, two)
    ]
    assert places[0] < places[0] + len(one) <= places[1] + RATE // 50
