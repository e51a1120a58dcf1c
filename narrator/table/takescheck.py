"""Can a voice be recorded with a pack's ``readings.toml`` and ``voices.toml``? Both may be missing."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from narrator.messages import message
from narrator.mouth.reading import Readings
from narrator.mouth.recipes import Carrier, engine_recipe
from narrator.mouth.voicepack import VoicePack

_Read = TypeVar("_Read")


def wrong_takes_files(pack: VoicePack) -> Iterator[str] | str:
    """Every fault of the two files, as sentences; where there is none, how much stands in them.

    A pack with a lender is read as the lender's ``readings.toml`` says.
    """
    wrong: list[str] = []
    readings = _read(pack.readings_file, Readings.load, wrong)
    voices = _read(voices_file(pack), load_voices, wrong)
    if wrong:
        return iter(wrong)
    return message(
        "voices_takes_fine",
        readings=0 if readings is None else readings.count,
        voices=0 if voices is None else len(voices),
    )


def voices_file(pack: VoicePack) -> Path:
    """Where a pack's synthesised voices are described: its own file, else its lender's; it may be missing."""
    own = pack.file.with_name("voices.toml")
    return own if own.is_file() or pack.lender_folder is None else pack.lender_folder / own.name


def load_voices(file: Path) -> Mapping[str, Mapping[str, Any]]:
    """The voices of a ``voices.toml`` by id; ``ValueError`` names what is wrong with it."""
    voices = tomllib.loads(file.read_text(encoding="utf-8"))
    for voice, settings in voices.items():
        if not isinstance(settings, dict) or not isinstance(settings.get("name"), str):
            raise ValueError(f"[{voice}] name = ?")
        try:
            engine_recipe(settings)
            Carrier.of(settings)
        except (AttributeError, KeyError, ValueError) as error:
            raise ValueError(f"[{voice}] {error}") from error
    return voices


def _read(file: Path, load: Callable[[Path], _Read], wrong: list[str]) -> _Read | None:
    """What ``load`` reads; None for a file that is missing, and for a broken one, which joins ``wrong``."""
    try:
        return load(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        why: object = error.strerror or error
    except ValueError as error:
        why = error
    wrong.append(message("voices_file_broken", file=file, why=why))
    return None
