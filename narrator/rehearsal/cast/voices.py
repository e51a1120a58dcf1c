"""Voices to speak with: what a cast needs of them, and those of espeak-ng."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import soxr

from narrator.mouth.clips import ClipCache
from narrator.mouth.renderer import Renderer
from narrator.mouth.voicepack import Voice
from narrator.rehearsal.room import Samples
from narrator.table.blocks import RATE

BASE = "cmn-latn-pinyin"

VARIANTS = (
    "f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "Annie", "Denis", "Diogo",
    "Gene", "Mario", "Michael", "Steph", "quincy",
)  # fmt: skip
"""espeak-ng voice variants that sound like people rather than like robots or whispers."""


class Speaker(Protocol):
    """One person's voice."""

    def can_say(self, text: str) -> bool:
        """Whether the text is said in this very voice."""

    def says(self, text: str) -> Samples:
        """The text spoken, without any room, at 16 kHz."""


class Voices(Protocol):
    """Where the voices of a table come from."""

    def speakers(self, rng: random.Random) -> Iterator[Speaker]:
        """A voice for the judge, then one for each seat, without end; ``rng`` decides who gets which."""


@dataclass(frozen=True)
class EspeakSpeaker:
    """One voice of espeak-ng, with a rate and a pitch of its own; rendered clips are kept."""

    voice: Voice
    renderer: Renderer
    cache: ClipCache

    def can_say(self, text: str) -> bool:
        """Anything."""
        return True

    def says(self, text: str) -> Samples:
        """The text, rendered now unless it is in store; raises ``RenderFailed``."""
        voice = self.voice
        clip = self.cache.get(text, voice)
        if clip is None:
            clip = self.renderer.render(text, voice.id, voice.rate, voice.pitch, voice.volume)
            self.cache.put(text, voice, clip)
        return np.asarray(soxr.resample(clip.samples, clip.rate, RATE), dtype=np.float32)


class EspeakVoices:
    """The voices of espeak-ng: anything can be said, and nobody sounds natural."""

    def __init__(self, renderer: Renderer, cache: ClipCache) -> None:
        self._renderer = renderer
        self._cache = cache

    def speakers(self, rng: random.Random) -> Iterator[EspeakSpeaker]:
        """Variants in random order; when all are taken they come again at another rate and pitch."""
        variants = [*VARIANTS]
        rng.shuffle(variants)
        while True:
            for variant in variants:
                voice = Voice(f"{BASE}+{variant}", rng.randint(140, 185), rng.randint(35, 65))
                yield EspeakSpeaker(voice, self._renderer, self._cache)
