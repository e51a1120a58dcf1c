"""The curve of the confidence policy: the same utterances, asked about more or less often."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from narrator.heard import Heard
from narrator.moderator.inputs import Answer, Command
from narrator.rehearsal.bench import Outcome, Verdict, judged
from narrator.rehearsal.curve import COSTS, FOREIGN, MOST_WRONG, curves
from narrator.rehearsal.trials import Trial
from narrator.resources import voices_folder
from narrator.table.hearing import Hearing, question
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Manner, Phrasebook, load_phrasebook


@pytest.fixture(scope="module")
def phrasebook() -> Phrasebook:
    return load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")


def meant(text: str, kind: str, phrasebook: Phrasebook) -> Answer | Command | None:
    phrases = phrasebook.phrases(question(kind, phrasebook))
    return next((phrase.meaning for phrase in phrases if phrase.text == text), None)


def heard(
    said: str, as_what: str, confidence: float, phrasebook: Phrasebook, kind: str = "number"
) -> Outcome:
    """``said`` at the table and heard ``as_what``."""
    trial = Trial(Path(said), said, kind, said, meant(said, kind, phrasebook))
    utterance = Heard(as_what, confidence=confidence)
    meaning = understand(utterance, question(kind, phrasebook), phrasebook)
    return Outcome(trial, judged(trial, meaning), Hearing(meaning, utterance), None, 1.0, 0.01)


def at(curve: dict[str, Any], threshold: float, which: str = "clear") -> dict[str, Any]:
    return next(dict(point) for point in curve[which] if point[which] == threshold)


def test_the_higher_the_threshold_the_more_is_asked_and_the_less_is_wrong(phrasebook: Phrasebook) -> None:
    outcomes = [heard("三", "三", sure, phrasebook) for sure in (0.5, 0.7, 0.92, 0.99)]
    outcomes.append(heard("二", "八", 0.8, phrasebook))
    curve = curves(outcomes, phrasebook)[Manner.BARE]
    assert curve["trials"] == 5
    assert at(curve, 0.65)["right"] == 0.6
    assert at(curve, 0.65)["wrong"] == 0.2
    assert at(curve, 0.9)["right"] == 0.4
    assert at(curve, 0.9)["wrong"] == 0.0
    assert (at(curve, 0.9)["asked_right"], at(curve, 0.9)["asked_wrong"]) == (0.4, 0.2)


def test_the_cheapest_threshold_lets_hardly_anything_wrong_through(phrasebook: Phrasebook) -> None:
    outcomes = [heard("三", "三", 0.7, phrasebook) for _ in range(9)] + [heard("二", "八", 0.8, phrasebook)]
    best = curves(outcomes, phrasebook)[Manner.BARE]["best"]
    assert best is not None
    assert best > 0.8
    assert at(curves(outcomes, phrasebook)[Manner.BARE], best)["wrong"] <= MOST_WRONG


def test_where_something_wrong_is_always_sure_no_threshold_helps(phrasebook: Phrasebook) -> None:
    assert curves([heard("二", "八", 1.0, phrasebook)], phrasebook)[Manner.BARE]["best"] is None


def test_what_is_less_sure_than_the_lower_threshold_is_asked_for_again(phrasebook: Phrasebook) -> None:
    curve = curves([heard("三号", "三号", 0.5, phrasebook)], phrasebook)[Manner.UNIT]
    assert at(curve, 0.45, "ask")["asked_right"] == 1.0
    assert at(curve, 0.55, "ask")["nothing"] == 1.0
    assert at(curve, 0.45, "ask")["cost"] == COSTS[Verdict.ASKED_RIGHT]


def test_every_manner_of_answering_has_its_curve(phrasebook: Phrasebook) -> None:
    outcomes = [
        heard("三", "三", 0.9, phrasebook),
        heard("三号", "三号", 0.9, phrasebook),
        heard("没有", "没有", 0.9, phrasebook, "votes"),
        heard("法官暂停", "法官暂停", 0.9, phrasebook, "command"),
        heard("中国", "五", 0.6, phrasebook),
    ]
    found = curves(outcomes, phrasebook)
    assert list(found) == [*Manner, FOREIGN]
    assert all(curve["trials"] == 1 for curve in found.values())
    assert at(found[FOREIGN], 0.65)["asked_wrong"] == 1.0
    assert at(found[FOREIGN], 0.55)["wrong"] == 1.0


def test_the_files_own_policy_is_what_the_table_would_do(phrasebook: Phrasebook) -> None:
    outcomes = [heard("八", "八", sure, phrasebook) for sure in (0.3, 0.8, 0.99)]
    stricter = replace(phrasebook, confusable={8: 1.0})
    assert curves(outcomes, phrasebook)[Manner.BARE]["policy"]["right"] == pytest.approx(1 / 3, abs=1e-4)
    assert curves(outcomes, stricter)[Manner.BARE]["policy"]["right"] == 0.0


def test_silence_is_nothing_at_every_threshold(phrasebook: Phrasebook) -> None:
    silent = heard("三号", "", 0.0, phrasebook)
    outcome = replace(silent, hearing=replace(silent.hearing, heard=None))
    assert all(point["nothing"] == 1.0 for point in curves([outcome], phrasebook)[Manner.UNIT]["clear"])
