"""The one-time code sheet: for every secret question a fresh, uniform numbering of its answers.

The judge says the number that stands for a seat in the question's row. Each row is used once, so what the
table hears is a uniformly random number whatever was chosen.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from narrator.rules.registry import GESTURES, HINTS

# Identified by exclusion: once all others are known, these are the rest of the table.
PLAIN_ROLES = frozenset({"civilian"})

# Who wakes, what they choose a seat for, and what the judge shows them by a gesture afterwards, if anything.
Step = tuple[str, str | None, str | None]


@dataclass(frozen=True)
class CodeSheet:
    """The codes of one game; the seed is all that need be kept to draw the same sheet again.

    ``rows`` are row ids in the order of the game (see ``rows_for``); ``spare`` rows more follow for
    questions that have to be asked twice.
    """

    seed: int
    seats: int
    rows: Sequence[str]
    spare: int = 0

    @property
    def spares(self) -> tuple[str, ...]:
        """The ids of the spare rows."""
        return tuple(f"spare{number}" for number in range(1, self.spare + 1))

    @property
    def codes(self) -> range:
        """The numbers that can be said for a seat row: one per seat and one for 无."""
        return range(1, self.seats + 2)

    def code(self, row: str, seat: int | None) -> int:
        """The number that stands for ``seat`` (``None`` = 无) in ``row``; ``KeyError`` if there is none."""
        numbering = self._numbering(row, gesture=False)
        if seat is None:
            return numbering[-1]
        if not 1 <= seat <= self.seats:
            raise KeyError(seat)
        return numbering[seat - 1]

    def seat(self, row: str, code: int) -> int | None:
        """The seat (``None`` = 无) that ``code`` stands for in ``row``; ``KeyError`` if there is none."""
        if code not in self.codes:
            raise KeyError(code)
        place = self._numbering(row, gesture=False).index(code)
        return None if place == self.seats else place + 1

    def gesture_code(self, row: str, gesture: str) -> int:
        """The number, from 1 up, that tells the judge which gesture to show in the gesture row ``row``."""
        return self._numbering(row, gesture=True)[gestures_of(row).index(gesture)]

    def _numbering(self, row: str, *, gesture: bool) -> list[int]:
        if (row not in self.rows and row not in self.spares) or is_gesture(row) != gesture:
            raise KeyError(row)
        numbering = list(range(1, len(gestures_of(row)) + 1)) if gesture else list(self.codes)
        # A generator of its own per row, seeded with text (hashed with SHA-512, the same in every process):
        # rows are independent of one another and of how many there are, and a row never changes because
        # another ruleset or a longer game put rows before it. shuffle() draws a uniform permutation.
        random.Random(f"{self.seed}:{row}").shuffle(numbering)
        return numbering


def is_gesture(row: str) -> bool:
    """Whether a row tells the judge a gesture, and not the program a seat."""
    return ".hint" in row


def hint_row(night: int, role: str, hint: str) -> str:
    """The id of a gesture row; one with more than two gestures tells how many."""
    count = len(HINTS[hint].gestures)
    return f"n{night}.{role}.hint" + (str(count) if count > 2 else "")


def gestures_of(row: str) -> tuple[str, ...]:
    """The gestures that a gesture row tells apart."""
    return GESTURES[: int(row.rpartition(".hint")[2] or 2)]


def rows_for(nights: Iterable[Iterable[Step]], counts: Mapping[str, int]) -> tuple[str, ...]:
    """The ids of all rows that a game can use, night by night, in the order they come up.

    ``counts`` says how many cards of each role are dealt; in the first night every holder of a role other
    than a plain one is asked for, roles that wake first, in their order.
    """
    rows: list[str] = []
    for night, steps in enumerate(nights, start=1):
        introduced: set[str] = set()
        for role, act, hint in steps:
            if night == 1 and role not in introduced:
                introduced.add(role)
                rows += _holders(role, counts)
            if act is not None:
                rows.append(f"n{night}.{role}.{act}")
            if hint is not None:
                rows.append(hint_row(night, role, hint))
        if night == 1:
            for role in counts:
                if role not in introduced and role not in PLAIN_ROLES:
                    rows += _holders(role, counts)
    return tuple(rows)


def _holders(role: str, counts: Mapping[str, int]) -> list[str]:
    return [f"n1.{role}.who{number}" for number in range(1, counts.get(role, 0) + 1)]
