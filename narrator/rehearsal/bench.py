"""Hearing and speed on recordings: every trial is listened to as at the table, and counted."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, repeat

import numpy as np

from narrator.ears.model import RecogniserModel
from narrator.ears.recordings import read_blocks
from narrator.ears.sound import BLOCK, Block
from narrator.ears.voicing import BLOCK_SECONDS, Voicing, level
from narrator.faults import Fault
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Certainty, Command, Unclear
from narrator.rehearsal.room import SPEECH_LEVEL, Room, at_level
from narrator.rehearsal.trials import Trial
from narrator.table.hearing import HUSH, Hearing, hear
from narrator.understanding.phrasebook import Phrasebook

QUIET = 30.0
"""A voice has ended when it is this many dB below its loudest block …"""

NEAR_NOISE = 10.0
"""… or less than this above the recording's own noise."""

PROMPT = 1.0
"""Seconds around the end of the voice in which the end of a speech must be declared."""

_LEAD = 50
"""Blocks of the room's noise that its floor is learnt from: a table has been heard before it is asked."""


class Verdict(StrEnum):
    """How a trial went; only ``WRONG`` would have been acted upon though it isn't right."""

    RIGHT = "right"
    ASKED_RIGHT = "asked_right"
    ASKED_WRONG = "asked_wrong"
    WRONG = "wrong"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial and what came of it; times in seconds.

    ``latency`` is from the end of the voice to the declared end of speech, in the recording's own time;
    ``audio`` how much sound was listened to, ``busy`` the processor time that took.
    """

    trial: Trial
    verdict: Verdict
    hearing: Hearing
    latency: float | None
    audio: float
    busy: float


@dataclass(frozen=True, slots=True)
class Noise:
    """A room's noise to add, ``snr`` dB below the voice; ``seed`` and the file's name draw it."""

    snr: float
    seed: int


def listen_to(
    trial: Trial, model: RecogniserModel, phrasebook: Phrasebook, noise: Noise | None = None
) -> Outcome:
    """Put one recording to its question; ``Fault("bench_no_words")`` when the model has no words for it."""
    floor: float | None = None
    blocks: Iterable[Block]
    if noise is None:
        blocks = chain(read_blocks(trial.file), repeat(np.zeros(BLOCK, np.int16), HUSH))
    else:
        floor, blocks = in_noise(trial, noise)
    meter = _Meter(blocks)
    try:
        hearing = meter.measure(lambda source: hear(source, trial.kind, model, phrasebook, floor))
    except ValueError as error:
        raise Fault("bench_no_words", path=model.path, kind=trial.kind) from error
    latency = _latency(trial, hearing)
    verdict = _verdict(trial, hearing, latency)
    return Outcome(trial, verdict, hearing, latency, meter.blocks * BLOCK_SECONDS, meter.busy)


def voice_end(levels: Sequence[float]) -> float | None:
    """Seconds from the start to the end of the last block with a voice, of levels in dB block by block.

    A voice is within ``QUIET`` of the loudest block and ``NEAR_NOISE`` above the recording's own noise
    (the tenth part of its blocks is taken for that); ``None`` if nothing stands out.
    """
    if not levels:
        return None
    loudest, quiet = max(levels), float(np.percentile(levels, 10))
    # A recording cut close to the word has no noise to compare with.
    least = max(loudest - QUIET, min(quiet + NEAR_NOISE, loudest - NEAR_NOISE))
    voiced = [index for index, now in enumerate(levels) if now >= least and now > -120]
    return (voiced[-1] + 1) * BLOCK_SECONDS if voiced else None


def in_noise(trial: Trial, noise: Noise) -> tuple[float, Iterator[Block]]:
    """A recording played in a room: the noise floor in dB of full scale, then the blocks of the microphone.

    The voice is brought to the level of the table's voices first, so that ``snr`` means the same for all.
    """
    # Drawn from the name, so that a recording sounds the same whatever lies beside it.
    digest = hashlib.sha256(f"{noise.seed}/{trial.name}".encode()).digest()
    room = Room(int.from_bytes(digest[:8]), noise.snr)
    voicing = Voicing()
    for _ in range(_LEAD):
        voicing.feed(room.read())
    recording = [np.zeros(0, np.int16), *read_blocks(trial.file)]
    samples = np.concatenate(recording).astype(np.float32) / np.float32(32768)
    room.speak(at_level(samples, SPEECH_LEVEL), 0.0)
    return voicing.floor, (room.read() for _ in range(len(recording) - 1 + HUSH))


class _Meter:
    """Counts the blocks taken from ``source`` and the processor time spent between them."""

    def __init__(self, source: Iterable[Block]) -> None:
        self._source = iter(source)
        self._fetching = 0.0
        self.blocks = 0
        self.busy = 0.0

    def measure(self, work: Callable[[Iterable[Block]], Hearing]) -> Hearing:
        """Do ``work``; reading and mixing the sound is not its doing, so that time is left out."""
        began = time.process_time()
        done = work(self._counted())
        self.busy = time.process_time() - began - self._fetching
        return done

    def _counted(self) -> Iterator[Block]:
        while True:
            began = time.process_time()
            block = next(self._source, None)
            self._fetching += time.process_time() - began
            if block is None:
                return
            self.blocks += 1
            yield block


def _latency(trial: Trial, hearing: Hearing) -> float | None:
    if hearing.heard is None or hearing.heard.endpoint is None:
        return None
    end = voice_end([level(block) for block in read_blocks(trial.file)])
    return None if end is None else hearing.heard.endpoint - end


def _verdict(trial: Trial, hearing: Hearing, latency: float | None) -> Verdict:
    if trial.kind == Kind.PASS:
        return _stop_verdict(trial, hearing, latency)
    return judged(trial, hearing.meaning)


def judged(trial: Trial, meaning: Answer | Command | Unclear) -> Verdict:
    """What becomes of an answer that is taken for ``meaning``."""
    if isinstance(meaning, Unclear):
        return Verdict.NOTHING
    right = trial.meaning is not None and _same(meaning, trial.meaning)
    if meaning.certainty is Certainty.CLEAR:
        return Verdict.RIGHT if right else Verdict.WRONG
    return Verdict.ASKED_RIGHT if right else Verdict.ASKED_WRONG


def _stop_verdict(trial: Trial, hearing: Hearing, latency: float | None) -> Verdict:
    if not hearing.stops and not hearing.commands:
        return Verdict.NOTHING
    alone = len(hearing.stops) == 1 and not hearing.commands
    prompt = latency is not None and abs(latency) <= PROMPT
    return Verdict.RIGHT if trial.meaning is not None and alone and prompt else Verdict.WRONG


def _same(one: Answer | Command, other: Answer | Command) -> bool:
    return replace(one, certainty=Certainty.CLEAR) == replace(other, certainty=Certainty.CLEAR)
