"""Copies of a shipped voice pack to be spoilt, and clips for them."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np

from narrator.mouth.takes import RATE, take
from narrator.resources import voices_folder

WORDS = ("lines", "phrases", "guide", "recap", "sheet")


def copy_of(locale: str, voices: Path) -> Path:
    """A copy of a pack's words, without its clips, beside a copy of its lender's."""
    for name in {locale, "zh-CN"}:
        (voices / name).mkdir(parents=True, exist_ok=True)
        for word in WORDS:
            shutil.copy(voices_folder() / name / f"{word}.toml", voices / name / f"{word}.toml")
    return voices / locale


def spoil(file: Path, old: str, new: str) -> None:
    """Change one place of a file, which must be there once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, (file, old, text.count(old))
    file.write_text(text.replace(old, new), encoding="utf-8")


def tone(hertz: float, seconds: float = 0.5, rate: int = RATE) -> np.ndarray:
    """A tone of that pitch."""
    return (0.3 * np.sin(2 * np.pi * hertz * np.arange(round(rate * seconds)) / rate)).astype(np.float32)


def recorded(folder: Path, clips: dict[str, float], name: str = "小艺") -> Path:
    """A recorded voice that says each text as a tone of its own pitch."""
    folder.mkdir(parents=True)
    index = {}
    for number, (text, hertz) in enumerate(clips.items()):
        data = take(tone(hertz), RATE)
        (folder / f"{number}.opus").write_bytes(data)
        index[text] = {"file": f"{number}.opus", "seconds": 0.5, "sha256": hashlib.sha256(data).hexdigest()}
    (folder / "index.json").write_text(json.dumps({"name": name, "clips": index}), encoding="utf-8")
    return folder


def pitch(samples: np.ndarray, rate: int = RATE) -> float:
    """The loudest frequency in Hz."""
    spectrum = np.abs(np.fft.rfft(samples))
    return float(np.fft.rfftfreq(len(samples), 1 / rate)[np.argmax(spectrum)])
