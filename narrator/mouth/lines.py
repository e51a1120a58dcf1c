"""Reads a voice pack from its file, ``lines.toml``, and names the place of whatever is wrong in it."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Collection
from dataclasses import fields
from pathlib import Path
from typing import Any

from narrator.faults import Fault
from narrator.moderator.rhythm import Beat
from narrator.mouth.guide import load_guide
from narrator.mouth.numerals import Numerals
from narrator.mouth.voicepack import JOINT, Form, Range, Voice, VoicePack, places_of

__all__ = ["Voice", "VoicePack", "load_pack"]

_FORM_PLACES = {"n", "two", "digits", "text"}


def load_pack(path: Path) -> VoicePack:
    """Read and check a voice pack: the file ``lines.toml`` (with ``guide.toml`` beside it) or its folder.

    Raises ``Fault("broken_voice_pack", file=, why=)`` when the file can't be read or has the wrong shape
    (``why`` is the place), and ``Fault("voice_pack_lacks", file=, entry=)`` when a line uses a
    parameter that has no form.
    """
    file = path / "lines.toml" if path.is_dir() else path
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Fault("broken_voice_pack", file=str(file), why=str(error)) from error
    pack = _Reader(file, raw).pack()
    for line_id, variants in pack.lines.items():
        for _name, form in itertools.chain.from_iterable(places_of(v.replace(JOINT, "")) for v in variants):
            if form not in pack.forms and form not in pack.names:
                raise Fault("voice_pack_lacks", file=str(file), entry=f"[forms] {form} ([lines] {line_id})")
    return pack


class _Reader:
    """Turns the parsed TOML into a pack, naming the place of the first thing that is wrong."""

    def __init__(self, file: Path, raw: dict[str, Any]) -> None:
        self._file = file
        self._raw = raw

    def pack(self) -> VoicePack:
        head = self._table("pack")
        numbers = self._table("numbers")
        voice = Voice(
            id=self._typed(head, "[pack] voice", "voice", str),
            rate=self._typed(head, "[pack] rate", "rate", int, 165),
            pitch=self._typed(head, "[pack] pitch", "pitch", int, 50),
            volume=float(self._typed(head, "[pack] volume", "volume", (int, float), 1.0)),
        )
        counting = self._texts(numbers.get("counting", {}), "[numbers] counting")
        if not all(number.isdecimal() for number in counting):
            raise self._broken("[numbers] counting")
        names = {
            table: self._texts(words, f"[names.{table}]") for table, words in self._table("names", {}).items()
        }
        words = numbers.get("words")
        if not isinstance(words, list) or len(words) < 11 or not all(isinstance(word, str) for word in words):
            raise self._broken("[numbers] words")
        hundred = self._typed(numbers, "[numbers] hundred", "hundred", str, "")
        numerals = Numerals(tuple(words), {int(n): word for n, word in counting.items()}, hundred)
        return VoicePack(
            file=self._file,
            name=self._typed(head, "[pack] name", "name", str),
            locale=self._typed(head, "[pack] locale", "locale", str),
            voice=voice,
            waits={name: self._seconds(name, value) for name, value in self._table("waits", {}).items()},
            numerals=numerals,
            forms={name: self._form(name, value, names) for name, value in self._table("forms", {}).items()},
            names=names,
            pronounce=self._texts(self._table("pronounce", {}), "[pronounce]"),
            lines={**self._own_lines(), **load_guide(self._file.with_name("guide.toml"))},
            rhythm=self._rhythm(self._raw.get("rhythm", [])),
            ranges={name: self._range(name, value) for name, value in self._table("ranges", {}).items()},
            lender=self._typed(head, "[pack] lender", "lender", str, "") or None,
            script=self._script(self._table("script", {})),
        )

    def _script(self, table: dict[str, Any]) -> dict[int, str]:
        """Characters and their twins, as two lists of strings of the same length; none without a table."""
        if not table:
            return {}
        sides = [table.get(side, ()) for side in ("printed", "recorded")]
        if not all(isinstance(part, str) for side in sides for part in side):
            raise self._broken("[script]")
        printed, recorded = ("".join(side) for side in sides)
        if len(printed) != len(recorded):
            raise self._broken(f"[script] {len(printed)} ≠ {len(recorded)}")
        return {ord(one): other for one, other in zip(printed, recorded, strict=True)}

    def _own_lines(self) -> dict[str, tuple[str, ...]]:
        return {line_id: self._line(line_id, value) for line_id, value in self._table("lines").items()}

    def _rhythm(self, rows: object) -> tuple[Beat, ...]:
        if not isinstance(rows, list):
            raise self._broken("[[rhythm]]")
        return tuple(map(self._beat, rows))

    def _beat(self, row: object) -> Beat:
        if not isinstance(row, dict) or set(row) - {field.name for field in fields(Beat)}:
            raise self._broken("[[rhythm]]")
        for name, value in row.items():
            kind = int if name in ("rounds", "living") else (int, float)
            if isinstance(value, bool) or not isinstance(value, kind) or value <= 0:
                raise self._broken(f"[[rhythm]] {name}")
        return Beat(**row)

    def _range(self, name: str, value: object) -> Range:
        place = f"[ranges] {name}"
        table = value if isinstance(value, dict) else {"all": value}
        numbers = {key: _numbers(text) if isinstance(text, str) else () for key, text in table.items()}
        if "all" not in numbers or not all(numbers.values()):
            raise self._broken(place)
        return Range(numbers.pop("all"), numbers)

    def _form(self, name: str, value: object, names: Collection[str]) -> Form:
        place = f"[forms] {name}"
        table = {"say": value} if isinstance(value, str) else value
        if not isinstance(table, dict) or not all(isinstance(text, str) for text in table.values()):
            raise self._broken(place)
        numbers = {key for key in table if key.isdecimal()}
        if "say" not in table or set(table) - numbers - {"say", "join", "none"}:
            raise self._broken(place)
        self._well_formed(table["say"], place, _FORM_PLACES | set(names))
        exceptions = {int(key): table[key] for key in numbers}
        return Form(table["say"], exceptions, table.get("join", ""), table.get("none", ""))

    def _line(self, line_id: str, value: object) -> tuple[str, ...]:
        place = f"[lines] {line_id}"
        variants = [value] if isinstance(value, str) else value
        if not isinstance(variants, list) or not variants:
            raise self._broken(place)
        for variant in variants:
            if not isinstance(variant, str) or not variant.replace(JOINT, "").strip():
                raise self._broken(place)
            for piece in variant.split(JOINT):
                self._well_formed(piece, place, None)
        return tuple(variants)

    def _well_formed(self, template: str, place: str, allowed: Collection[str] | None) -> None:
        try:
            used = [name for name, _form in places_of(template)]
        except ValueError as error:
            raise self._broken(place) from error
        for name in used:
            if allowed is not None and name not in allowed:
                raise self._broken(f"{place} {{{name}}}")

    def _seconds(self, name: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise self._broken(f"[waits] {name}")
        return float(value)

    def _table(self, name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        value = self._raw.get(name, default)
        if not isinstance(value, dict):
            raise self._broken(f"[{name}]")
        return value

    def _texts(self, value: object, place: str) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self._broken(place)
        for key, text in value.items():
            if not isinstance(text, str):
                raise self._broken(f"{place} {key}")
        return value

    def _typed(self, table: dict[str, Any], place: str, key: str, kind: Any, default: Any = None) -> Any:
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, kind):
            raise self._broken(place)
        return value

    def _broken(self, why: str) -> Fault:
        return Fault("broken_voice_pack", file=str(self._file), why=why)


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of "1-4, 10"; none when the text means nothing."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            return ()
        found.extend(range(int(first), int(last or first) + 1))
    return tuple(found)
