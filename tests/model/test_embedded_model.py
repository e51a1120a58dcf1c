"""The model that comes with the program: complete, small, and not deaf to voices it never met."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.ears.model import load_model
from narrator.rehearsal.bench import Verdict, listen_to
from narrator.rehearsal.trials import collect
from narrator.resources import models_folders
from narrator.understanding.phrasebook import load_phrasebook

SAID = {
    "seat": {"三号": "san1 hao4", "十二号": "shi2 er4 hao4", "八号": "ba1 hao4"},
    "votes": {"五票": "wu3 piao4", "没有": "mei2 you3"},
    "yesno": {"不是": "bu2 shi4", "确认": "que4 ren4"},
    "pass": {"过": "guo4"},
    "command": {"法官暂停": "fa3 guan1 zan4 ting2"},
}
"""Answers by the kind of question, and their reading."""


@pytest.fixture(scope="module")
def embedded() -> Path:
    """The folder of the project's own model."""
    found = [folder / "zh-compact" for folder in models_folders()]
    model = next((folder for folder in found if (folder / "am" / "final.mdl").is_file()), None)
    if model is None:
        pytest.skip("models/zh-compact is not there: build it with scripts/build_model")
    return model


def test_it_is_complete_and_small(embedded: Path) -> None:
    names = {str(file.relative_to(embedded)) for file in embedded.rglob("*") if file.is_file()}
    assert {"am/final.mdl", "conf/mfcc.conf", "conf/model.conf", "graph/HCLr.fst", "graph/Gr.fst"} <= names
    assert {"graph/words.txt", "graph/disambig_tid.int", "README.md"} <= names
    assert sum(file.stat().st_size for file in embedded.rglob("*")) < 6_000_000


def test_its_graph_is_that_of_the_phrases(embedded: Path, phrase_file: Path) -> None:
    from model_build.texts import phrases  # type: ignore[import-not-found]

    words = {line.split()[0] for line in (embedded / "graph" / "words.txt").read_text("utf-8").splitlines()}
    assert set(phrases(phrase_file, joined=False)) - words == set(), "run scripts/build_model --graph-only"


@pytest.mark.audio
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng isn't installed")
def test_it_hears_voices_it_never_met(embedded: Path, phrase_file: Path, tmp_path: Path) -> None:
    from model_build import espeak  # type: ignore[import-not-found]

    phrasebook, missed = load_phrasebook(phrase_file), []
    for kind, answers in SAID.items():
        for text, reading in answers.items():
            for variant in ("f5", "m7", "Annie"):
                file = tmp_path / kind / f"{text}_{variant}.wav"
                file.parent.mkdir(exist_ok=True)
                soundfile.write(file, np.pad(espeak.say([reading.split()], variant), 8_000), 16_000)
    for trial in collect(tmp_path, phrasebook):
        if listen_to(trial, load_model(embedded), phrasebook).verdict is not Verdict.RIGHT:
            missed.append(trial.name)
    assert len(missed) <= 2, missed
