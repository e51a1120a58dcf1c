"""What the view knows of a game: only what the table has heard, gathered while it happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from narrator.heard import Heard
from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.inputs import Input, Unclear
from narrator.moderator.moderator import Moderator
from narrator.moderator.standing import Standing, standing_of
from narrator.mouth.voicepack import VoicePack
from narrator.table.examples import examples
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook

SECRET = "***"
"""What stands for anything that was heard or typed in secret, long or short."""

_ON_THE_FLOOR = ("speech", "last_words")
# Lines with which a phase begins long before its first question.
_BEGINS = {"night.falls": "night", "day.breaks": "dawn"}


class Watched(Protocol):
    """A session, for one that looks on."""

    @property
    def moderator(self) -> object:
        """Whoever asks the questions."""

    @property
    def open(self) -> Expect | None:
        """The question that may be answered now."""

    @property
    def timers(self) -> Mapping[str, float]:
        """Seconds left of each timer."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What was heard or typed last; ``confidence`` is None for what was typed or is secret."""

    text: str = ""
    typed: bool = False
    confidence: float | None = None
    understood: bool = True


@dataclass(frozen=True, slots=True)
class Facts:
    """One moment of a game.

    ``awaited`` is the kind of answer that may be given now, empty while the program speaks; ``private``
    says that it is the judge's secret, ``examples`` how it could be put. ``seat`` has the floor, and
    ``left`` are the seconds of its timer, which ``holds`` while somebody interrupts.
    """

    standing: Standing = field(default_factory=Standing)
    awaited: str = ""
    private: bool = False
    voice: bool = False
    examples: tuple[str, ...] = ()
    seat: int | None = None
    left: int | None = None
    holds: bool = False
    remark: Remark = field(default_factory=Remark)


class Board(Witness):
    """Keeps the facts of the session it follows. With ``reveal`` secrets are among them."""

    def __init__(self, phrasebook: Phrasebook, reveal: bool = False) -> None:
        self._phrasebook = phrasebook
        self._reveal = reveal
        self._session: Watched | None = None
        self._standing = Standing()
        self._coming = 0
        self._examples: tuple[str, ...] = ()
        self._private = False
        self._remark = Remark()

    def follow(self, session: Watched, phrasebook: Phrasebook) -> None:
        """Look on at a session from now on, which understands the phrases of ``phrasebook``."""
        self._session, self._phrasebook = session, phrasebook

    def facts(self) -> Facts:
        """This moment; to be asked on the session's own thread."""
        if self._session is None:
            return Facts()
        timers, expect = self._session.timers, self._session.open
        known = Facts(
            standing=self._standing,
            # A speech's warning runs out before the speech does.
            left=max(0, round(max(timers.values()))) if timers else None,
            remark=self._remark,
        )
        if expect is None:
            return known
        asked, seat = expect.expectation, expect.params.get("seat")
        return replace(
            known,
            awaited=asked.kind.value,
            private=asked.private,
            voice=asked.voice,
            examples=self._examples,
            seat=seat if expect.about in _ON_THE_FLOOR and isinstance(seat, int) else None,
            holds=expect.holds,
        )

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        """A line begins, and perhaps a phase with it."""
        phase = _BEGINS.get(say.line)
        if phase == "night":
            self._standing = replace(self._standing, phase=phase, round=self._coming)
        elif phase is not None:
            self._standing = replace(self._standing, phase=phase)

    def opened(self, expect: Expect) -> None:
        """A question is open, so everybody knows all that led to it."""
        moderator = self._session.moderator if self._session is not None else None
        if isinstance(moderator, Moderator):
            self._standing = standing_of(moderator, self._reveal)
        self._private = expect.expectation.private
        self._examples = examples(expect.expectation, self._phrasebook)

    def heard(self, heard: Heard, event: Input) -> None:
        """Something was heard or typed."""
        if self._private and not self._reveal:
            self._remark = Remark(SECRET, heard.typed)
            return
        confidence = None if heard.typed else heard.confidence
        self._remark = Remark(heard.text, heard.typed, confidence, not isinstance(event, Unclear))

    def reworded(self, pack: VoicePack, phrasebook: Phrasebook) -> None:
        """Examples are given in the words that are understood."""
        self._phrasebook = phrasebook

    def noted(self, note: Note) -> None:
        """A night begins soon; nothing else of the moderator's memory is looked at."""
        if note.what == "night":
            number = note.data["round"]
            assert isinstance(number, int)
            self._coming = number
