"""Earcons are short, soft and free of clicks."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.mouth.earcons import earcon, names


def test_all_the_moments_have_a_sound_of_their_own() -> None:
    assert {"listen", "understood", "not_understood", "warning", "nightfall", "dawn"} <= set(names())
    sounds = {earcon(name, 16000).tobytes() for name in names()}
    assert len(sounds) == len(names())


@pytest.mark.parametrize("rate", [16000, 48000])
@pytest.mark.parametrize("name", names())
def test_an_earcon_is_gentle(name: str, rate: int) -> None:
    sound = earcon(name, rate)
    assert sound.dtype == np.float32
    assert 0.03 < np.abs(sound).max() < 0.5
    assert len(sound) <= 2 * rate
    assert abs(sound[0]) < 0.001
    assert abs(sound[-1]) < 0.001
    assert np.abs(np.diff(sound)).max() < 0.2


def test_the_microphone_is_announced_in_a_fifth_of_a_second() -> None:
    assert len(earcon("listen", 16000)) <= 0.2 * 16000


def test_nobody_can_spoil_an_earcon_for_the_others() -> None:
    with pytest.raises(ValueError, match="read-only"):
        earcon("listen", 16000)[0] = 1.0


def test_an_unknown_earcon_is_an_error() -> None:
    with pytest.raises(KeyError):
        earcon("nosuch", 16000)
