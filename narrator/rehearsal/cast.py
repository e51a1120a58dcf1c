"""The cast: synthetic people, each with a voice and a place in the room of their own."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import soxr

from narrator.mouth.clips import Clip, ClipCache
from narrator.mouth.renderer import Renderer
from narrator.mouth.voicepack import Voice
from narrator.rehearsal.room import SPEECH_LEVEL, Samples, at_level, convolve, room_response
from narrator.table.blocks import RATE

BASE = "cmn-latn-pinyin"

VARIANTS = (
    "f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "Annie", "Denis", "Diogo",
    "Gene", "Mario", "Michael", "Steph", "quincy",
)  # fmt: skip
"""espeak-ng voice variants that sound like people rather than like robots or whispers."""


@dataclass(frozen=True)
class Person:
    """One synthetic person: a voice and the way it arrives at the microphone."""

    voice: Voice
    response: Samples
    loudness: float


class Cast:
    """Everybody at the table; seat 0 is the judge. Reproducible by ``seed``."""

    def __init__(self, seats: int, seed: int, renderer: Renderer, cache: ClipCache) -> None:
        self._renderer = renderer
        self._cache = cache
        rng = random.Random(f"{seed}:cast")
        sounds = np.random.default_rng(seed + 1)
        variants = [*VARIANTS]
        rng.shuffle(variants)
        self._people = [
            Person(
                Voice(f"{BASE}+{variants[seat % len(variants)]}", rng.randint(140, 185), rng.randint(35, 65)),
                room_response(sounds, rng.uniform(0.08, 0.25), rng.uniform(0.6, 0.9)),
                # Some sit farther away or speak more softly.
                SPEECH_LEVEL * 10 ** (rng.uniform(-3, 3) / 20),
            )
            for seat in range(seats + 1)
        ]

    def person(self, seat: int) -> Person:
        """Who sits there; 0 is the judge."""
        return self._people[seat]

    def says(self, seat: int, text: str) -> Samples:
        """The text in the person's voice as it arrives at the microphone, at 16 kHz."""
        person = self._people[seat]
        clip = self._clip(person.voice, text)
        dry = soxr.resample(clip.samples, clip.rate, RATE)
        return at_level(convolve(np.asarray(dry, dtype=np.float32), person.response), person.loudness)

    def _clip(self, voice: Voice, text: str) -> Clip:
        clip = self._cache.get(text, voice)
        if clip is None:
            clip = self._renderer.render(text, voice.id, voice.rate, voice.pitch, voice.volume)
            self._cache.put(text, voice, clip)
        return clip
