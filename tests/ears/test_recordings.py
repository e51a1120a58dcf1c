"""Sound files of any kind, as the microphone would have heard them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.ears.recordings import read_blocks
from narrator.faults import Fault


def tone(rate: int, seconds: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return 0.5 * np.sin(2 * np.pi * 440 * np.arange(round(rate * seconds)) / rate)


@pytest.mark.parametrize(
    ("name", "rate", "channels"),
    [("a.wav", 16_000, 1), ("a.wav", 8_000, 1), ("a.flac", 44_100, 2), ("a.ogg", 48_000, 2)],
)
def test_any_rate_and_format_becomes_blocks_of_twenty_milliseconds(
    tmp_path: Path, name: str, rate: int, channels: int
) -> None:
    file = tmp_path / name
    soundfile.write(file, np.column_stack([tone(rate, 1.31)] * channels), rate)
    blocks = list(read_blocks(file))
    assert {(block.dtype, len(block)) for block in blocks} == {(np.dtype(np.int16), 320)}
    assert len(blocks) == pytest.approx(66, abs=1)
    middle = np.concatenate(blocks[10:50]).astype(np.float64)
    assert np.argmax(np.abs(np.fft.rfft(middle))) * 16_000 / len(middle) == pytest.approx(440, abs=2)
    assert np.abs(middle).max() == pytest.approx(0.5 * 32767, rel=0.05)


def test_an_empty_recording_has_no_blocks(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "none.wav", np.zeros(0), 16_000)
    assert list(read_blocks(tmp_path / "none.wav")) == []


def test_missing_and_unreadable_files_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "text.wav").write_text("no sound")
    for name, key in (("gone.wav", "missing_audio"), ("text.wav", "unreadable_audio")):
        with pytest.raises(Fault) as caught:
            next(read_blocks(tmp_path / name))
        assert (caught.value.key, caught.value.params["file"]) == (key, tmp_path / name)
