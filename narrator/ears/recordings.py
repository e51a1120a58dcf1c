"""Recordings as the microphone would have heard them: any file and rate in, blocks at 16 kHz out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile
import soxr

from narrator.ears.sound import BLOCK, SAMPLE_RATE, Block
from narrator.faults import Fault

CHUNK = 16_384
"""Frames read at a time, so that an hour of talk needs no more memory than a second."""


def read_blocks(file: Path) -> Iterator[Block]:
    """The blocks of 320 samples in a WAV, FLAC or Ogg file, channels mixed, the last one filled with silence.

    Raises ``Fault("missing_audio")`` or ``Fault("unreadable_audio")``.
    """
    if not file.is_file():
        raise Fault("missing_audio", file=file)
    try:
        with soundfile.SoundFile(file) as sound:
            yield from _blocks(sound)
    except soundfile.LibsndfileError as error:
        raise Fault("unreadable_audio", file=file, why=error.error_string.rstrip(".")) from error


def _blocks(sound: soundfile.SoundFile) -> Iterator[Block]:
    resampler = soxr.ResampleStream(sound.samplerate, SAMPLE_RATE, 1, dtype="float32")
    rest = np.zeros(0, np.float32)
    while True:
        chunk = sound.read(CHUNK, dtype="float32", always_2d=True).mean(axis=1)
        last = len(chunk) < CHUNK
        rest = np.concatenate([rest, resampler.resample_chunk(chunk, last=last)])
        if last and len(rest) % BLOCK:
            rest = np.concatenate([rest, np.zeros(BLOCK - len(rest) % BLOCK, np.float32)])
        whole = len(rest) - len(rest) % BLOCK
        for start in range(0, whole, BLOCK):
            yield np.round(rest[start : start + BLOCK].clip(-1, 1) * 32767).astype(np.int16)
        rest = rest[whole:]
        if last:
            return
