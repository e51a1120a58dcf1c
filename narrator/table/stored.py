"""Inputs as the journal's rows keep them."""

from __future__ import annotations

import json
from dataclasses import asdict

from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Certainty, Command, Elapsed, Input, Unclear, Why


def stored(event: Input) -> tuple[str, str]:
    """The type and the content, as JSON, of an input."""
    return type(event).__name__, json.dumps(asdict(event), ensure_ascii=False)


def restored(kind: str, content: str) -> Input:
    """The input that a row was made of; ``ValueError`` for a row that this program can't have written."""
    try:
        found = json.loads(content)
        match kind:
            case "Answer":
                return Answer(Kind(found["kind"]), _plain(found["value"]), Certainty(found["certainty"]))
            case "Unclear":
                return Unclear(Why(found["why"]))
            case "Command":
                # Files of version 1 don't tell what was unsaid.
                unsaid = int(found.get("unsaid", 0))
                reading = None if found.get("reading") is None else int(found["reading"])
                certainty = Certainty(found["certainty"])
                return Command(str(found["name"]), found["seat"], certainty, unsaid, reading)
            case "Elapsed":
                return Elapsed(str(found["timer"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{kind}: {content}") from error
    raise ValueError(f"{kind}?")


def _plain(value: object) -> int | str | bool | None:
    if value is None or isinstance(value, int | str):
        return value
    raise ValueError(f"{value!r}")
