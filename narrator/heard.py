"""What was heard: the shape that the ears make and the understanding reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word; times in seconds from the first block fed, confidence from 0 to 1."""

    text: str
    start: float
    end: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Heard:
    """One utterance, spoken or typed.

    ``text`` is the words joined without spaces. ``confidence`` is the least of the words', where the sound
    was heard several times the mean of those hearings that made the same text of it.
    ``endpoint`` is the moment, in seconds from the first block fed, at which the end of speech was
    declared (``None`` for typed text). ``rivals`` are what else the same sound was heard as.
    ``above`` is by how many dB its loudest moment stood out of the room's noise, where that was measured.
    """

    text: str
    words: tuple[Word, ...] = ()
    confidence: float = 1.0
    endpoint: float | None = None
    typed: bool = False
    rivals: tuple[str, ...] = ()
    above: float | None = None
