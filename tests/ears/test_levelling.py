"""Quiet and loud voices reach the recogniser alike."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.ears.levelling import MOST, gain, levelled


@pytest.mark.parametrize("factor", [0.01, 0.1, 1.0, 1.9])
def test_any_level_becomes_the_same_level(factor: float) -> None:
    voice = np.random.default_rng(1).laplace(size=8000) * 3000
    loud = np.quantile(np.abs(levelled((voice * factor).clip(-32768, 32767).astype(np.int16))), 0.98)
    assert loud == pytest.approx(0.35 * 32768, rel=0.05)


def test_silence_is_not_blown_up_without_limit() -> None:
    assert gain(np.zeros(320, np.int16)) == MOST
    assert not levelled(np.zeros(320, np.int16)).any()


def test_a_click_over_a_voice_is_clipped_not_wrapped() -> None:
    voice = np.full(1000, 1000, np.int16)
    voice[500] = 32767
    assert levelled(voice)[500] == 32767
