"""Utterances on disk: shards that are written once and found again, so that a broken-off build goes on."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soxr
from numpy.typing import NDArray

RATE = 16_000
"""Samples a second."""

Sound = NDArray[np.int16]
"""Mono samples at 16 kHz."""


def resampled(wave: NDArray[np.float32], rate: float) -> Sound:
    """``wave`` (samples from -1 to 1 at ``rate`` hertz) as ``Sound``."""
    if rate != RATE:
        wave = soxr.resample(wave, rate, RATE)
    return np.asarray(np.round(np.clip(wave, -1, 1) * 32767), np.int16)


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said; ``groups`` are its toneless syllables, with a possible pause between groups."""

    sound: Sound
    groups: tuple[tuple[str, ...], ...]
    speaker: str


def write_shard(file: Path, utterances: Iterable[Utterance]) -> None:
    """Write ``utterances`` to ``file`` in one step: a broken-off write leaves nothing behind."""
    kept = list(utterances)
    about = [{"speaker": one.speaker, "groups": one.groups, "samples": len(one.sound)} for one in kept]
    sound = np.concatenate([one.sound for one in kept]) if kept else np.zeros(0, np.int16)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    with partial.open("wb") as target:
        np.savez(target, sound=sound, about=np.frombuffer(json.dumps(about).encode(), np.uint8))
    partial.replace(file)


def read_shard(file: Path) -> Iterator[Utterance]:
    """The utterances of one shard, in order."""
    with np.load(file) as data:
        sound, about = data["sound"], json.loads(data["about"].tobytes())
    start = 0
    for entry in about:
        end = start + entry["samples"]
        yield Utterance(sound[start:end], tuple(map(tuple, entry["groups"])), entry["speaker"])
        start = end


def read_all(folder: Path) -> list[Utterance]:
    """Every utterance of every finished shard in ``folder``."""
    return [one for file in sorted(folder.glob("*.npz")) for one in read_shard(file)]


def fill(
    folder: Path,
    shards: int,
    make: Callable[[int], Iterable[Utterance]],
    report: Callable[[str], None],
    workers: int = 1,
) -> None:
    """Have ``make`` fill the shards 0 … ``shards`` - 1 that aren't there yet, ``workers`` at a time.

    ``make`` must be picklable: each worker is a new process.
    """
    wanted = missing(folder, shards)
    if not wanted:
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(wanted)), mp_context=context) as pool:
        written = [pool.submit(_write, folder, number, make) for number in wanted]
        for done, one in enumerate(as_completed(written), shards - len(wanted) + 1):
            one.result()
            report(f"{folder.name}: {done} of {shards}")


def missing(folder: Path, shards: int) -> list[int]:
    """Those of the shards 0 … ``shards`` - 1 that aren't there."""
    return [number for number in range(shards) if not _file(folder, number).is_file()]


def _file(folder: Path, number: int) -> Path:
    return folder / f"{number:04d}.npz"


def _write(folder: Path, number: int, make: Callable[[int], Iterable[Utterance]]) -> None:
    write_shard(_file(folder, number), make(number))
