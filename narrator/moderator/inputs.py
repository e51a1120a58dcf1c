"""Everything that can happen to the moderator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from narrator.moderator.expectations import Kind


class Gauge(StrEnum):
    """What the table can read off: how its settings stand, in steps, and how long a speech may last.

    ``TIME`` is in whole seconds, and stands still while somebody else than the speaker is heard.
    ``WORDING`` is the place in ``WORDINGS`` of the one that is spoken, ``VOICE`` that of the recorded voice
    whose turn is next; there is no reading where there is no other voice.
    """

    VOLUME = "volume"
    TEMPO = "tempo"
    TIME = "time"
    WORDING = "wording"
    VOICE = "voice"


GAUGES: Mapping[str, Gauge] = {
    "louder": Gauge.VOLUME,
    "softer": Gauge.VOLUME,
    "faster": Gauge.TEMPO,
    "slower": Gauge.TEMPO,
    "time_left": Gauge.TIME,
    "more_time": Gauge.TIME,
    "wording": Gauge.WORDING,
    "voice": Gauge.VOICE,
}
"""The commands whose effect depends on how the table stands; so the input says it, and the same inputs
always have the same effects."""


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

    ``unsaid`` counts the lines that a typed command cut short or kept from being said. ``reading`` is what
    the table read off its gauge (``GAUGES``) when the command was given.
    """

    name: str
    seat: int | None = None
    certainty: Certainty = Certainty.CLEAR
    unsaid: int = 0
    reading: int | None = None


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A timer ran out."""

    timer: str


Input = Answer | Unclear | Command | Elapsed
