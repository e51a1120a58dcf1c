"""Alignment and disturbance: each label stays with its sound."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="install scripts/model_build/requirements.txt to test the training")

from model_build.align import at_times, flat, step_count, viterbi  # type: ignore[import-not-found]
from model_build.augment import augmented  # type: ignore[import-not-found]
from model_build.contrast import path_scores  # type: ignore[import-not-found]
from model_build.features import mfcc  # type: ignore[import-not-found]
from model_build.phones import STATES, states  # type: ignore[import-not-found]
from model_build.store import Utterance  # type: ignore[import-not-found]
from model_build.surroundings import Surroundings  # type: ignore[import-not-found]

GUO, SAN = states("guo"), states("san")


def spoken(seconds: float = 0.4) -> np.ndarray:
    """Half a second of quiet, a loud hum, half a second of quiet."""
    hum = 8_000 * np.sin(np.arange(int(16_000 * seconds)) * 0.1)
    quiet = np.random.default_rng(3).normal(0, 5, 8_000)
    return np.concatenate([quiet, hum, quiet]).astype(np.int16)


def test_the_first_guess_puts_the_sounds_where_it_is_loud() -> None:
    labels = flat(Utterance(spoken(), (("guo",),), "nobody"))
    assert labels is not None
    assert len(labels) == step_count(len(spoken()))
    voiced = np.flatnonzero(labels)
    assert (voiced[0] * 0.03, voiced[-1] * 0.03) == pytest.approx((0.5, 0.9), abs=0.04)
    assert list(dict.fromkeys(labels[voiced])) == list(GUO)


def test_what_is_too_short_for_its_syllables_has_no_guess() -> None:
    assert flat(Utterance(spoken(0.1), (("san", "hao", "wan", "jia"),), "nobody")) is None


def test_the_best_path_follows_the_sounds_and_leaves_out_a_silence_nobody_made() -> None:
    truth = [*GUO, *[SAN[0]] * 3, *SAN[1:], 0, 0]
    scores = np.full((len(truth), len(STATES)), -5, np.float32)
    scores[np.arange(len(truth)), truth] = 0
    path = viterbi(scores, (("guo", "san"),))
    assert path is not None
    assert list(path[0]) == truth
    assert path[1] == 0


def test_too_few_steps_have_no_path() -> None:
    assert viterbi(np.zeros((3, len(STATES)), np.float32), (("guo",),)) is None


def test_competing_readings_are_scored_as_the_alignment_scores_them() -> None:
    torch = pytest.importorskip("torch")
    scores = np.random.default_rng(7).normal(-3, 2, (20, len(STATES))).astype(np.float32)
    longer = np.concatenate([scores, np.zeros((5, len(STATES)), np.float32)])
    found = path_scores(
        torch.from_numpy(longer)[None], torch.tensor([20]), [[("guo",), ("san", "hao"), ("yi",)]]
    )
    for place, said in enumerate((("guo",), ("san", "hao"), ("yi",))):
        path = viterbi(scores, (said,))
        assert path is not None
        assert float(found[0, place]) == pytest.approx(path[1] * 20, rel=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_a_disturbed_copy_keeps_its_labels_on_its_sound(seed: int) -> None:
    sound = spoken()
    labels = flat(Utterance(sound, (("guo",),), "nobody"))
    changed, moved = augmented(sound, labels, np.random.default_rng(seed), Surroundings((), (), ()))
    assert len(moved) == -(-len(mfcc(changed)) // 3)
    assert set(moved) == {0, *GUO}
    power = np.array(
        [np.mean(changed[step * 480 : step * 480 + 400].astype(float) ** 2) for step in range(len(moved))]
    )
    assert np.median(power[moved > 0]) > 3 * np.median(power[moved == 0])


def test_times_outside_are_silence() -> None:
    labels = np.array([5, 6, 7], np.int16)
    assert list(at_times(labels, np.array([-1.0, 0.0125, 0.0425, 0.0725, 9.0]))) == [0, 5, 6, 7, 0]
