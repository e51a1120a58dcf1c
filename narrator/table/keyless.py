"""Where nothing can be typed: a question for the keypad listens for the judge's commands, and says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from narrator.moderator.effects import Effect, Expect, Say


def without_keys(effects: Iterable[Effect]) -> Iterator[Effect]:
    """The same effects for a table without a keyboard; whether there is one is no secret.

    Nobody can answer such a question there: its code sheet has run out, or the game was begun where there
    were keys. No answer is listened for, so that none is spoken.
    """
    for effect in effects:
        if isinstance(effect, Expect) and not effect.expectation.voice:
            yield Say("fault.no_keyboard")
            yield replace(effect, expectation=effect.expectation.aloud())
        else:
            yield effect
