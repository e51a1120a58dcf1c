"""How a text is read aloud: toned syllables, word by word, with the pauses that its punctuation asks for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

Word = tuple[str, ...]
"""Toned syllables, ``ü`` as ``v``, ``5`` for the neutral tone."""

_NUMERALS = {
    **{"零": "ling2", "一": "yi1", "二": "er4", "三": "san1", "四": "si4", "五": "wu3", "六": "liu4"},
    **{"七": "qi1", "八": "ba1", "九": "jiu3", "十": "shi2", "百": "bai3", "两": "liang3"},
}
_MARKS = "，、：。！？；"


@dataclass(frozen=True, slots=True)
class Stretch:
    """What is said in one breath, and the punctuation mark after it (empty at an open end)."""

    words: tuple[Word, ...]
    mark: str

    @property
    def syllables(self) -> tuple[str, ...]:
        """All its syllables."""
        return tuple(syllable for word in self.words for syllable in word)


def syllables_of(reading: Iterable[Stretch]) -> tuple[str, ...]:
    """All toned syllables of a reading."""
    return tuple(syllable for stretch in reading for syllable in stretch.syllables)


@dataclass(frozen=True)
class Readings:
    """The readings pinned for a locale: its ``readings.toml``, by table."""

    measures: Mapping[str, str]
    ordinals: Mapping[str, str]
    stretches: Mapping[str, str]
    letters: Mapping[str, str]
    words: Mapping[str, str]

    @classmethod
    def load(cls, file: Path) -> Readings:
        """Read the file, which has all five tables and no other.

        ``ValueError`` names what is wrong: a table, or a reading with too many or few syllables.
        """
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        for table in sorted(tables.keys() ^ {field.name for field in fields(cls)}):
            raise ValueError(f"{file}: [{table}]")
        for table, entries in tables.items():
            for text, reading in entries.items() if isinstance(entries, dict) else [(table, entries)]:
                fits = isinstance(reading, str) and len(reading.split()) == len(text)
                if not fits or not re.fullmatch(r"([a-z]+[1-5] ?)+", reading):
                    raise ValueError(f"{file}: [{table}] {text} = {reading!r}")
        return cls(**tables)

    @classmethod
    def none(cls) -> Readings:
        """No pinned readings: numbers by rule, everything else by the dictionary."""
        return cls({}, {}, {}, {}, {})

    @property
    def count(self) -> int:
        """How many readings are pinned."""
        return sum(len(getattr(self, field.name)) for field in fields(self))

    def read(self, text: str) -> tuple[Stretch, ...]:
        """Return how ``text`` is read; ``ValueError`` for what has no reading."""
        parts = re.findall(f"([^{_MARKS}]+)([{_MARKS}]*)", text.strip())
        if not parts:
            raise ValueError(f"nothing to read in {text!r}")
        return tuple(
            Stretch(_in_speech(stretch, tuple(self._words(stretch))), mark[:1]) for stretch, mark in parts
        )

    def read_all(
        self, texts: Iterable[str], spelled: Callable[[str], str] = str
    ) -> tuple[dict[str, tuple[Stretch, ...]], list[str]]:
        """Return the readings of all texts that have one, in order, and the other texts.

        ``spelled`` turns a text into the script of the pinned readings.
        """
        known: dict[str, tuple[Stretch, ...]] = {}
        unreadable = []
        for text in texts:
            try:
                known[text] = self.read(spelled(text))
            except ValueError:
                unreadable.append(text)
        return known, unreadable

    def _words(self, stretch: str) -> Iterator[Word]:
        if stretch in self.stretches:
            yield tuple(self.stretches[stretch].split())
            return
        place = 0
        for found in self._pinned.finditer(stretch):
            yield from _by_dictionary(stretch[place : found.start()])
            yield self._one(found, stretch)
            place = found.end()
        yield from _by_dictionary(stretch[place:])

    def _one(self, found: re.Match[str], stretch: str) -> Word:
        """The reading of a pinned word, or of a number and what it counts."""
        if found["word"]:
            return tuple(self.words[found["word"]].split())
        if found["letter"]:
            return (self.letters[found["letter"]],)
        number, unit = found["number"], found["unit"] or ""
        said = [_NUMERALS[digit] for digit in number]
        counted = (self.measures.get(unit) or self.ordinals.get(unit, "")).split()
        ranked = unit in self.ordinals or stretch[: found.start()].endswith("第")
        if number == "一" and counted and not ranked:
            said = ["yi2" if counted[0][-1] in "45" else "yi4"]
        said = [
            "yi4" if (digit, after) == ("一", "百") else syllable
            for digit, after, syllable in zip(number, [*number[1:], ""], said, strict=True)
        ]
        return _third_tones((*said, *counted))

    @cached_property
    def _pinned(self) -> re.Pattern[str]:
        number = (
            f"(?P<number>[{''.join(_NUMERALS)}]+)(?P<unit>{_any_of({**self.measures, **self.ordinals})})?"
        )
        return re.compile(f"(?P<word>{_any_of(self.words)})|(?P<letter>{_any_of(self.letters)})|{number}")


def _any_of(texts: Iterable[str]) -> str:
    """A pattern for the longest of the texts that fits; for none at all, one that never does."""
    return "|".join(sorted(map(re.escape, texts), key=len, reverse=True)) or "(?!)"


def _in_speech(stretch: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words with 一 and 不 in the tone that what follows them asks for, unless a reading was pinned."""
    said = [syllable for word in words for syllable in word]
    for place, syllable in enumerate(said[:-1]):
        following = said[place + 1]
        ranked = place and stretch[place - 1] in ("第", *_NUMERALS)
        if syllable == "bu4" and following[-1] == "4":
            said[place] = "bu2"
        elif syllable == "yi1" and stretch[place] == "一" and not ranked and following != "hao4":
            said[place] = "yi2" if following[-1] in "45" else "yi4"
    rest = iter(said)
    return tuple(tuple(next(rest) for _ in word) for word in words)


def _third_tones(word: Word) -> Word:
    """A third tone before another one rises, in twos from the end: 五秒 is read wú miǎo."""
    said = list(word)
    for place in range(len(said) - 2, -1, -1):
        if said[place][-1] == "3" and said[place + 1][-1] == "3":
            said[place] = said[place][:-1] + "2"
    return tuple(said)


def _by_dictionary(text: str) -> Iterator[Word]:
    """Words as the dictionary reads them, with the changes of tone that follow from their neighbours."""
    if not text:
        return
    import jieba
    from pypinyin import Style, lazy_pinyin

    jieba.setLogLevel(60)
    words = [word for word in jieba.lcut(text) if word.strip()]
    said = lazy_pinyin(words, style=Style.TONE3, neutral_tone_with_five=True, v_to_u=False, tone_sandhi=True)
    if len(said) != len("".join(words)) or any(syllable[-1] not in "12345" for syllable in said):
        raise ValueError(f"no reading for {text!r}")
    for word in words:
        yield tuple(said[: len(word)])
        del said[: len(word)]
