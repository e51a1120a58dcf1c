"""Clips set one after another sound like one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.mouth.clips import Samples
from narrator.mouth.joining import joined

RATE = 24_000


def piece(lead: float = 0.02, tail: float = 0.05, level: float = 0.3) -> Samples:
    """A third of a second of voice with near-silence around it, as clips have."""
    hiss = np.random.default_rng(1).uniform(-0.002, 0.002, RATE).astype(np.float32)
    time = np.arange(RATE // 3) / RATE
    voice = (level * np.cos(2 * np.pi * 200 * time)).astype(np.float32)
    return np.concatenate([hiss[: round(lead * RATE)], voice, hiss[: round(tail * RATE)]])


def longest_hole(samples: Samples) -> float:
    loud = np.flatnonzero(np.abs(samples) > 0.004)
    return float(np.diff(loud).max() / RATE)


@pytest.mark.parametrize("mark", ["", "号", "、", "，", "：", "。", "？"])
@pytest.mark.parametrize("tail", [0.0, 0.05, 0.4])
def test_between_two_pieces_is_never_a_hole(mark: str, tail: float) -> None:
    whole = joined([("三号" + mark, piece(tail=tail)), ("五票。", piece(lead=0.1))], RATE)
    assert 0.02 < longest_hole(whole) <= 0.12


def test_a_sentence_is_given_more_room_than_a_list() -> None:
    def hole(mark: str) -> float:
        return longest_hole(joined([("三号" + mark, piece()), ("四号。", piece())], RATE))

    assert hole("。") > hole("，") > hole("、")


def test_no_joint_clicks() -> None:
    """The tone itself moves by 0.016 from sample to sample, and begins and ends at its loudest."""
    whole = joined([("三号", piece(lead=0.0, tail=0.0)), ("五票。", piece(lead=0.0, tail=0.0))], RATE)
    assert np.abs(np.diff(whole)).max() < 0.025
    assert abs(whole[0]) < 0.001
    assert abs(whole[-1]) < 0.001


def test_a_single_piece_is_left_as_it_is_but_for_its_edges() -> None:
    alone = piece()
    whole = joined([("三号。", alone)], RATE)
    assert len(whole) == len(alone)
    np.testing.assert_array_equal(whole[200:-200], alone[200:-200])


def test_nothing_to_say_is_no_sound() -> None:
    assert len(joined([], RATE)) == 0
