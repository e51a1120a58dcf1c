"""Everything that can happen to the moderator."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from narrator.moderator.expectations import Kind


class Certainty(StrEnum):
    """How sure the understanding is: clear answers are read back, doubtful ones are asked about."""

    CLEAR = "clear"
    DOUBTFUL = "doubtful"


class Why(StrEnum):
    """Why nothing was understood."""

    SILENCE = "silence"
    UNKNOWN = "unknown"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the open question.

    ``value``: bool for YESNO, int for VOTES, NUMBER, PLAYERS and COUNT, int or None (无) for SEAT, the
    key for CHOICE, True for PASS.
    """

    kind: Kind
    value: int | str | bool | None
    certainty: Certainty = Certainty.CLEAR


@dataclass(frozen=True, slots=True)
class Unclear:
    """Nothing usable came back."""

    why: Why


@dataclass(frozen=True, slots=True)
class Command:
    """A judge's command such as 法官，暂停 or 法官，三号出局 (``seat`` = 3).

    ``unsaid`` counts the lines that a typed command cut short or kept from being said.
    """

    name: str
    seat: int | None = None
    certainty: Certainty = Certainty.CLEAR
    unsaid: int = 0


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A timer ran out."""

    timer: str


Input = Answer | Unclear | Command | Elapsed
