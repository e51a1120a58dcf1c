"""Spoils files the way people, editors and failing disks do; reproducible by the generator given."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

JUNK: tuple[Any, ...] = (
    "", " ", "3", "号", "杀手", "{seat}", "{", "}", "{0}", "{seat.x}", "{seat!r:>9}", "|", "||", "../..",
    "nan", "\x00", "\ud7ff", "𝟛", "é" * 300, "{" * 50, 0, 1, -1, 2, 13, 17, 2**31, 2**70, -(2**70), 0.0, -0.5,
    1e308,
    float("inf"), float("nan"), True, False, [], {}, [[]], [{}], [""], ["{n}"], [1, 2], [2, 1], ["过", "过"],
    {"": ""},
    {"players": [6, 7]}, [{"role": "killer"}], {"say": "{n}", "join": "、"}, [None],
)  # fmt: skip
"""Values of every shape, most of them wrong wherever they stand."""

KEYS = ("", "x", "killer", "say", "17", "players", "none", "ready", "base", "name", "knobs", "ranks", "é")


def spoiled_bytes(content: bytes, rng: random.Random) -> bytes:
    """A file with a few bytes lost, doubled, changed or moved."""
    for _ in range(rng.choice((1, 1, 2, 5, 40))):
        if not content:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(30)))
        start = rng.randrange(len(content))
        end = min(len(content), start + rng.choice((1, 1, 4, 30, 400)))
        piece = content[start:end]
        match rng.randrange(6):
            case 0:
                content = content[:start] + content[end:]
            case 1:
                content = content[:end] + piece + content[end:]
            case 2:
                content = content[:start] + bytes(rng.randrange(256) for _ in piece) + content[end:]
            case 3:
                other = rng.randrange(len(content))
                content = content[:start] + content[end:]
                content = content[:other] + piece + content[other:]
            case 4:
                content = content[:start]
            case _:
                content = (
                    content[:start]
                    + rng.choice((b'"', b"[", b"]", b"=", b"\n", b"\x00", b"\xff"))
                    + content[start:]
                )
    return content


def spoiled_data(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The contents of a file with a few values changed, gone, added, moved or of another shape."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        place = _place(data, rng)
        if isinstance(place, dict):
            _spoil_table(place, rng)
        elif place:
            index = rng.randrange(len(place))
            match rng.randrange(4):
                case 0:
                    del place[index]
                case 1:
                    place.append(copy.deepcopy(place[index]))
                case 2:
                    rng.shuffle(place)
                case _:
                    place[index] = _near(place[index], rng)
    return data


def _spoil_table(table: dict[str, Any], rng: random.Random) -> None:
    if not table or rng.random() < 0.15:
        table[rng.choice(KEYS)] = copy.deepcopy(rng.choice(JUNK))
        return
    key = rng.choice([*table])
    match rng.randrange(4):
        case 0:
            del table[key]
        case 1:
            table[rng.choice([*table, *KEYS])] = table.pop(key)
        case _:
            table[key] = _near(table[key], rng)


def _near(value: Any, rng: random.Random) -> Any:
    """Another value, often of the same kind."""
    if type(value) is int and rng.random() < 0.6:
        return value + rng.choice((-5, -1, 1, 2, 7, 100))
    if isinstance(value, str) and value and rng.random() < 0.5:
        place = rng.randrange(len(value))
        return value[:place] + rng.choice(("", "x", "{", "}", "|", "号", "{seat}")) + value[place + 1 :]
    return copy.deepcopy(rng.choice(JUNK))


def _place(data: Any, rng: random.Random) -> Any:
    """Some table or list inside the data."""
    while True:
        inner = [
            value
            for value in (data.values() if isinstance(data, dict) else data)
            if isinstance(value, dict | list)
        ]
        if not inner or rng.random() < 0.25:
            return data
        data = rng.choice(inner)


def as_toml(table: dict[str, Any]) -> str:
    """The data as TOML, tables inside lists and tables written in one line."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case dict():
            return "{" + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + "}"
        case list():
            return "[" + ", ".join(_value(inner) for inner in value if inner is not None) + "]"
    return '""'


def absurd_text(rng: random.Random, phrases: list[str]) -> str:
    """Text that somebody might type, mumble or paste."""
    alphabet = "一二三十〇零两号票过不是对无法官號 0123456789-+.,，。！?０９①Ⅷ٣²½[]unk{}|a👍"
    alphabet += "\t\r\x00\x1b\ud7ff\u202e\u0301"
    match rng.randrange(9):
        case 0 | 1:
            return rng.choice(phrases)
        case 2:
            return rng.choice(phrases) + rng.choice(phrases)
        case 3:
            text = rng.choice(phrases)
            place = rng.randrange(len(text) + 1)
            return text[:place] + rng.choice(alphabet) + text[place + rng.randrange(2) :]
        case 4:
            return rng.choice(("0", "1", "17", "18", "99", "999", "1000", "-3", "1" + "0" * 30, "9" * 5000))
        case 5:
            return rng.choice(
                ("", " ", "[unk]", "[unk][unk]", "y", "n", "-", "--", "ok", "\x00", "三" * 5000, "{0}", "%s")
            )
        case 6:
            return rng.choice(phrases) * rng.randrange(5)
        case _:
            return "".join(rng.choice(alphabet) for _ in range(rng.choice((1, 2, 3, 8, 60))))
