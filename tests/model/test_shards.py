"""Speech is kept in shards: those that are there are left alone, the missing ones are made side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from model_build.store import Utterance, fill, read_all  # type: ignore[import-not-found]


def spoken(loudness: int, shard: int) -> Iterator[Utterance]:
    """Two utterances that tell which shard they are of."""
    for place in range(2):
        yield Utterance(np.full(160, loudness + shard, np.int16), (("guo",),), f"voice-{shard}-{place}")


def broken(shard: int) -> Iterator[Utterance]:
    """A synthesiser that gives up after its first utterance of the second shard."""
    yield Utterance(np.zeros(160, np.int16), (("guo",),), "voice")
    if shard == 1:
        raise RuntimeError("no voice left")


def test_all_shards_are_made_by_several_processes_and_read_in_order(tmp_path: Path) -> None:
    told: list[str] = []
    fill(tmp_path, 3, partial(spoken, 100), told.append, workers=2)
    assert [one.speaker for one in read_all(tmp_path)] == [
        f"voice-{shard}-{place}" for shard in range(3) for place in range(2)
    ]
    assert told == [f"{tmp_path.name}: {done} of 3" for done in (1, 2, 3)]


def test_a_broken_off_build_makes_only_what_is_missing(tmp_path: Path) -> None:
    told: list[str] = []
    with pytest.raises(RuntimeError, match="no voice left"):
        fill(tmp_path, 2, broken, told.append)
    assert [file.name for file in tmp_path.glob("*.npz")] == ["0000.npz"]
    fill(tmp_path, 2, partial(spoken, 100), told.append)
    assert [int(one.sound[0]) for one in read_all(tmp_path)] == [0, 101, 101]
