"""Hours of listening amid chatter: does memory stay flat, does the loop keep up with the microphone?

Evening after evening of the real loop, ears and recogniser in simulated time, far faster than real::

    NARRATOR_MODEL=models/zh-compact python tests/robustness/soak.py --hours 24

Everybody chats in synthetic voices all the time, over a room's noise; now and then somebody types an
answer, so that games begin and end. An hour is an hour in which the microphone was open. Every hour's memory
is printed, and at the end the figures as JSON.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import random
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from narrator.ears.model import RecogniserModel, find_model, load_model
from narrator.heard import Heard
from narrator.moderator.effects import Expect
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Input
from narrator.moderator.moderator import Moderator
from narrator.mouth.lines import load_pack
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.speech import Mouth
from narrator.resources import voices_folder
from narrator.table.blocks import BLOCK, BLOCK_SECONDS, RATE
from narrator.table.listening import Ears, Listener
from narrator.table.performance import Performance
from narrator.table.session import Session
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

VOICES = ("f2", "m3", "f5", "m7", "Annie", "Mario")
NOISE_SECONDS = 30
HOUR = 3600.0

Samples = NDArray[np.int16]


class Chatter:
    """A microphone in a room where somebody is nearly always talking; counts the blocks it gives."""

    def __init__(self, sentences: Sequence[Samples], seed: int) -> None:
        self._rng = random.Random(f"{seed}:chatter")
        noise = np.random.default_rng(seed).standard_normal(NOISE_SECONDS * RATE) * 25
        self._noise = noise.astype(np.int16)
        self._sentences = sentences
        self._talk: Iterator[Samples] = iter(())
        self.blocks = 0

    def read(self) -> Samples:
        """The next 320 samples: noise, and mostly a voice."""
        self.blocks += 1
        talk = next(self._talk, None)
        if talk is None:
            self._talk = self._next()
            talk = next(self._talk)
        return talk + self._noise_block()

    def close(self) -> None:
        """Nothing to close."""

    def _next(self) -> Iterator[Samples]:
        """A pause, then a sentence or a part of one, at some loudness."""
        for _ in range(round(self._rng.choice((0.2, 0.5, 1.0, 2.0, 5.0)) / BLOCK_SECONDS)):
            yield np.zeros(BLOCK, dtype=np.int16)
        sentence = self._rng.choice(self._sentences)
        if self._rng.random() < 0.3:
            start = self._rng.randrange(len(sentence) // 2)
            sentence = sentence[start : start + self._rng.randint(RATE // 8, RATE)]
        factor = np.float32(10 ** (self._rng.uniform(-26, -6) / 20))
        sentence = (sentence * factor).astype(np.int16)
        for start in range(0, len(sentence) - BLOCK + 1, BLOCK):
            yield sentence[start : start + BLOCK]

    def _noise_block(self) -> Samples:
        start = self._rng.randrange(len(self._noise) - BLOCK)
        return self._noise[start : start + BLOCK]


def sentences(voices: Sequence[str] = VOICES) -> list[Samples]:
    """The chatter of rehearsals, and what would be an answer, spoken once by each voice at 16 kHz."""
    chatter = resources.files("narrator.rehearsal").joinpath("chatter.toml").read_text(encoding="utf-8")
    texts = [line for lines in tomllib.loads(chatter).values() for line in lines]
    texts += ["过", "说完了", "不过", "三号", "五票", "确认", "好了"]
    return [_spoken(text, voice) for voice in voices for text in texts]


def _spoken(text: str, voice: str) -> Samples:
    command = ["espeak-ng", "-v", f"cmn-latn-pinyin+{voice}", "-s", "155", "--stdout", text]
    wav = subprocess.run(command, capture_output=True, check=True).stdout
    # Written to a pipe, the header's length is a placeholder: read what there is.
    samples, rate = soundfile.read(io.BytesIO(wav), dtype="float32")
    sound = soxr.resample(samples, rate, RATE)
    loudest: Samples = (sound / max(float(np.abs(sound).max()), 1e-3) * 32767).astype(np.int16)
    return loudest


class CountingEars(Ears):
    """The real ears; what they are fed is counted, and what they made of it."""

    def __init__(self, model: RecogniserModel, phrasebook: Phrasebook) -> None:
        super().__init__(model, phrasebook)
        self.fed = 0
        self.heard = 0
        self.listeners = 0

    def listen(self, expectation: Any) -> Listener:
        self.listeners += 1
        return _Counted(super().listen(expectation), self)


class _Counted:
    def __init__(self, listener: Listener, ears: CountingEars) -> None:
        self._listener = listener
        self._ears = ears

    @property
    def silence(self) -> float:
        return self._listener.silence

    @property
    def floor(self) -> float:
        return self._listener.floor

    def feed(self, block: Samples) -> Heard | None:
        self._ears.fed += 1
        heard = self._listener.feed(block)
        self._ears.heard += heard is not None
        return heard


class Typist(Witness):
    """Types some answer to every question after a while, and ends a speech now and then."""

    closed = False

    def __init__(self, phrasebook: Phrasebook, seed: int) -> None:
        self._phrasebook = phrasebook
        self._rng = random.Random(f"{seed}:typist")
        self._wait = 0
        self._text: str | None = None
        self._typed = ""
        self.games = 0
        self.inputs = 0

    def opened(self, expect: Expect) -> None:
        asked = expect.expectation
        seconds = self._rng.uniform(30, 120) if asked.kind is Kind.PASS else self._rng.uniform(2, 6)
        self._wait = round(seconds / BLOCK_SECONDS)
        answers = [p for p in self._phrasebook.phrases(asked) if isinstance(p.meaning, Answer)]
        if asked.kind is Kind.YESNO:
            answers = [phrase for phrase in answers if phrase.meaning.value is True]  # type: ignore[union-attr]
        elif asked.kind is Kind.CHOICE:
            answers = answers[:1]
        again = expect.about == "confirm" and asked.kind is Kind.SEAT
        self._typed = self._typed if again else self._rng.choice(answers).text
        self._text = self._typed

    def taken(self, event: Input) -> None:
        self._text = None
        self.inputs += 1

    def noted(self, note: Any) -> None:
        self.games += note.what == "game"

    def poll(self) -> str | None:
        self._wait -= 1
        if self._wait > 0 or self._text is None:
            return None
        text, self._text = self._text, None
        return text

    def hide(self, hidden: bool) -> None:
        """Nobody looks."""

    def close(self) -> None:
        """Nothing to close."""


@dataclass
class Soak:
    """What was measured: memory by the hour, and how the loop kept up."""

    model: str = ""
    memory_mb: list[float] = field(default_factory=list)
    objects: list[int] = field(default_factory=list)
    busy: float = 0.0
    longest_block: float = 0.0
    most_behind: float = 0.0

    def block(self, seconds: float, behind: float) -> float:
        """Count one block's processor time; returns how far the loop is behind the microphone."""
        self.busy += seconds
        self.longest_block = max(self.longest_block, seconds)
        behind = max(0.0, behind + seconds - BLOCK_SECONDS)
        self.most_behind = max(self.most_behind, behind)
        return behind

    def sample(self) -> None:
        """Note the memory in use."""
        gc.collect()
        self.memory_mb.append(round(resident_mb(), 1))
        self.objects.append(len(gc.get_objects()))


