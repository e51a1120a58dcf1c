"""The voice pack: from a line's id and parameters to the words that are said."""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from narrator.faults import Fault
from narrator.moderator.effects import Value
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

    def variants(self, line_id: str) -> int:
        """Return how many ways there are to say the line."""
        return len(self._variants(line_id))

    def segments(self, line_id: str, params: Mapping[str, Value], pick: int = 0) -> tuple[str, ...]:
        """Return the line's pieces in the order spoken, as printed; ``pick`` chooses among its variants."""
        variants = self._variants(line_id)
        text = variants[pick % len(variants)]
        pieces = (self._fill(line_id, piece, params).strip() for piece in text.split(JOINT))
        return tuple(piece for piece in pieces if piece)

    def text(self, line_id: str, params: Mapping[str, Value], pick: int = 0) -> str:
        """Return the whole line as a screen shows it."""
        return "".join(self.segments(line_id, params, pick))

    def spoken(self, segment: str) -> str:
        """Return the spelling of a segment that the synthesiser reads right."""
        for printed, sounding in self.pronounce.items():
            segment = segment.replace(printed, sounding)
        return segment

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

    def every_segment(self, domains: Mapping[str, Iterable[Value]]) -> tuple[str, ...]:
        """Return each different segment once, in the order of the file, to be rendered beforehand.

        ``domains`` gives the values that a parameter can take, by its own name or that of its form; a
        parameter of ``[names]`` takes all its keys unless told otherwise. Pieces with a place of no known
        domain, or of lists, are left out.
        """
        named = {name: tuple(table) for name, table in self.names.items()}
        known: dict[str, tuple[Value, ...]] = {**named, **{name: tuple(v) for name, v in domains.items()}}
        found: dict[str, None] = {}
        for line_id, variants in self.lines.items():
            for piece in itertools.chain.from_iterable(variant.split(JOINT) for variant in variants):
                for params in _combinations(piece, known):
                    filled = self._fill(line_id, piece, params).strip()
                    if filled:
                        found[filled] = None
        return tuple(found)

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

    def _fill(self, line_id: str, piece: str, params: Mapping[str, Value]) -> str:
        parts = []
        for literal, name, form, _conversion in string.Formatter().parse(piece):
            parts.append(literal)
            if name is None:
                continue
            if name not in params:
                raise self._lacks(f"[lines] {line_id} {{{name}}}")
            parts.append(self.say_value(form or name, params[name]))
        return "".join(parts)

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


def _combinations(piece: str, known: Mapping[str, tuple[Value, ...]]) -> Iterator[dict[str, Value]]:
    """Yield every way to fill the piece's places from the known domains; none when a domain is missing."""
    domains = {name: known.get(name, known.get(form, ())) for name, form in places_of(piece)}
    if any(isinstance(value, tuple) for values in domains.values() for value in values):
        return
    for values in itertools.product(*domains.values()):
        yield dict(zip(domains, values, strict=True))
