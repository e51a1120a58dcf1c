"""The people at a synthetic table, each with a voice and a place in the room of their own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from narrator.rehearsal.cast.voices import Speaker, Voices
from narrator.rehearsal.room import SPEECH_LEVEL, Samples, at_level, convolve, room_response


@dataclass(frozen=True)
class Person:
    """One synthetic person: a voice and the way it arrives at the microphone."""

    speaker: Speaker
    response: Samples
    loudness: float


class Cast:
    """Everybody at the table; seat 0 is the judge. Reproducible by ``seed``."""

    def __init__(self, seats: int, seed: int, voices: Voices) -> None:
        rng = random.Random(f"{seed}:cast")
        sounds = np.random.default_rng(seed + 1)
        speakers = voices.speakers(rng)
        self._people = [
            Person(
                next(speakers),
                room_response(sounds, rng.uniform(0.08, 0.25), rng.uniform(0.6, 0.9)),
                # Some sit farther away or speak more softly.
                SPEECH_LEVEL * 10 ** (rng.uniform(-3, 3) / 20),
            )
            for _ in range(seats + 1)
        ]

    def person(self, seat: int) -> Person:
        """Who sits there; 0 is the judge."""
        return self._people[seat]

    def sayable(self, seat: int, texts: Sequence[str]) -> list[str]:
        """Those of ``texts`` that the person can say in their own voice; all of them if there is none."""
        return [text for text in texts if self._people[seat].speaker.can_say(text)] or [*texts]

    def says(self, seat: int, text: str) -> Samples:
        """The text in the person's voice as it arrives at the microphone, at 16 kHz."""
        person = self._people[seat]
        return at_level(convolve(person.speaker.says(text), person.response), person.loudness)
