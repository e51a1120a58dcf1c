"""Going on with an evening that was interrupted: its inputs are played again, unheard."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from narrator.faults import Fault
from narrator.moderator.effects import Note
from narrator.moderator.moderator import Moderator
from narrator.moderator.offer import is_unfinished
from narrator.table.journal import Journal, Unfinished, as_json


@dataclass(frozen=True, slots=True)
class Interrupted:
    """An interrupted evening, come back to life: its moderator asks what was asked last."""

    moderator: Moderator
    unfinished: Unfinished
    unwritten: tuple[tuple[int, str, str], ...]
    """Notes that were lost with the process: (number, what, content)."""
    undone: Note | None
    """What the last input took back, if that was lost too."""
    sheet: Note | None
    """The code sheet that was drawn last."""

    def go_on(self, journal: Journal) -> None:
        """Have the journal write on where it stopped."""
        journal.go_on(self.unfinished, self.unwritten, self.undone)


def interrupted(journal: Journal) -> Interrupted | None:
    """The latest evening, if it stopped inside a game; raises what ``revive`` and the journal raise."""
    found = journal.unfinished()
    if found is None:
        return None
    revived = revive(found)
    return revived if is_unfinished(revived.moderator.phase) else None


def revive(found: Unfinished) -> Interrupted:
    """Play an evening again up to where it stopped.

    ``Fault("resume_impossible")`` when its inputs no longer lead to what they led to then: the rules, or
    this program, are not the same any more.
    """
    try:
        moderator = Moderator(found.setup)
        played = moderator.restore(found.inputs, found.spent)
    except Exception as error:  # whatever it is, a new game must be possible
        raise Fault("resume_impossible", why=error) from error
    noted = [
        (number, effect)
        for number, effects in zip((0, *found.numbers), played, strict=True)
        for effect in effects
        if isinstance(effect, Note)
    ]
    notes = tuple((number, note.what, as_json(note)) for number, note in noted if note.what != "undone")
    for then, now in itertools.zip_longest(found.notes, notes):
        if then is not None and then != now:
            raise Fault("resume_impossible", why=then[1])
    # Only the very last input can have taken something back that is not written down as taken back.
    undone = next((note for _, note in noted if note.what == "undone"), None)
    sheet = next((note for _, note in reversed(noted) if note.what == "sheet"), None)
    return Interrupted(moderator, found, notes[len(found.notes) :], undone, sheet)
