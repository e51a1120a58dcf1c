"""The rooms that were measured, kept in ``room.toml`` beside the settings, the latest first."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path

from narrator.faults import Fault
from narrator.resources import config_folder
from narrator.room.measured import Room

KEPT = 8
"""How many pairs of a microphone and a loudspeaker are remembered."""

_TOLD = "# What narrator has found out about the room; say 试音 or run `narrator room` to measure it anew.\n"
_LATER = ("judge", "far", "volume", "fading")
"""What may be missing: nobody spoke, or the tone was still played as loud as it is recorded."""
_SLOT = re.compile(r" \(hw:\d+,\d+\)$")


def lasting(name: str) -> str:
    """A device's name without the slot it is in: that changes when it is plugged in again."""
    return _SLOT.sub("", name)


def room_file() -> Path:
    """Where the rooms are kept."""
    return config_folder() / "room.toml"


def remembered(file: Path | None = None) -> tuple[Room, ...]:
    """The rooms known, the latest first; ``Fault("broken_room_file")`` when the file can't be read."""
    file = file or room_file()
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        return tuple(_room(entry) for entry in data.get("room", ()))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise Fault("broken_room_file", file=file, why=error) from error


def remember(room: Room, file: Path | None = None) -> None:
    """Keep a room in place of what was known of its pair; ``Fault("cannot_write")``.

    A file that can't be read is replaced.
    """
    file = file or room_file()
    others: tuple[Room, ...] = ()
    with contextlib.suppress(Fault):
        others = remembered(file)
    kept = [room, *(other for other in others if _pair(other) != _pair(room))][:KEPT]
    text = _TOLD + "".join(f"\n[[room]]\n{_written(each)}" for each in kept)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".room-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as fresh:
            fresh.write(text)
        # Whole or not at all: the plug may be pulled at any moment.
        Path(name).replace(file)
    except OSError as error:
        raise Fault("cannot_write", file=file, why=error.strerror or error) from error


def fitting(
    rooms: Sequence[Room], microphones: Sequence[str], loudspeaker: str, wanted: str | None
) -> Room | None:
    """The latest room whose devices are there.

    ``wanted`` is (part of) the microphone's name, if that is fixed.
    """
    there = {lasting(name) for name in microphones}
    for room in rooms:
        fixed = wanted is None or wanted.casefold() in room.microphone.casefold()
        if fixed and room.microphone in there and room.loudspeaker == lasting(loudspeaker):
            return room
    return None


def _pair(room: Room) -> tuple[str, str]:
    return room.microphone, room.loudspeaker


def _written(room: Room) -> str:
    values = {name: value for name, value in asdict(room).items() if value is not None}
    return "".join(f"{name} = {_value(value)}\n" for name, value in values.items())


def _value(value: object) -> str:
    # A JSON string is a TOML string, but for one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _room(entry: Mapping[str, object]) -> Room:
    values: dict[str, object] = {}
    for field in fields(Room):
        given = entry.get(field.name)
        text = field.name in ("microphone", "loudspeaker")
        if given is None and field.name in _LATER:
            continue
        if isinstance(given, bool) or not isinstance(given, str if text else int | float):
            raise ValueError(f"{field.name} = {given!r}")
        if isinstance(given, int | float) and not math.isfinite(given):
            raise ValueError(f"{field.name} = {given!r}")
        number = round if field.name == "volume" else float
        values[field.name] = given if isinstance(given, str) else number(given)
    return Room(**values)  # type: ignore[arg-type]
