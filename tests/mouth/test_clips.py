"""Clips are kept on disk; whatever happens to the disk, the worst is that a clip is made again."""

from __future__ import annotations

import io
import os
import wave
from pathlib import Path

import numpy as np
import pytest

from narrator.mouth.clips import Clip, ClipCache, on_grid, read_wav, write_wav
from narrator.mouth.voicepack import Voice

VOICE = Voice("cmn-latn-pinyin")


def noise(seconds: float = 0.1, seed: int = 1) -> Clip:
    samples = np.random.default_rng(seed).uniform(-1, 1, round(22050 * seconds)).astype(np.float32)
    return Clip(on_grid(samples), 22050)


def test_a_clip_comes_back_from_disk_sample_for_sample(tmp_path: Path) -> None:
    clip = noise()
    ClipCache(tmp_path).put("三号", VOICE, clip)
    found = ClipCache(tmp_path).get("三号", VOICE)
    assert found is not None
    assert found.rate == clip.rate
    assert found.samples.dtype == np.float32
    np.testing.assert_array_equal(found.samples, clip.samples)


@pytest.mark.parametrize(
    "other", [Voice("cmn-latn-pinyin+f3"), Voice(VOICE.id, rate=140), Voice(VOICE.id, pitch=70)]
)
def test_another_voice_is_another_clip(tmp_path: Path, other: Voice) -> None:
    cache = ClipCache(tmp_path)
    cache.put("三号", VOICE, noise())
    assert cache.get("三号", other) is None
    assert cache.get("四号", VOICE) is None


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text"])
def test_a_damaged_file_is_thrown_away(tmp_path: Path, damage: str) -> None:
    cache = ClipCache(tmp_path)
    cache.put("三号", VOICE, noise())
    (file,) = tmp_path.iterdir()
    data = bytearray(file.read_bytes())
    data[1000] ^= 0x40
    file.write_bytes(
        {"cut": bytes(data[:500]), "flipped": bytes(data), "empty": b"", "text": b"no sound"}[damage]
    )
    assert cache.get("三号", VOICE) is None
    assert not file.exists()


def test_an_ordinary_player_can_play_what_is_stored(tmp_path: Path) -> None:
    ClipCache(tmp_path).put("三号", VOICE, noise(0.5))
    (file,) = tmp_path.iterdir()
    with wave.open(str(file)) as sound:
        assert (sound.getframerate(), sound.getnframes()) == (22050, 11025)


def test_the_least_recently_used_clips_make_room(tmp_path: Path) -> None:
    size = len(write_wav(noise())) + 12
    cache = ClipCache(tmp_path, limit=size * 5)
    for number in range(5):
        cache.put(str(number), VOICE, noise())
    for age, file in enumerate(sorted(tmp_path.iterdir())):
        os.utime(file, (1000 + age, 1000 + age))
    assert cache.get("0", VOICE) is not None
    cache.put("new", VOICE, noise())
    assert cache.get("0", VOICE) is not None
    assert cache.get("new", VOICE) is not None
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= size * 5


def test_no_half_written_file_is_left_behind(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path)
    cache.put("三号", VOICE, noise(seed=1))
    cache.put("三号", VOICE, noise(seed=2))
    assert [file.suffix for file in tmp_path.iterdir()] == [".wav"]


def test_without_a_place_to_store_clips_nothing_is_stored_and_nothing_fails(tmp_path: Path) -> None:
    occupied = tmp_path / "clips"
    occupied.write_text("a file where the folder should be")
    cache = ClipCache(occupied)
    cache.put("三号", VOICE, noise())
    assert cache.get("三号", VOICE) is None


def test_stereo_is_not_a_clip() -> None:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(22050)
        file.writeframes(bytes(400))
    with pytest.raises(ValueError, match="mono"):
        read_wav(buffer.getvalue())
