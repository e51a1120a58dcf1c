"""Finding the speech model, and refusing what Vosk would end the process over."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.ears.model import RecogniserModel, find_model, load_model
from narrator.faults import Fault


def folder_with(path: Path, *files: str) -> Path:
    for name in files:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(b"")
    return path


def complete(path: Path) -> Path:
    return folder_with(path, "am/final.mdl", "conf/mfcc.conf", "graph/HCLr.fst", "graph/Gr.fst")


def fault_of(path: Path) -> str:
    with pytest.raises(Fault) as caught:
        load_model(path)
    assert caught.value.params["path"] == path
    return caught.value.key


def test_a_folder_without_a_model_is_refused_before_vosk_sees_it(tmp_path: Path) -> None:
    assert fault_of(tmp_path / "none") == "no_model"
    assert fault_of(folder_with(tmp_path / "empty", "README")) == "no_model"
    assert fault_of(folder_with(tmp_path / "half", "am/final.mdl", "conf/mfcc.conf")) == "no_model"


def test_a_big_model_with_a_fixed_graph_is_refused(tmp_path: Path) -> None:
    big = folder_with(tmp_path / "big", "am/final.mdl", "conf/mfcc.conf", "graph/HCLG.fst")
    assert fault_of(big) == "static_graph"


def test_the_one_asked_for_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, named = complete(tmp_path / "asked"), complete(tmp_path / "named")
    embedded = complete(tmp_path / "models" / "zh-compact")
    other = complete(tmp_path / "models" / "another")
    folders = (tmp_path / "models",)
    monkeypatch.setenv("NARRATOR_MODEL", str(named))
    assert find_model(asked, folders) == asked
    assert find_model(None, folders) == named
    monkeypatch.delenv("NARRATOR_MODEL")
    assert find_model(None, folders) == embedded
    (embedded / "am" / "final.mdl").unlink()
    assert find_model(None, folders) == other


def test_a_model_that_was_asked_for_is_never_replaced_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete(tmp_path / "models" / "zh-compact")
    monkeypatch.setenv("NARRATOR_MODEL", str(tmp_path / "gone"))
    with pytest.raises(Fault) as caught:
        find_model(None, (tmp_path / "models",))
    assert caught.value.params["path"] == tmp_path / "gone"


def test_no_model_anywhere_names_the_folder_to_put_one_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NARRATOR_MODEL", raising=False)
    with pytest.raises(Fault) as caught:
        find_model(None, (tmp_path / "models",))
    assert (caught.value.key, caught.value.params["path"]) == ("no_model", tmp_path / "models")


def test_a_model_is_loaded_once(model: RecogniserModel) -> None:
    # Not the fixture's: other tests may have loaded others since, and only the latest are kept.
    assert load_model(model.path) is load_model(model.path)
