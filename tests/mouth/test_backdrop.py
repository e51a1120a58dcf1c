"""The sound under a night: soft, without a seam, and gone before anybody is listened to."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.mouth.backdrop import LOUDNESS, SECONDS, backdrop
from narrator.mouth.bed import FADE_SECONDS, Bed
from narrator.mouth.levels import LOUDNESS as SPEECH_LOUDNESS
from narrator.mouth.loudness import loudness
from narrator.table.performance import TAIL_SECONDS

RATE = 16_000
BLOCK = 320


def flowing(bed: Bed, seconds: float, channels: int = 1) -> np.ndarray:
    blocks = []
    for _ in range(round(seconds * RATE / BLOCK)):
        out = np.zeros((BLOCK, channels), np.float32)
        bed.mix_into(out, RATE)
        blocks.append(out)
    return np.concatenate(blocks)


@pytest.mark.parametrize("rate", [16_000, 48_000])
def test_it_is_far_below_speech_and_even(rate: int) -> None:
    sound = backdrop(rate)
    assert len(sound) == SECONDS * rate
    assert loudness(sound, rate) == pytest.approx(LOUDNESS, abs=0.2)
    assert LOUDNESS < SPEECH_LOUDNESS - 12
    seconds = [loudness(sound[start : start + rate], rate) for start in range(0, len(sound), rate)]
    assert max(seconds) - min(seconds) < 8


def test_the_loop_has_no_seam() -> None:
    sound = backdrop(RATE)
    around = np.concatenate([sound[-200:], sound[:200]])
    assert abs(around[200] - around[199]) < 2 * np.abs(np.diff(sound)).max()
    assert np.sqrt((around**2).mean()) == pytest.approx(np.sqrt((sound**2).mean()), rel=0.6)


def test_it_fades_in_and_out_without_a_click_and_ends_in_time() -> None:
    bed, sound = Bed(), np.full(RATE, 0.1, np.float32)
    bed.lay(sound)
    rising = flowing(bed, 0.5)[:, 0]
    assert rising[0] < 0.001
    assert rising[-1] == pytest.approx(0.1)
    bed.lay(None)
    falling = flowing(bed, 0.5)[:, 0]
    assert np.abs(np.diff(np.concatenate([rising, falling]))).max() < 0.001
    assert not falling[round(FADE_SECONDS * RATE) + BLOCK :].any()
    assert FADE_SECONDS < TAIL_SECONDS


def test_it_lies_on_every_channel_and_goes_on_where_it_was() -> None:
    bed, sound = Bed(), np.linspace(0, 1, RATE, dtype=np.float32)
    bed.lay(sound)
    flowing(bed, 0.4, channels=2)
    bed.lay(sound)
    after = flowing(bed, 0.02, channels=2)
    np.testing.assert_array_equal(after[:, 0], after[:, 1])
    assert after[0, 0] == pytest.approx(0.4, abs=0.001)


def test_without_a_bed_nothing_is_added() -> None:
    assert not flowing(Bed(), 0.1).any()


def test_nobody_can_spoil_it_for_the_others() -> None:
    with pytest.raises(ValueError, match="read-only"):
        backdrop(RATE)[0] = 1.0
