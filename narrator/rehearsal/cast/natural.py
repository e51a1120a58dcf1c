"""The natural voices of the cast: clips rendered ahead of time, one sound file a voice and one index."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import soxr

from narrator.faults import Fault
from narrator.rehearsal.cast.voices import Speaker, Voices
from narrator.rehearsal.room import Samples
from narrator.table.blocks import RATE

INDEX = "index.toml"
"""Name of the index in the folder of clips."""

MOST_PACE = 0.05
"""A voice that serves several people is up to this share faster and higher, or slower and lower."""


def clips_folder() -> Path:
    """Where the clips of the natural voices lie."""
    return Path(__file__).with_name("clips")


def has_natural_cast(folder: Path | None = None) -> bool:
    """Whether there are natural voices to rehearse with."""
    return ((folder or clips_folder()) / INDEX).is_file()


@dataclass(frozen=True)
class RecordedVoice:
    """One voice: its file, and where in it each text begins and how many samples it takes, at 16 kHz."""

    file: Path
    judge: bool
    clips: Mapping[str, tuple[int, int]]

    def read(self, text: str) -> Samples | None:
        """The text at 16 kHz, or ``None`` when it isn't there; ``Fault("broken_cast")`` for a bad file."""
        if text not in self.clips:
            return None
        start, length = self.clips[text]
        try:
            with soundfile.SoundFile(self.file) as sound:
                sound.seek(start)
                samples = sound.read(length, dtype="float32")
                rate = sound.samplerate
        except soundfile.LibsndfileError as error:
            raise Fault("broken_cast", file=self.file, why=error.error_string.rstrip(".")) from error
        if rate != RATE or samples.shape != (length,):
            raise Fault("broken_cast", file=self.file, why=f"{text} is not where the index says")
        return np.asarray(samples, dtype=np.float32)


def load_voices(folder: Path) -> dict[str, RecordedVoice]:
    """All voices of ``folder`` by name; ``Fault("broken_cast")`` for an index that can't be used."""
    file = folder / INDEX
    try:
        index = tomllib.loads(file.read_text(encoding="utf-8"))
        return {
            name: RecordedVoice(
                folder / f"{name}.opus",
                bool(entry["judge"]),
                {text: (int(start), int(length)) for text, (start, length) in entry["clips"].items()},
            )
            for name, entry in index.items()
        }
    except OSError as error:
        raise Fault("broken_cast", file=file, why=error.strerror or "it can't be read") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise Fault("broken_cast", file=file, why=error) from error


@dataclass(frozen=True)
class RecordedSpeaker:
    """One person's voice; a text it lacks is spoken by ``stand_in`` and written into ``missing``."""

    name: str
    voice: RecordedVoice
    pace: float
    stand_in: Speaker
    missing: list[str]

    def can_say(self, text: str) -> bool:
        """Whether it is recorded."""
        return text in self.voice.clips

    def says(self, text: str) -> Samples:
        """The text at the person's own pace."""
        samples = self.voice.read(text)
        if samples is None:
            self.missing.append(f"{self.name}: {text}")
            return self.stand_in.says(text)
        return np.asarray(soxr.resample(samples, RATE * self.pace, RATE), dtype=np.float32)


class RecordedVoices:
    """The voices of a folder of clips; ``missing`` collects what had to be left to the ``stand_ins``.

    Raises ``Fault("broken_cast")`` when the folder can't be used or none of its voices can be a judge.
    """

    def __init__(self, folder: Path, stand_ins: Voices) -> None:
        self.missing: list[str] = []
        self._voices = load_voices(folder)
        self._judges = sorted(name for name, voice in self._voices.items() if voice.judge)
        self._stand_ins = stand_ins
        if not self._judges:
            raise Fault("broken_cast", file=folder / INDEX, why="no voice has what a judge says")

    def speakers(self, rng: random.Random) -> Iterator[RecordedSpeaker]:
        """A judge's voice first, then all others in random order, again and again at other paces."""
        stand_ins = self._stand_ins.speakers(random.Random(rng.random()))
        judge = rng.choice(self._judges)
        others = sorted(set(self._voices) - {judge})
        rng.shuffle(others)
        for name in [judge, *others]:
            yield self._speaker(name, 1.0, next(stand_ins))
        while True:
            for name in [*others, judge]:
                yield self._speaker(name, rng.uniform(1 - MOST_PACE, 1 + MOST_PACE), next(stand_ins))

    def _speaker(self, name: str, pace: float, stand_in: Speaker) -> RecordedSpeaker:
        return RecordedSpeaker(name, self._voices[name], pace, stand_in, self.missing)