def resident_mb() -> float:
    """Memory of this process that is in RAM."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def soak(
    hours: float,
    model: RecogniserModel,
    spoken: Sequence[Samples],
    seed: int = 1,
    parts: int = 1,
    tell: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Listen for so many hours; memory is sampled ``parts`` times an hour. Returns the figures."""
    folder = voices_folder() / "zh-CN"
    pack, phrasebook = load_pack(folder), load_phrasebook(folder / "phrases.toml")
    chatter, typist, ears = Chatter(spoken, seed), Typist(phrasebook, seed), CountingEars(model, phrasebook)

    def evening(number: int) -> Session:
        session = Session(
            Moderator(Setup(seed + number, ruleset="standard", players=12, secrets=Secrets.CODES)),
            chatter,
            Performance(Mouth(pack, None, None, RATE), SilentLoudspeaker(), (typist,)),
            pack,
            phrasebook,
            ears=ears,
            keyboard=typist,
            witnesses=(typist,),
        )
        session.begin()
        return session

    figures = Soak(str(model.path))
    figures.sample()
    evenings, elapsed, behind, open_blocks = 1, 0.0, 0.0, 0
    session = evening(evenings)
    while ears.fed * BLOCK_SECONDS < hours * HOUR:
        if session.over:
            # Amid so much talk somebody is bound to end the evening sooner or later.
            evenings, elapsed = evenings + 1, elapsed + session.elapsed
            session = evening(evenings)
        block = chatter.read()
        fed, began = ears.fed, time.process_time()
        session.tick(block)
        behind = figures.block(time.process_time() - began, behind)
        open_blocks += ears.fed > fed
        if ears.fed * BLOCK_SECONDS * parts >= len(figures.memory_mb) * HOUR and ears.fed > fed:
            figures.sample()
            tell(f"{figures.memory_mb[-1]:7.1f} MB  {figures.objects[-1]:8d} objects")
    listened = ears.fed * BLOCK_SECONDS
    elapsed += session.elapsed
    return {
        "model": figures.model,
        "hours_listened": round(listened / HOUR, 2),
        "hours_at_the_table": round(elapsed / HOUR, 2),
        "evenings": evenings,
        "games": typist.games,
        "inputs": typist.inputs,
        "listeners": ears.listeners,
        "utterances_heard": ears.heard,
        "blocks_given": chatter.blocks,
        "blocks_ticked": round(elapsed / BLOCK_SECONDS),
        "blocks_listened_to": ears.fed,
        "blocks_while_listening": open_blocks,
        "share_of_a_core": round(figures.busy / elapsed, 4),
        "longest_block_ms": round(figures.longest_block * 1000, 1),
        "most_behind_ms": round(figures.most_behind * 1000, 1),
        "memory_mb": figures.memory_mb,
        "objects": figures.objects,
    }


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Listen for hours amid chatter.")
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    model = load_model(find_model())
    figures = soak(args.hours, model, sentences(), args.seed, tell=lambda line: print(line, flush=True))
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
