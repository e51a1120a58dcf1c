"""What a recorded clip's sound depends on, as a short hash: a clip whose recipe has changed is stale."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from narrator.mouth.reading import Stretch, syllables_of
from narrator.mouth.takes import COMPRESSION, FORMAT, RATE


@dataclass(frozen=True, slots=True)
class Carrier:
    """What a synthesiser says before and after a short text, which alone would come out without its tones.

    ``said`` is toned pinyin, ``longest`` the most syllables of a text that is said this way.
    """

    said: tuple[str, ...]
    longest: int

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self | None:
        """Return the carrier of a voice in ``voices.toml``, if it has one; ``ValueError`` for a wrong one."""
        if "carrier" not in settings:
            return None
        if settings.get("engine") != "kokoro":
            raise ValueError("carrier = … is for engine = 'kokoro'")
        said, longest = settings["carrier"], settings.get("carried")
        if not isinstance(said, str) or not re.fullmatch(r"[a-z]+[1-5]( [a-z]+[1-5])*", said):
            raise ValueError(f"carrier = {said!r}")
        if not isinstance(longest, int) or longest < 1:
            raise ValueError(f"carried = {longest!r}")
        return cls(tuple(said.split()), longest)

    def carries(self, reading: Sequence[Stretch]) -> bool:
        """Whether a text is short enough."""
        return len(syllables_of(reading)) <= self.longest


def recipe(engine: str, reading: Sequence[Stretch], carrier: Carrier | None = None) -> str:
    """Return the recipe of a text; ``engine`` tells everything that the synthesiser depends on."""
    said = [(stretch.words, stretch.mark) for stretch in reading]
    parts: tuple[object, ...] = (engine, FORMAT, RATE, COMPRESSION, said)
    if carrier is not None and carrier.carries(reading):
        parts += (carrier.said,)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def engine_recipe(settings: Mapping[str, Any]) -> str:
    """Return what the synthesiser of a voice in ``voices.toml`` depends on; ``ValueError`` for others."""
    match settings.get("engine"):
        case "kokoro":
            return f"kokoro {json.dumps(tuple(settings['blend'].items()))} {settings.get('speed', 1.0)}"
        case "espeak":
            return f"espeak cmn-latn-pinyin{settings.get('variant', '')} {settings.get('rate', 165)}"
    raise ValueError(f"engine = {settings.get('engine')!r} (kokoro, espeak)")
