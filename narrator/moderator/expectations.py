"""What the moderator is ready to hear after a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum


class Kind(StrEnum):
    """The kinds of answer; each is a small closed set of phrases."""

    YESNO = "yesno"
    SEAT = "seat"
    VOTES = "votes"
    NUMBER = "number"
    PLAYERS = "players"
    COUNT = "count"
    CHOICE = "choice"
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class Expectation:
    """One question's closed set of acceptable answers.

    ``choices`` are keys of the phrase file's ``[choice]`` table: all the answers there are to
    ``Kind.CHOICE``, and further ones (of that kind) where a number is asked for. ``none`` allows
    无 for a seat. ``voice`` is false when only the silent keypad may answer: the microphone stays shut.
    ``private`` answers are neither echoed on a screen nor written in clear. ``commands`` are the
    judge's commands (with the prefix 法官) that are legal now. ``at_ease`` is true while nobody plays
    yet: what the phrase file lists as plain may then be said without the prefix. ``but`` are numbers that
    are not listened for at first: they have been heard and taken back again and again.
    """

    kind: Kind
    choices: tuple[str, ...] = ()
    none: bool = False
    voice: bool = True
    private: bool = False
    commands: tuple[str, ...] = ()
    at_ease: bool = False
    but: tuple[int, ...] = ()

    @property
    def only_commands(self) -> bool:
        """Whether nothing can be answered, and only a command of the judge changes anything."""
        return self.kind is Kind.CHOICE and not self.choices

    def aloud(self) -> Expectation:
        """What of it may be spoken: all, or the judge's commands alone where an answer may only be typed."""
        if self.voice:
            return self
        return replace(self, kind=Kind.CHOICE, choices=(), none=False, voice=True, but=())


def never_meant(heard_wrong: Iterable[int]) -> tuple[int, ...]:
    """Numbers heard twice and taken back twice: a voice may be one that is always misheard."""
    times = Counter(heard_wrong)
    return tuple(sorted(number for number, count in times.items() if count > 1))
