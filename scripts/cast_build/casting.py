"""The whole cast: every text of every voice rendered, listened to, and packed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from speech_engines.kokoro import Kokoro

from cast_build.clips import clip_file, read_clip, render_clip
from cast_build.listening import Listener
from cast_build.packing import pack_voice, write_index
from cast_build.voices import CastVoice
from narrator.rehearsal.cast.repertoire import for_everybody, for_the_judge
from narrator.rehearsal.room import Samples
from narrator.understanding.phrasebook import Phrasebook

OTHER_SPEEDS = (0.85, 1.15)
"""What the speed of a clip that can't be made out is multiplied by for another try."""


@dataclass(slots=True)
class Casting:
    """One build: ``clips`` is the work folder, ``out`` for the cast; ``engine`` starts the synthesiser.

    Without a ``listener`` every clip is taken as it is. ``dropped`` lists what nobody could make out. Without
    an ``engine`` only what was rendered before is packed, and a voice with nothing is left out.
    """

    phrasebook: Phrasebook
    voices: Sequence[CastVoice]
    clips: Path
    out: Path
    engine: Callable[[], Kokoro] | None
    listener: Listener | None = None
    dropped: list[str] = field(default_factory=list)

    def texts(self, voice: CastVoice) -> tuple[str, ...]:
        """What the voice has to say."""
        everybody = for_everybody(self.phrasebook)
        return (*everybody, *for_the_judge(self.phrasebook)) if voice.judge else everybody

    def wanted(self) -> int:
        """How many clips there are to be."""
        return sum(len(self.texts(voice)) for voice in self.voices)

    def run(self, rendered: Callable[[], None]) -> int:
        """Make the cast; ``rendered`` is called after each clip. Returns how many clips were packed."""
        packed: dict[CastVoice, Mapping[str, tuple[int, int]]] = {}
        for voice in self.voices:
            clips = dict(self._good(voice, rendered))
            if clips:
                packed[voice] = pack_voice(self.out / f"{voice.name}.opus", clips)
        write_index(self.out, packed)
        return sum(map(len, packed.values()))

    def _good(self, voice: CastVoice, rendered: Callable[[], None]) -> Iterator[tuple[str, Samples]]:
        for text in self.texts(voice):
            if self.engine is None and not clip_file(self.clips, voice, text, voice.speed).is_file():
                continue
            samples = self._best(voice, text)
            rendered()
            if samples is None:
                self.dropped.append(f"{voice.name}: {text}")
            else:
                yield text, samples

    def _best(self, voice: CastVoice, text: str) -> Samples | None:
        for factor in (1.0, *OTHER_SPEEDS):
            speed = voice.speed * factor
            file = clip_file(self.clips, voice, text, speed)
            if self.engine is not None:
                render_clip(file, self.engine, voice, text, speed)
            elif not file.is_file():
                continue
            samples = read_clip(file)
            if self.listener is None or self.listener.makes_out(samples, text):
                return samples
        return None
