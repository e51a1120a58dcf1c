"""Real recordings of a speech folder: licensed voices for training, whole speakers held out for measuring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from model_build.phones import split, toneless
from model_build.store import Sound, Utterance, resampled
from model_build.texts import Syllables, pinyin

PEOPLE_WORDS = (
    *("数字", "语音", "语言", "识别", "中国", "总工", "北京", "背景", "上海", "商行", "复旦", "饭店"),
)
"""What the twelve words of the folder ``people`` are, by number."""

WORDS_SPEAKER = "B"
"""The one woman of the folder ``words``."""

SYLLABLES_SPEAKER = "A"
"""The one woman of the folder ``syllables``."""

TRAINED_PEOPLE = tuple(f"s{number:02d}" for number in range(1, 17))
TUNING_PEOPLE = tuple(f"s{number:02d}" for number in range(17, 21))
"""Kept out of the training: thresholds are chosen with them."""

HELD_OUT_PEOPLE = tuple(f"s{number:02d}" for number in range(21, 25))
"""Kept out of the training and of the tuning: measured with."""


_TONES = "1234"


def read_sound(file: Path) -> Sound:
    """A recording as mono samples at 16 kHz."""
    sound, rate = soundfile.read(file, dtype="float32", always_2d=True)
    return resampled(sound.mean(axis=1), rate)


def people(folder: Path, speakers: tuple[str, ...]) -> Iterator[Utterance]:
    """Twelve words by each of ``speakers``, recordings too quiet to hold a word left out."""
    for file in sorted((folder / "people").glob("*.ogg")):
        speaker, word, _ = file.stem.split("-")
        if speaker in speakers:
            utterance = _utterance(file, pinyin(PEOPLE_WORDS[int(word)]), speaker)
            if utterance is not None:
                yield utterance


def words(folder: Path) -> Iterator[Utterance]:
    """Words and characters by one woman; those with a silent or melted 儿 left out."""
    for file in sorted((folder / "words").glob("*.ogg")):
        text = file.stem.split("_")[0]
        if "_" not in file.stem and not (
            len(text) > 1 and text.endswith("儿") and text not in ("女儿", "婴儿", "幼儿")
        ):
            utterance = _utterance(file, pinyin(text), WORDS_SPEAKER)
            if utterance is not None:
                yield utterance


def syllables(folder: Path) -> Iterator[Utterance]:
    """Single syllables of every tone by another woman."""
    for file in sorted((folder / "syllables").glob("*.ogg")):
        if file.stem[-1] in "12345" and split(toneless(file.stem)) is not None:
            utterance = _utterance(file, (file.stem,), SYLLABLES_SPEAKER)
            if utterance is not None:
                yield utterance


@dataclass(frozen=True, slots=True)
class Toned:
    """A recording in which tones can be learnt, and its syllables with their tones."""

    speaker: str
    file: Path
    said: Syllables


def toned(folder: Path, doubles: int) -> Iterator[Toned]:
    """Single syllables of two women, ``doubles`` words of two by one of them, and what many people say."""
    for file in sorted((folder / "syllables").glob("*.ogg")):
        if file.stem[-1] in _TONES:
            yield Toned(SYLLABLES_SPEAKER, file, (file.stem,))
    for file in sorted((folder / "words").glob("*.ogg")):
        said = pinyin(file.stem.split("_")[0]) or ()
        if not all(syllable[-1] in _TONES for syllable in said) or len(said) not in (1, 2):
            continue
        if len(said) == 1 or doubles:
            doubles -= len(said) - 1
            yield Toned(WORDS_SPEAKER, file, said)
    for file in sorted((folder / "people").glob("*.ogg")):
        speaker, word, _ = file.stem.split("-")
        said = pinyin(PEOPLE_WORDS[int(word)]) or ()
        if speaker in TRAINED_PEOPLE:
            yield Toned(speaker, file, said)


def _utterance(file: Path, said: Syllables | None, speaker: str) -> Utterance | None:
    if said is None:
        return None
    sound = read_sound(file)
    loud = float(np.quantile(np.abs(sound.astype(np.float32)), 0.98)) if len(sound) else 0.0
    if loud < 60:
        return None
    return Utterance(sound, (tuple(map(toneless, said)),), speaker)
