"""Everything a moderator remembers, to be compared."""

from __future__ import annotations

from dataclasses import replace

from narrator.moderator.moderator import Moderator


def fingerprint(moderator: Moderator, *, sheet: bool = True) -> tuple[object, ...]:
    """State, memory, open questions, inputs and timers; without ``sheet`` but for the rows that were used."""
    evening, desk = moderator.evening, moderator._desk
    notes = evening.sheet
    rows = (notes.seed, notes.spares, tuple(notes.exposed), tuple(sorted(notes.spent)))
    questions = [
        (
            *(open_.question.about, repr(open_.question.params), open_.question.expectation),
            *(open_.pending, open_.misses, open_.interrupted),
        )
        for open_ in desk.dialog._stack
    ]
    memory = repr(replace(evening, sheet=replace(notes, exposed=[], spares=0, spent=frozenset())))
    history = moderator._history
    rest = (rows, moderator.inputs, questions) if sheet else ()
    return (moderator.state, moderator.phase, memory, tuple(sorted(history.timers.items())), *rest)
