"""What the moderator wants done, in order: say, wait, listen, remember."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from narrator.moderator.expectations import Expectation

# A parameter's *name* fixes how a voice pack speaks it: seat, seats, votes, count, code, role, ...
Value = int | str | tuple[int, ...] | tuple[str, ...] | tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Speak a line of the voice pack; ``params`` fill its places."""

    line: str
    params: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wait:
    """Stay silent for the named wait of the voice pack's ``[waits]`` table."""

    wait: str


@dataclass(frozen=True, slots=True)
class Pace:
    """From here on every silence is multiplied by ``pauses`` and the rate of speaking by ``rate``."""

    pauses: float
    rate: float


@dataclass(frozen=True, slots=True)
class Backdrop:
    """From here on nights have a soft sound under them, or none."""

    on: bool


@dataclass(frozen=True, slots=True)
class Voice:
    """From here on another recorded voice speaks: the one ``turn`` places after the first, in a circle."""

    turn: int


@dataclass(frozen=True, slots=True)
class Wording:
    """From here on the voice pack of ``locale`` is spoken, and its phrases are understood."""

    locale: str


@dataclass(frozen=True, slots=True)
class Volume:
    """From here on everything sounds ``step`` steps louder than it was recorded (softer below 0)."""

    step: int


@dataclass(frozen=True, slots=True)
class Tempo:
    """From here on the voice speaks ``step`` steps faster than it was recorded (slower below 0)."""

    step: int


@dataclass(frozen=True, slots=True)
class CheckRoom:
    """Listen to the room, and to the voices in it, before any of the other effects."""


@dataclass(frozen=True, slots=True)
class Sound:
    """Play an earcon by name."""

    earcon: str


@dataclass(frozen=True, slots=True)
class Expect:
    """Open the microphone (or keypad) for an answer.

    ``about`` names the question and ``params`` its particulars, for whoever answers. ``patience`` names
    the wait after which silence is reported as ``Unclear(SILENCE)``; empty means wait for ever. While
    ``holds`` is true the timers stand still: somebody interrupted whoever has the floor. ``unheard`` is how
    often in a row this question was met with silence.
    """

    expectation: Expectation
    about: str
    params: Mapping[str, Value] = field(default_factory=dict)
    patience: str = "patience"
    holds: bool = False
    unheard: int = 0


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Start (or restart) a timer; it runs only while an answer is expected, not while a line is spoken."""

    timer: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StopTimer:
    """Forget a timer."""

    timer: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth keeping: an accepted answer, the agreed table, a departure, the verdict."""

    what: str
    data: Mapping[str, Value | bool | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class End:
    """The evening is over."""


Effect = (
    Say
    | Wait
    | Pace
    | Backdrop
    | Voice
    | Wording
    | Volume
    | Tempo
    | CheckRoom
    | Sound
    | Expect
    | StartTimer
    | StopTimer
    | Note
    | End
)
