"""A model that is loaded while the first lines are being said."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from narrator.ears import model as models
from narrator.ears.model import ModelToCome
from narrator.faults import Fault


def unheard(fault: Fault) -> None:
    raise AssertionError(fault)


def test_whoever_needs_it_gets_it_and_it_is_loaded_once(model_path: Path) -> None:
    coming = ModelToCome(model_path, ("三号",), unheard)
    with mock.patch.object(models, "load_model", wraps=models.load_model) as load:
        coming.begin()
        coming.begin()
        assert coming.get() is coming.get()
    assert load.call_count == 1
    assert coming.get().spell("三号") is not None


def test_nobody_has_to_begin_before(model_path: Path) -> None:
    assert ModelToCome(model_path, (), unheard).get().path == model_path


def test_a_folder_without_a_model_is_known_at_once(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no_model"):
        ModelToCome(tmp_path, (), unheard)


@pytest.mark.parametrize(
    "error", [Fault("no_model", path="x"), OSError("libatomic.so.1"), ImportError("vosk")]
)
def test_one_that_can_not_be_loaded_is_told_and_nobody_waits_for_ever(
    model_path: Path, error: Exception
) -> None:
    told: list[Fault] = []
    coming = ModelToCome(model_path, ("三号",), told.append)
    with mock.patch.object(models, "load_model", side_effect=error):
        with pytest.raises(type(error)):
            coming.get()
        with pytest.raises(type(error)):
            coming.get()
    assert [fault.key for fault in told] == ["no_model"]
