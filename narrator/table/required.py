"""What a voice pack must have, for the start to fail early and by name: all that the shipped one has."""

from __future__ import annotations

from functools import cache

from narrator.mouth.lines import load_pack
from narrator.mouth.voicepack import VoicePack
from narrator.resources import voices_folder

REFERENCE = "zh-CN"
"""The shipped pack that has every line; a line added there is asked of every other pack."""


def required_lines() -> tuple[str, ...]:
    """Every line that may be said."""
    return tuple(_reference().lines)


def required_waits() -> tuple[str, ...]:
    """Every wait that may be made."""
    return tuple(_reference().waits)


@cache
def _reference() -> VoicePack:
    return load_pack(voices_folder() / REFERENCE)
