"""Reads the beginner's guide of a voice pack, ``guide.toml``, as lines ``guide.<ruleset>.<part>``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from narrator.faults import Fault
from narrator.mouth.voicepack import JOINT

LIKE = "like"


def load_guide(file: Path) -> dict[str, tuple[str, ...]]:
    """The lines of the guide, each of one variant; none where there is no such file.

    ``Fault("broken_voice_pack", file=, why=)`` names the place of whatever is wrong.
    """
    if not file.exists():
        return {}
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
        return {
            f"guide.{ruleset}.{part}": (JOINT.join(sentences),)
            for ruleset in raw
            for part, sentences in _parts(raw, ruleset).items()
        }
    except (OSError, ValueError) as error:
        raise Fault("broken_voice_pack", file=str(file), why=str(error)) from error


def _parts(raw: Mapping[str, Any], ruleset: str) -> dict[str, list[str]]:
    """Everything a ruleset's table says, and what it takes over."""
    table = raw[ruleset]
    if not isinstance(table, dict):
        raise ValueError(f"[{ruleset}]")
    own = {part: sentences for part, sentences in table.items() if part != LIKE}
    for part, sentences in own.items():
        fine = isinstance(sentences, list) and sentences and all(map(_is_sentence, sentences))
        if not fine:
            raise ValueError(f"[{ruleset}] {part}")
    if LIKE not in table:
        return own
    model = raw.get(table[LIKE]) if isinstance(table[LIKE], str) else None
    if not isinstance(model, dict) or LIKE in model:
        raise ValueError(f"[{ruleset}] {LIKE}")
    return {**_parts(raw, table[LIKE]), **own}


def _is_sentence(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip()) and not set(text) & set("{}|")
