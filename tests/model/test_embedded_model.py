"""The model that comes with the program: complete, small, and not deaf to voices it never met."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from narrator.resources import models_folders

WORDS = {
    **{
        "三号": "san1 hao4",
        "五票": "wu3 piao4",
        "没有": "mei2 you3",
        "过": "guo4",
        "十二号": "shi2 er4 hao4",
    },
    **{"开始": "kai1 shi3", "不是": "bu2 shi4", "暂停": "zan4 ting2", "八号": "ba1 hao4"},
}


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
def test_it_hears_voices_it_never_met(embedded: Path) -> None:
    from model_build import espeak  # type: ignore[import-not-found]
    from model_build.measure import Hearing, levelled  # type: ignore[import-not-found]

    hearing = Hearing(embedded)
    grammar = json.dumps([*WORDS, "[unk]"], ensure_ascii=False)
    quiet = np.zeros(4_000, np.int16)
    missed = []
    for word, said in WORDS.items():
        for variant in ("f5", "m7", "Annie"):
            sound = np.concatenate([quiet, espeak.say([said.split()], variant), quiet])
            heard, _ = hearing.hear(levelled(sound), grammar)
            if heard != word:
                missed.append((word, variant, heard))
    assert len(missed) <= 2, missed
