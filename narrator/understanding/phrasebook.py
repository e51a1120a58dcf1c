"""The phrase file: which phrases can answer a question, and what each of them means."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from narrator.faults import Fault
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command

HIGHEST = 17
"""Largest number that can be said: sixteen seats and one code for 无."""

NUMERIC = (Kind.SEAT, Kind.VOTES, Kind.NUMBER, Kind.PLAYERS, Kind.COUNT)
"""Kinds answered by a number."""


class Manner(StrEnum):
    """How an answer is put, which decides how easily it is mistaken."""

    BARE = "bare"
    """A number without its unit: a single syllable, mostly."""
    UNIT = "unit"
    """A number with its unit."""
    WORD = "word"
    """An answer without a number."""
    COMMAND = "command"
    """A command of the judge."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase and its meaning; ``bare`` marks a number without its unit, a command without its prefix."""

    text: str
    meaning: Answer | Command
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """When a match is good enough; confidences run from 0 to 1, ``clear`` has one for each ``Manner``.

    ``clear_near_noise`` is the least for whatever stood out of the room by less than ``near_noise`` dB;
    an end of speech of one syllable is sure from ``drowned`` dB on.
    """

    unsure: float
    unsure_rivalled: float
    clear: Mapping[Manner, float]
    near_noise: float
    clear_near_noise: float
    drowned: float
    guarded: str
    syllables_per_edit: int


