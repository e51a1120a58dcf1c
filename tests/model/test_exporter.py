"""What is exported is what Vosk computes: its score of a word is that of the plain network."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import vosk
from model_build.phones import FIRST_STATE, SILENCE, states  # type: ignore[import-not-found]
from random_network import likelihoods

ACOUSTIC_SCALE = 0.2


def sound(seconds: float) -> np.ndarray:
    """Tones and noise that come and go."""
    random = np.random.default_rng(6)
    times = np.arange(int(16_000 * seconds)) / 16_000
    tones = np.sin(2 * np.pi * 300 * times**1.5) * np.sin(2 * np.pi * 2 * times) ** 2
    return np.asarray(np.round(5_000 * tones + random.normal(0, 300, len(times))), np.int16)


def score(model: vosk.Model, word: str, samples: np.ndarray) -> float:
    """Vosk's own score of ``word``, the only one it may hear."""
    recogniser = vosk.KaldiRecognizer(model, 16_000, json.dumps([word], ensure_ascii=False))
    recogniser.SetMaxAlternatives(1)
    recogniser.AcceptWaveform(samples.tobytes())
    best = json.loads(recogniser.FinalResult())["alternatives"][0]
    assert best["text"] == word
    return float(best["confidence"])


def best_path(scores: np.ndarray, syllables: list[str]) -> float:
    """The score of the best way through ``syllables``, silence allowed before and after."""
    silence = FIRST_STATE[SILENCE]
    outputs = [silence, *(output for syllable in syllables for output in states(syllable)), silence]
    best = np.full(len(outputs), -np.inf)
    best[:2] = scores[0, outputs[:2]]
    for row in scores[1:]:
        onward = np.concatenate([[-np.inf], best[:-1]])
        best = np.maximum(best, onward) + row[outputs]
    return float(max(best[-1], best[-2]))


def test_scores_of_words_differ_from_the_plain_network_by_the_graphs_costs_only(random_model: Path) -> None:
    vosk.SetLogLevel(-1)
    model = vosk.Model(model_path=str(random_model))
    words = {
        "三号": ["san", "hao"],
        "过": ["guo"],
        "五票": ["wu", "piao"],
        "发言完毕": ["fa", "yan", "wan", "bi"],
    }
    costs = []
    for seconds in (1.0, 1.37):
        samples = sound(seconds)
        scores = likelihoods(samples)
        for word, syllables in words.items():
            costs.append(best_path(scores, syllables) * ACOUSTIC_SCALE - score(model, word, samples))
    # Silence or none at the start, the same at the end, and the grammar's own share: equal for every word.
    assert np.ptp(costs) == pytest.approx(0.0, abs=0.01)
    assert 0 < costs[0] < 6


def test_words_are_scored_apart(random_model: Path) -> None:
    vosk.SetLogLevel(-1)
    model = vosk.Model(model_path=str(random_model))
    samples = sound(1.0)
    assert abs(score(model, "三号", samples) - score(model, "五票", samples)) > 0.1
