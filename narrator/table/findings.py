"""What looking at a voice pack has shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a part of a pack is: whole, whole but for something worth knowing, or wrong."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """What looking at one part has shown; ``detail`` is a sentence and names file and place."""

    part: str
    state: State
    detail: str