@dataclass(frozen=True)
class Phrasebook:
    """All phrases of one voice pack; ``phrases`` narrows them to one question."""

    numbers: Mapping[int, tuple[str, ...]]
    units: Mapping[Kind, tuple[str, ...]]
    zero: Mapping[Kind, tuple[str, ...]]
    none: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    done: tuple[str, ...]
    decoys: tuple[str, ...]
    choice: Mapping[str, tuple[str, ...]]
    prefixes: tuple[str, ...]
    plain: tuple[str, ...]
    command: Mapping[str, tuple[str, ...]]
    typed: Mapping[str, str]
    script: Mapping[str, str]
    confusable: Mapping[int, float]
    policy: Policy
    _cache: dict[Expectation, tuple[Phrase, ...]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def numerals(self) -> frozenset[str]:
        """Every character that numbers are spoken with."""
        return frozenset("".join(form for forms in self.numbers.values() for form in forms))

    def manner(self, phrase: Phrase) -> Manner:
        """How ``phrase`` puts its answer."""
        if isinstance(phrase.meaning, Command):
            return Manner.COMMAND
        if phrase.meaning.kind not in NUMERIC or self.numerals.isdisjoint(phrase.text):
            return Manner.WORD
        return Manner.BARE if phrase.bare else Manner.UNIT

    def phrases(self, expectation: Expectation) -> tuple[Phrase, ...]:
        """Every phrase that may be said now: the answers first, then the judge's commands with their prefix.

        Numbers always run from 0 to 17, whatever is legal: the moderator refuses with a reason.
        Raises ``KeyError`` for a choice or command that the file doesn't have.
        """
        if expectation not in self._cache:
            found = {phrase.text: phrase for phrase in reversed([*self._spoken(expectation)])}
            self._cache[expectation] = tuple(reversed(found.values()))
        return self._cache[expectation]

    def commands(
        self, names: Iterable[str], *, prefixes: Iterable[str] | None = None, at_ease: bool = False
    ) -> Iterator[Phrase]:
        """The phrases of the commands ``names``, each with every prefix, by default the file's.

        ``at_ease`` those that the file lists as ``plain`` also come without any.
        """
        for name in names:
            own = (*self.prefixes, "") if at_ease and name in self.plain else self.prefixes
            for start in own if prefixes is None else prefixes:
                yield from self._command(name, start)

    def _command(self, name: str, start: str) -> Iterator[Phrase]:
        for form in self.command[name]:
            if "{seat}" not in form:
                yield Phrase(start + form, Command(name), bare=not start)
                continue
            for value, number in self._spoken_numbers():
                yield Phrase(start + form.replace("{seat}", f"{number}号"), Command(name, seat=value))

    def everything(self) -> tuple[Phrase, ...]:
        """Every phrase of the file, for checking a model's vocabulary; a text appears once per meaning."""
        kinds = [Expectation(kind, none=kind is Kind.SEAT) for kind in Kind if kind is not Kind.CHOICE]
        kinds.append(Expectation(Kind.CHOICE, choices=tuple(self.choice)))
        answers = [phrase for expectation in kinds for phrase in self._answers(expectation)]
        return tuple(dict.fromkeys([*answers, *self.commands(self.command, at_ease=True)]))

    def _spoken(self, expectation: Expectation) -> Iterator[Phrase]:
        yield from self._answers(expectation)
        yield from self.commands(expectation.commands, at_ease=expectation.at_ease)

    def _answers(self, expectation: Expectation) -> Iterator[Phrase]:
        kind = expectation.kind
        if kind in NUMERIC:
            for form in self.units[kind]:
                for value, number in self._spoken_numbers():
                    if value not in expectation.but:
                        yield Phrase(form.replace("{n}", number), Answer(kind, value), bare=form == "{n}")
            yield from (Phrase(text, Answer(kind, 0)) for text in self.zero.get(kind, ()))
            if kind is Kind.SEAT and expectation.none:
                yield from (Phrase(text, Answer(kind, None)) for text in self.none)
        elif kind is Kind.YESNO:
            yield from (Phrase(text, Answer(kind, True)) for text in self.yes)
            yield from (Phrase(text, Answer(kind, False)) for text in self.no)
        elif kind is Kind.PASS:
            yield from (Phrase(text, Answer(kind, True)) for text in self.done)
        for key in expectation.choices:
            yield from (Phrase(text, Answer(Kind.CHOICE, key)) for text in self.choice[key])

    def _spoken_numbers(self) -> Iterator[tuple[int, str]]:
        for value, forms in self.numbers.items():
            for form in forms:
                yield value, form


def load_phrasebook(path: Path) -> Phrasebook:
    """Read a phrase file; raises ``Fault("broken_phrases")`` naming the file and what is wrong with it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return _read(data)
    except OSError as error:
        raise Fault("broken_phrases", file=path, why=error.strerror or "it can't be read") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, _BrokenError) as error:
        raise Fault("broken_phrases", file=path, why=error) from error


class _BrokenError(Exception):
    """What is wrong with the phrase file, in words."""


def _read(data: Mapping[str, Any]) -> Phrasebook:
    numbers = {value: _texts(data, "numbers", str(value)) for value in range(HIGHEST + 1)}
    units = {kind: _texts(data, "units", kind.value) for kind in NUMERIC}
    for kind, forms in units.items():
        if any(form.count("{n}") != 1 for form in forms):
            raise _BrokenError(f"[units] {kind.value}: every form needs {{n}} once")
    command = _table(data, "command")
    book = Phrasebook(
        numbers=numbers,
        units=units,
        zero={Kind(key): _texts(data, "zero", key) for key in _known_kinds(data, "zero")},
        none=_texts(data, "none", "seat"),
        yes=_texts(data, "yesno", "yes"),
        no=_texts(data, "yesno", "no"),
        done=_texts(data, "pass", "done"),
        decoys=_texts(data, "pass", "decoys"),
        choice={key: _texts(data, "choice", key) for key in _table(data, "choice")},
        prefixes=_texts(data, "command", "prefixes"),
        plain=_texts(data, "command", "plain"),
        command={key: _texts(command, "phrases", key) for key in _table(command, "phrases")},
        typed=_pairs(data, "typed"),
        script=_pairs(data, "script"),
        confusable=_confusable(data),
        policy=_policy(_table(data, "policy")),
    )
    _check_single_meanings(book)
    return book


def _check_single_meanings(book: Phrasebook) -> None:
    """Inside one question a phrase may have one meaning only (choices are asked in varying company)."""
    for kind in Kind:
        if kind is Kind.CHOICE:
            continue
        meanings: dict[str, Answer | Command] = {}
        for phrase in book._answers(Expectation(kind, none=True)):
            if meanings.setdefault(phrase.text, phrase.meaning) != phrase.meaning:
                raise _BrokenError(f"“{phrase.text}” means two things for {kind.value}")
    said: dict[str, Answer | Command] = {}
    for phrase in book.commands(book.command, at_ease=True):
        if said.setdefault(phrase.text, phrase.meaning) != phrase.meaning:
            raise _BrokenError(f"“{phrase.text}” is two commands")


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = data.get(name)
    if not isinstance(table, dict) or not table:
        raise _BrokenError(f"[{name}] is missing or empty")
    return table


def _texts(data: Mapping[str, Any], table: str, key: str) -> tuple[str, ...]:
    texts = _table(data, table).get(key)
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        raise _BrokenError(f"[{table}] {key} must be a list of phrases")
    return tuple(texts)


def _pairs(data: Mapping[str, Any], table: str) -> Mapping[str, str]:
    pairs = _table(data, table)
    if not all(isinstance(text, str) and text for text in pairs.values()):
        raise _BrokenError(f"[{table}] must hold texts only")
    return dict(pairs)


def _known_kinds(data: Mapping[str, Any], table: str) -> Iterator[str]:
    for key in _table(data, table):
        if key not in [kind.value for kind in NUMERIC]:
            raise _BrokenError(f"[{table}] {key} is no kind of number")
        yield key


def _confusable(data: Mapping[str, Any]) -> Mapping[int, float]:
    needed: dict[int, float] = {}
    for key, value in _table(data, "confusable").items():
        if not key.isdecimal() or int(key) > HIGHEST:
            raise _BrokenError(f"[confusable] {key} is no number from 0 to {HIGHEST}")
        needed[int(key)] = _confidence(value, f"[confusable] {key}")
    return needed


def _confidence(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _BrokenError(f"{where} must be a number from 0 to 1")
    return float(value)


def _decibels(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 60:
        raise _BrokenError(f"{where} must be a number from 0 to 60")
    return float(value)


def _policy(table: Mapping[str, Any]) -> Policy:
    if not isinstance(table.get("guarded"), str):
        raise _BrokenError("[policy] guarded must be a text")
    span = table.get("syllables_per_edit")
    if isinstance(span, bool) or not isinstance(span, int) or span < 1:
        raise _BrokenError("[policy] syllables_per_edit must be a whole number above 0")
    clear = _table(table, "clear")
    return Policy(
        unsure=_confidence(table.get("unsure"), "[policy] unsure"),
        unsure_rivalled=_confidence(table.get("unsure_rivalled"), "[policy] unsure_rivalled"),
        clear={manner: _confidence(clear.get(manner), f"[policy.clear] {manner}") for manner in Manner},
        near_noise=_decibels(table.get("near_noise"), "[policy] near_noise"),
        clear_near_noise=_confidence(table.get("clear_near_noise"), "[policy] clear_near_noise"),
        drowned=_decibels(table.get("drowned"), "[policy] drowned"),
        guarded=table["guarded"],
        syllables_per_edit=span,
    )
