"""Several things said in one breath are parted where the voice paused, and nowhere else."""

from __future__ import annotations

import numpy as np
from model_build.align import chain, pieces, still  # type: ignore[import-not-found]
from model_build.store import Utterance  # type: ignore[import-not-found]

SAID = (("san", "hao"), ("guo",), ("wu", "piao"))
PAUSE = 5


def labels(silences: list[int], each: int = 2) -> np.ndarray:
    """Steps of an utterance of ``SAID``: so many of every silence, ``each`` of every sound."""
    outputs, optional = chain(SAID)
    lengths = iter(silences)
    counts = [next(lengths) if silent else each for silent in optional]
    return np.repeat(np.array(outputs, np.int16), counts)


def test_a_pause_parts_what_was_said_before_it_from_what_comes_after() -> None:
    said = labels([3, 8, 6, 4])
    first, second, third = pieces(said, SAID, PAUSE)
    assert [piece[2:] for piece in (first, second, third)] == [(0, 1), (1, 2), (2, 3)]
    # Each is cut in the middle of its silence: 3 + 16 + 4 steps, then 4 + 8 + 3, then the rest.
    assert [piece[:2] for piece in (first, second, third)] == [(0, 23), (23, 38), (38, len(said))]


def test_things_said_without_a_pause_stay_together() -> None:
    assert pieces(labels([3, 0, 6, 4]), SAID, PAUSE) == [(0, 30, 0, 2), (30, 53, 2, 3)]
    assert pieces(labels([0, 0, 0, 0]), SAID, PAUSE) == [(0, 40, 0, 3)]


def test_a_short_stop_is_no_pause() -> None:
    assert len(pieces(labels([3, PAUSE - 1, PAUSE, 4]), SAID, PAUSE)) == 2


def test_nobody_speaks_where_it_is_still_but_a_stop_closes_for_a_moment() -> None:
    def sound(seconds: float, loudness: float) -> np.ndarray:
        wave: np.ndarray = loudness * np.sin(np.arange(int(16_000 * seconds)) * 0.1)
        return wave

    said = (sound(0.6, 0), sound(0.3, 8_000), sound(0.06, 0), sound(0.3, 8_000), sound(0.6, 20))
    quiet = still(Utterance(np.concatenate(said).astype(np.int16), SAID, "nobody"))
    assert quiet[1:18].all()
    assert not quiet[20:41].any(), "the closure is part of the word"
    assert quiet[44:].all(), "a hiss 50 dB below the voice is still as well"


def test_a_room_that_is_never_still_keeps_every_step() -> None:
    noisy = np.random.default_rng(1).normal(0, 300, 16_000)
    noisy[4_000:9_000] *= 20
    assert not still(Utterance(noisy.astype(np.int16), SAID, "nobody")).any()
