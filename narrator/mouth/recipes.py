"""What a recorded clip's sound depends on, as a short hash: a clip whose recipe has changed is stale."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from narrator.mouth.reading import Stretch
from narrator.mouth.takes import COMPRESSION, FORMAT, RATE


def recipe(engine: str, reading: Sequence[Stretch]) -> str:
    """Return the recipe of a text; ``engine`` tells everything that the synthesiser depends on."""
    said = [(stretch.words, stretch.mark) for stretch in reading]
    return hashlib.sha256(repr((engine, FORMAT, RATE, COMPRESSION, said)).encode()).hexdigest()[:16]


def engine_recipe(settings: Mapping[str, Any]) -> str:
    """Return what the synthesiser of a voice in ``voices.toml`` depends on; ``ValueError`` for others."""
    match settings.get("engine"):
        case "kokoro":
            return f"kokoro {json.dumps(tuple(settings['blend'].items()))} {settings.get('speed', 1.0)}"
        case "espeak":
            return f"espeak cmn-latn-pinyin{settings.get('variant', '')} {settings.get('rate', 165)}"
    raise ValueError(f"engine = {settings.get('engine')!r} (kokoro, espeak)")
