"""The voice pack: from a line's id and parameters to the words that are said."""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from narrator.faults import Fault
from narrator.moderator.effects import Value
from narrator.moderator.rhythm import Rhythm
from narrator.mouth.engines import Engine, Kind
from narrator.mouth.numerals import Numerals

JOINT = "|"


@dataclass(frozen=True, slots=True)
class Voice:
    """How the synthesiser sounds: espeak voice id, rate in words a minute, pitch 0-100, volume 0-1."""

    id: str
    rate: int = 165
    pitch: int = 50
    volume: float = 1.0


@dataclass(frozen=True, slots=True)
class Form:
    """How one parameter is spoken: a template, exceptions for single numbers, and the glue of a list."""

    say: str
    exceptions: Mapping[int, str]
    join: str = ""
    none: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers a form is spoken with; ``by_key`` has those of single keys, in forms of key and number."""

    numbers: tuple[int, ...]
    by_key: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class VoicePack:
    """Everything that is said in one language.

    Lines are text with places such as ``{seat}``; a place is filled in the form that its parameter's
    name has in the pack. Whatever the pack lacks raises ``Fault("voice_pack_lacks", file=, entry=)``.
    """

    file: Path
    name: str
    locale: str
    voice: Voice
    waits: Mapping[str, float]
    numerals: Numerals
    forms: Mapping[str, Form]
    names: Mapping[str, Mapping[str, str]]
    pronounce: Mapping[str, str]
    lines: Mapping[str, tuple[str, ...]]
    rhythm: Rhythm = ()
    ranges: Mapping[str, Range] = field(default_factory=dict)
    lender: str | None = None
    """The locale whose recorded voices say what differs from a text of theirs in script only."""
    script: Mapping[int, str] = field(default_factory=dict)
    """This pack's characters in the lender's script, for ``str.translate``."""
    engine: Engine = field(default_factory=Engine)
    """The synthesiser for whatever isn't recorded."""

    @property
    def lender_folder(self) -> Path | None:
        """The lender's folder, beside this pack's own; ``None`` without one."""
        return None if self.lender is None else self.file.parent.parent / self.lender

    @property
    def readings_file(self) -> Path:
        """The pinned readings, in the lender's script; the file may be missing."""
        return (self.lender_folder or self.file.parent) / "readings.toml"

    def spoken_by(self, engine: Engine) -> VoicePack:
        """The pack as another synthesiser speaks it."""
        if engine.kind is Kind.ESPEAK:
            return self
        return replace(self, engine=engine, voice=replace(self.voice, id=engine.sound))

    def naming(self, table: str, words: Mapping[str, str]) -> VoicePack:
        """The pack with more words in ``[names.table]``: what a host's own rulesets are called."""
        return replace(self, names={**self.names, table: {**self.names.get(table, {}), **words}})

    def variants(self, line_id: str) -> int:
        """Return how many ways there are to say the line."""
        return len(self._variants(line_id))

    def segments(self, line_id: str, params: Mapping[str, Value], pick: int = 0) -> tuple[str, ...]:
        """Return the line's pieces in the order spoken, as printed; ``pick`` chooses among its variants.

        A list of several is cut after each of its items, so that a piece never holds more than one of them.
        """
        variants = self._variants(line_id)
        text = variants[pick % len(variants)]
        return tuple(
            itertools.chain.from_iterable(self._pieces(line_id, piece, params) for piece in text.split(JOINT))
        )

    def text(self, line_id: str, params: Mapping[str, Value], pick: int = 0) -> str:
        """Return the whole line as a screen shows it."""
        return "".join(self.segments(line_id, params, pick))

    def spoken(self, segment: str) -> str:
        """Return the spelling of a segment that the synthesiser reads right."""
        for printed, sounding in self.pronounce.items():
            segment = segment.replace(printed, sounding)
        # Dictionaries know the readings of simplified script best.
        return self.lent(segment)

    def lent(self, segment: str) -> str:
        """Return a segment in the lender's script: the text under which the lender may have recorded it."""
        return segment.translate(self.script)

    def wait(self, name: str) -> float:
        """Return a named silence in seconds."""
        if name not in self.waits:
            raise self._lacks(f"[waits] {name}")
        return self.waits[name]

    def check(self, required_ids: Iterable[str], waits: Iterable[str] = ()) -> None:
        """Raise a fault for the first line or wait that the pack doesn't have."""
        for line_id in required_ids:
            self._variants(line_id)
        for name in waits:
            self.wait(name)

    def places(self, line_id: str) -> frozenset[str]:
        """Return the names of the parameters that any variant of the line speaks."""
        return frozenset(
            name
            for variant in self._variants(line_id)
            for name, _form in places_of(variant.replace(JOINT, ""))
        )

    def every_segment(self) -> tuple[str, ...]:
        """Return each different segment that can be said, once, in the order of the file.

        A parameter takes all keys of its ``[names]``, or the numbers of its ``[ranges]`` (its own, or those
        of its form). Pieces with a place that has neither are left out: ``open_pieces`` names them.
        """
        found: dict[str, None] = {}
        for line_id, piece in self._all_pieces():
            for params in self._combinations(piece):
                found.update(dict.fromkeys(self._pieces(line_id, piece, params)))
        return tuple(found)

    def open_pieces(self) -> tuple[str, ...]:
        """Return the pieces of lines with a place that anything can be put into, such as a person's name."""
        return tuple(
            piece
            for _line_id, piece in self._all_pieces()
            if not all(self._domain(name, form) for name, form in places_of(piece))
        )

    def say_value(self, form: str, value: Value) -> str:
        """Return a single parameter's words, in the named form or from the names of that name."""
        if isinstance(value, str) and form in self.names:
            return self._name(form, value)
        if form not in self.forms:
            raise self._lacks(f"[forms] {form}")
        shape = self.forms[form]
        if isinstance(value, tuple):
            return shape.join.join(self._one(form, shape, item) for item in value) if value else shape.none
        return self._one(form, shape, value)

    def _one(self, form: str, shape: Form, value: int | str | tuple[str, int]) -> str:
        """Fill a form with a number, a key or free text, or a pair of key and number."""
        key = value if isinstance(value, str) else value[0] if isinstance(value, tuple) else None
        number = value if isinstance(value, int) else value[1] if isinstance(value, tuple) else None
        words = {"text": str(number if key is None else key)}
        if number is not None:
            if number in shape.exceptions:
                return shape.exceptions[number]
            words["n"] = self.numerals.plain(number)
            words["two"] = self.numerals.counting(number)
            words["digits"] = self.numerals.digits(number)
        for place, _form in places_of(shape.say):
            if place in words:
                continue
            if key is None or place not in self.names:
                raise self._lacks(f"[forms] {form} = {value!r}")
            words[place] = self._name(place, key)
        return shape.say.format_map(words)

    def _pieces(self, line_id: str, piece: str, params: Mapping[str, Value]) -> Iterator[str]:
        """Yield what a piece of a line comes to: one segment, or several where a list is cut."""
        said = ""
        for literal, name, form, _conversion in string.Formatter().parse(piece):
            said += literal
            if name is None:
                continue
            if name not in params:
                raise self._lacks(f"[lines] {line_id} {{{name}}}")
            value, shape = params[name], self.forms.get(form or name)
            if isinstance(value, tuple) and len(value) > 1 and shape is not None:
                for item in value[:-1]:
                    said += self._one(form or name, shape, item) + shape.join
                    if said.strip():
                        yield said.strip()
                    said = ""
                said += self._one(form or name, shape, value[-1])
                continue
            said += self.say_value(form or name, value)
        if said.strip():
            yield said.strip()

    def _all_pieces(self) -> Iterator[tuple[str, str]]:
        for line_id, variants in self.lines.items():
            for variant in variants:
                for piece in variant.split(JOINT):
                    yield line_id, piece

    def _combinations(self, piece: str) -> Iterator[dict[str, Value]]:
        """Yield every way to fill the piece's places; none when one of them can be anything."""
        domains = {name: self._domain(name, form) for name, form in places_of(piece)}
        for values in itertools.product(*domains.values()):
            yield dict(zip(domains, values, strict=True))

    def _domain(self, name: str, form: str) -> tuple[Value, ...]:
        """Return what a parameter can be; of lists those that together have every item at every place."""
        if form not in self.forms:
            return tuple(self.names.get(form, ()))
        shape = self.forms[form]
        items = self._items(shape, self.ranges.get(name, self.ranges.get(form)))
        if not shape.join:
            return items
        lists: list[Value] = [()] if shape.none else []
        for item in items:
            # Three of a kind: once first, once in the middle, once last.
            lists += [(item,), (item, item, item)]
        return tuple(lists)

    def _items(self, shape: Form, numbers: Range | None) -> tuple[Any, ...]:
        places = {place for place, _form in places_of(shape.say)}
        tables = sorted(places & set(self.names))
        counted = places & {"n", "two", "digits"}
        if not tables:
            return numbers.numbers if numbers is not None else ()
        keys = tuple(self.names[tables[0]])
        if not counted:
            return keys
        if numbers is None:
            return ()
        return tuple((key, n) for key in keys for n in numbers.by_key.get(key, numbers.numbers))

    def _variants(self, line_id: str) -> tuple[str, ...]:
        if line_id not in self.lines:
            raise self._lacks(f"[lines] {line_id}")
        return self.lines[line_id]

    def _name(self, table: str, key: str) -> str:
        if key not in self.names.get(table, {}):
            raise self._lacks(f"[names.{table}] {key}")
        return self.names[table][key]

    def _lacks(self, entry: str) -> Fault:
        return Fault("voice_pack_lacks", file=str(self.file), entry=entry)


def places_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield (parameter, form) for every place of a template; ``ValueError`` when its braces don't match."""
    for _literal, name, form, conversion in string.Formatter().parse(text):
        if name is None:
            continue
        if not name.isidentifier() or conversion or not (form or name).isidentifier():
            raise ValueError(f"{{{name}}}")
        yield name, form or name
