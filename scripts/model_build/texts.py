"""What is read aloud for training: the game's phrases, single syllables, and random Mandarin words."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from model_build.phones import split, toneless

Syllables = tuple[str, ...]
"""Pinyin with tone digits, ü as ``v``; ``5`` is the neutral tone."""

_ODD = {
    "yai",
    "lo",
    "yo",
    "nia",
    "rua",
    "chua",
    "den",
    "dia",
    "fiao",
    "eng",
    "cei",
    "kei",
    "tei",
    "lvan",
    "lvn",
}


@lru_cache(maxsize=65536)
def pinyin(text: str) -> Syllables | None:
    """How ``text`` is read, one toned syllable a character; ``None`` if any of it isn't Mandarin."""
    from pypinyin import Style, lazy_pinyin

    said = lazy_pinyin(text, style=Style.TONE3, neutral_tone_with_five=True, v_to_u=False)
    if len(said) != len(text):
        return None
    # A neutral 5 stays; a syllable without a digit isn't Mandarin.
    if any(syllable[-1] not in "12345" or split(toneless(syllable)) is None for syllable in said):
        return None
    return tuple(said)


def phrases(file: Path, joined: bool = True) -> tuple[str, ...]:
    """Every phrase that ``file`` (a phrases.toml) lets the recogniser expect, numbers filled in, sorted.

    ``joined`` commands come with their prefix too, as they are spoken; else the prefix is a phrase itself.
    """
    data = tomllib.loads(file.read_text("utf-8"))
    numbers = [form for forms in data["numbers"].values() for form in forms]
    found: set[str] = set(numbers)
    for patterns in data["units"].values():
        found.update(pattern.format(n=number) for pattern in patterns for number in numbers)
    for table in ("zero", "none", "yesno", "pass", "choice"):
        for entry in data[table].values():
            found.update(entry)
    prefixes = data["command"]["prefixes"]
    seats = [f"{number}号" for number in numbers]
    for patterns in data["command"]["phrases"].values():
        for pattern in patterns:
            commands = [pattern.format(seat=seat) for seat in seats] if "{seat}" in pattern else [pattern]
            found.update(commands)
            if joined:
                found.update(prefix + command for prefix in prefixes for command in commands)
            else:
                found.update(prefixes)
    return tuple(sorted(found))


@lru_cache(maxsize=1)
def all_syllables() -> tuple[str, ...]:
    """Every toneless Mandarin syllable that a character has, sorted."""
    from pypinyin.constants import PINYIN_DICT
    from pypinyin.contrib.tone_convert import to_normal

    readings = {reading for entry in PINYIN_DICT.values() for reading in entry.split(",")}
    plain = {to_normal(reading, v_to_u=False).replace("ü", "v") for reading in readings}
    return tuple(sorted(syllable for syllable in plain if syllable.isascii() and split(syllable)))


@lru_cache(maxsize=1)
def _dictionary() -> tuple[tuple[str, ...], np.ndarray]:
    import jieba

    words, weights = [], []
    with jieba.get_dict_file() as lines:
        for line in lines:
            word, count, *_ = line.decode("utf-8").split()
            if int(count) >= 20 and len(word) <= 4 and all("一" <= char <= "鿿" for char in word):
                words.append(word)
                weights.append(float(count) ** 0.4)
    chances = np.array(weights)
    return tuple(words), chances / chances.sum()


# The shorter, the harder to hear: a bare digit is read more often than a command.
_OFTEN = {1: 8.0, 2: 3.0, 3: 1.5}


class Reader:
    """Draws what to read next; ``seed`` decides everything.

    ``phrases`` are drawn with the share ``commands``, short ones among them more often; the rest
    is single syllables of any tone and runs of one to five dictionary words, a comma here and there.
    """

    def __init__(self, phrases: Iterable[str], seed: Iterable[int], commands: float = 0.4) -> None:
        self._random = np.random.default_rng(list(seed))
        spoken = [(phrase, pinyin(phrase)) for phrase in phrases]
        self._phrases = [said for _, said in spoken if said is not None]
        weights = np.array([_OFTEN.get(len(said), 1.0) for said in self._phrases])
        self._weights = weights / weights.sum()
        self._commands = commands

    def __iter__(self) -> Iterator[tuple[Syllables, ...]]:
        """Groups of syllables without end; between groups there may be a pause."""
        while True:
            kind = self._random.random()
            if kind < self._commands:
                yield (self._phrases[int(self._random.choice(len(self._phrases), p=self._weights))],)
            elif kind < self._commands + 0.2:
                yield (self._syllable(),)
            else:
                yield self._sentence()

    def _syllable(self) -> Syllables:
        known = all_syllables()
        while True:
            syllable = known[int(self._random.integers(len(known)))]
            if syllable not in _ODD:
                return (f"{syllable}{int(self._random.integers(1, 5))}",)

    def _sentence(self) -> tuple[Syllables, ...]:
        words, chances = _dictionary()
        wanted = int(self._random.integers(1, 6))
        said: list[Syllables] = [()]
        while wanted:
            syllables = pinyin(words[int(self._random.choice(len(words), p=chances))])
            if syllables is None:
                continue
            wanted -= 1
            if said[-1] and self._random.random() < 0.15:
                said.append(())
            said[-1] += syllables
        return tuple(said)
