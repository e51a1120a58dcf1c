"""The voices of the cast, as ``voices.toml`` describes them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from speech_engines import held_out

FILE = Path(__file__).with_name("voices.toml")


@dataclass(frozen=True, slots=True)
class CastVoice:
    """One voice: its name, the engine's voices it is mixed from with their shares, and how fast it speaks."""

    name: str
    blend: tuple[tuple[str, float], ...]
    speed: float
    judge: bool

    @property
    def recipe(self) -> str:
        """The blend in words: ``zf_xiaoni 60% + af_heart 40%``."""
        return " + ".join(f"{voice} {share:.0%}" for voice, share in self.blend)


def cast_voices(file: Path = FILE) -> tuple[CastVoice, ...]:
    """All voices of ``file``; ``ValueError`` for one that isn't held out or shares that aren't a whole."""
    found = []
    for name, entry in tomllib.loads(file.read_text("utf-8")).items():
        blend = tuple((voice, float(share)) for voice, share in entry["blend"].items())
        known = [voice for voice, _ in blend if voice not in held_out.KOKORO]
        if known:
            raise ValueError(f"{file.name}: {name} is mixed from {known[0]}, which the recogniser knows")
        if abs(sum(share for _, share in blend) - 1) > 1e-6:
            raise ValueError(f"{file.name}: the shares of {name} don't add up to 1")
        found.append(CastVoice(name, blend, float(entry["speed"]), bool(entry.get("judge", False))))
    return tuple(found)
