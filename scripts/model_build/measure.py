"""What a finished model hears: commands, numbers and rejections, by voices it was never trained on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from speech_engines import held_out
from speech_engines.kokoro import RATE, Kokoro

from model_build import corpora, espeak
from model_build.graph import UNKNOWN_WORD
from model_build.kokoro import ipa
from model_build.phones import toneless
from model_build.store import Sound, resampled
from model_build.texts import pinyin

TARGET = 0.35
"""Share of full scale that the loud samples are brought to, as the program does before it recognises."""

DIGITS = "零一二三四五六七八九"
CONFIDENT = 0.75


@dataclass(frozen=True, slots=True)
class Sample:
    """A sound and what was said; ``None`` when it is no phrase of the grammar."""

    sound: Sound
    said: str | None


@dataclass(frozen=True, slots=True)
class Result:
    """Shares of one set: right answers (for rejection: nothing given), and wrong ones above ``CONFIDENT``."""

    name: str
    samples: int
    right: float
    confidently_wrong: float

    def __str__(self) -> str:
        wrong = f"{self.confidently_wrong:6.1%} wrong at confidence {CONFIDENT} or more"
        return f"{self.name:42} {self.samples:5} samples  {self.right:6.1%} right  {wrong}"


class Hearing:
    """A loaded model; ``hear`` gives the words of one sound and their least confidence."""

    def __init__(self, folder: Path) -> None:
        import vosk

        vosk.SetLogLevel(-1)
        self._vosk: Any = vosk
        self._model = vosk.Model(model_path=str(folder))

    def knows(self, word: str) -> bool:
        """Whether the vocabulary has ``word``."""
        return int(self._model.vosk_model_find_word(word)) >= 0

    def hear(self, sound: Sound, grammar: str) -> tuple[str, float]:
        """What is heard with ``grammar`` (a JSON array); empty for nothing."""
        recogniser = self._vosk.KaldiRecognizer(self._model, 16_000, grammar)
        recogniser.SetWords(True)
        entries: list[dict[str, Any]] = []
        if recogniser.AcceptWaveform(np.ascontiguousarray(sound, "<i2").tobytes()):
            entries += json.loads(recogniser.Result()).get("result", [])
        entries += json.loads(recogniser.FinalResult()).get("result", [])
        return " ".join(e["word"] for e in entries), min((float(e["conf"]) for e in entries), default=0.0)


def levelled(sound: Sound) -> Sound:
    """``sound`` at the level the program listens at."""
    loud = max(float(np.quantile(np.abs(sound.astype(np.float32)), 0.98)), 1.0)
    return np.clip(np.round(sound * (TARGET * 32768 / loud)), -32768, 32767).astype(np.int16)


def noisy(sound: Sound, decibels: float, random: np.random.Generator) -> Sound:
    """``sound`` with pink noise so far below its loud half."""
    length = len(sound)
    spectrum = np.fft.rfft(random.normal(0, 1, length))
    noise = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.fft.rfftfreq(length, 1 / 16_000), 50)), length)
    power = np.mean(np.sort(sound.astype(np.float64) ** 2)[length // 2 :])
    noise *= np.sqrt(power / np.mean(noise**2)) * 10 ** (-decibels / 20)
    return np.clip(np.round(sound + noise), -32768, 32767).astype(np.int16)


def measure(
    hearing: Hearing, name: str, samples: Iterable[Sample], phrases: Sequence[str], unknown: bool
) -> Result:
    """How ``samples`` are heard with a grammar of ``phrases`` (words separated by spaces)."""
    grammar = json.dumps([*phrases, UNKNOWN_WORD] if unknown else list(phrases), ensure_ascii=False)
    known = set(phrases)
    count = right = wrong = 0
    for sample in samples:
        text, confidence = hearing.hear(levelled(sample.sound), grammar)
        heard = text if text in known else None
        count += 1
        right += heard == sample.said
        wrong += heard is not None and heard != sample.said and confidence >= CONFIDENT
    return Result(name, count, right / max(count, 1), wrong / max(count, 1))


def digits(folder: Path) -> list[Sample]:
    """Bare digits by people with ordinary microphones: files named ``person-digit``."""
    files = sorted((folder / "digits").glob("*.ogg"))
    return [Sample(corpora.read_sound(file), DIGITS[int(file.stem.split("-")[1])]) for file in files]


def espeak_phrases(phrases: Sequence[str], count: int, seed: int) -> list[Sample]:
    """Phrases by espeak-ng's variants kept from training."""
    random = np.random.default_rng([seed, 51])
    found = []
    for number in range(count):
        phrase, said = _draw(phrases, random)
        variant = held_out.ESPEAK[number % len(held_out.ESPEAK)]
        sound = espeak.say([said], variant, int(random.integers(130, 190)), int(random.integers(35, 65)))
        found.append(Sample(_surrounded(sound), phrase))
    return found


def kokoro_phrases(kokoro: Kokoro, phrases: Sequence[str], count: int, seed: int) -> list[Sample]:
    """Phrases by the neural voices kept from training."""
    random = np.random.default_rng([seed, 52])
    found = []
    for number in range(count):
        phrase, said = _draw(phrases, random)
        style = kokoro.style([(held_out.KOKORO[number % len(held_out.KOKORO)], 1.0)])
        spoken = "".join(ipa(syllable, random) for syllable in said)
        wave = kokoro.say(spoken + ".", style, float(random.uniform(0.85, 1.2)))
        found.append(Sample(_surrounded(resampled(wave, RATE)), phrase))
    return found


def _draw(phrases: Sequence[str], random: np.random.Generator) -> tuple[str, tuple[str, ...]]:
    while True:
        phrase = phrases[int(random.integers(len(phrases)))]
        said = pinyin(phrase)
        if said is not None:
            return phrase, said


def _surrounded(sound: Sound) -> Sound:
    quiet = np.zeros(4_800, np.int16)
    return np.concatenate([quiet, sound, quiet])


def held_out_people(folder: Path) -> list[Sample]:
    """Twelve words by the speakers kept from training, spelled in syllables."""
    speakers = corpora.HELD_OUT_PEOPLE
    return [Sample(one.sound, " ".join(one.groups[0])) for one in corpora.people(folder, speakers)]


def other_syllables(folder: Path, phrases: Sequence[str]) -> list[Sample]:
    """Single syllables by a woman never trained on, none of which sounds like one of ``phrases``."""
    sounds = {tuple(map(toneless, pinyin(phrase) or ())) for phrase in phrases}
    found = []
    for file in sorted((folder / "syllables").glob("*.ogg")):
        if (toneless(file.stem),) not in sounds and not file.stem.startswith("_"):
            found.append(Sample(corpora.read_sound(file), None))
    return found


def report_all(results: Iterable[Result], report: Callable[[str], None]) -> None:
    """One line for each result."""
    for result in results:
        report(str(result))
