"""The ear for tones: what it is told, what it makes of it, and the file it is kept in."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from quiet_room import RATE, Speak, after, hush

from narrator.ears.model import RecogniserModel, load_model
from narrator.ears.tones import CLASSES, FEATURES, FILE, LONGER, ToneEar, features
from narrator.faults import Fault
from narrator.pinyin import tone

DIGITS = "一二三四五六七八九十"
LONGER_WORDS = ("十一", "十二", "三号", "五票", "十六", "四号玩家")


def chances(model: RecogniserModel, sound: np.ndarray[tuple[int], np.dtype[np.int16]]) -> list[float]:
    told = features(after(hush(0.2), sound, hush(0.3)))
    assert told is not None
    assert model.tones is not None
    return [float(chance) for chance in model.tones.chances(told)]


@pytest.fixture
def ear() -> ToneEar:
    random = np.random.default_rng(3)
    shapes = ((FEATURES,), (FEATURES,), (2, 8, FEATURES), (2, 8), (2, CLASSES, 8), (2, CLASSES))
    return ToneEar(*(random.normal(size=shape).astype(np.float32) for shape in shapes))


@pytest.mark.audio
def test_most_of_a_synthetic_voices_tones_are_told_apart(model: RecogniserModel, speak: Speak) -> None:
    right = [int(np.argmax(chances(model, speak(digit))[:LONGER])) + 1 == tone(digit) for digit in DIGITS]
    # It has never heard this voice; by chance there would be two or three.
    assert sum(right) >= 7


@pytest.mark.audio
def test_more_than_one_syllable_is_told_from_one(model: RecogniserModel, speak: Speak) -> None:
    short = [chances(model, speak(digit))[LONGER] for digit in DIGITS]
    long = [chances(model, speak(word))[LONGER] for word in LONGER_WORDS]
    assert np.mean(long) > 5 * np.mean(short)


def test_where_nobody_speaks_there_is_no_tone() -> None:
    assert features(hush(1.0)) is None
    assert features(np.zeros(RATE, np.int16)) is None
    assert features(np.zeros(0, np.int16)) is None


def test_a_click_has_none_either() -> None:
    click = np.zeros(RATE, np.int16)
    click[8_000:8_020] = 20_000
    assert features(click) is None


def test_the_chances_add_up_to_one(ear: ToneEar) -> None:
    for told in np.random.default_rng(4).normal(size=(20, FEATURES)):
        found = ear.chances(told)
        assert found.shape == (CLASSES,)
        assert found.min() >= 0
        assert found.sum() == pytest.approx(1)


def test_it_is_the_same_after_it_was_kept(ear: ToneEar, tmp_path: Path) -> None:
    ear.save(tmp_path / FILE)
    told = np.random.default_rng(5).normal(size=FEATURES)
    assert ToneEar.load(tmp_path / FILE).chances(told) == pytest.approx(ear.chances(told))


def test_a_file_that_holds_something_else_is_refused(ear: ToneEar, tmp_path: Path) -> None:
    file = tmp_path / FILE
    np.savez(file, mean=np.zeros(3))
    with pytest.raises(ValueError, match="holds no tone ear"):
        ToneEar.load(file)
    np.savez(
        file,
        mean=ear.mean[1:],
        scale=ear.scale[1:],
        inner=ear.inner[:, :, 1:],
        inner_bias=ear.inner_bias,
        outer=ear.outer,
        outer_bias=ear.outer_bias,
    )
    with pytest.raises(ValueError, match="of another make"):
        ToneEar.load(file)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 half of one"])
def test_a_model_with_a_broken_one_is_refused_before_anybody_plays(
    model_path: Path, tmp_path: Path, content: bytes
) -> None:
    copy = shutil.copytree(model_path, tmp_path / "model")
    (copy / FILE).write_bytes(content)
    with pytest.raises(Fault) as caught:
        load_model(copy)
    assert caught.value.key == "broken_tones"
    assert caught.value.params["file"] == copy / FILE


def test_a_model_without_one_is_loaded_as_well(model_path: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(model_path, tmp_path / "model")
    (copy / FILE).unlink(missing_ok=True)
    assert load_model(copy).tones is None
