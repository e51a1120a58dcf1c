"""The settings file: what it may hold, and what it says when it doesn't."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from narrator.faults import Fault
from narrator.resources import config_folder, data_folder
from narrator.table.settings import Settings, database_file, load_settings


def written(text: str) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "settings.toml").write_text(text, encoding="utf-8")


def test_no_file_means_the_defaults() -> None:
    assert load_settings() == Settings()


def test_what_is_written_holds_and_the_rest_stays_default() -> None:
    written(
        'ruleset = "classic"\nplayers = 12\nsecrets = "keypad"\nspeech_seconds = 45\nright_hand = -1\n'
        'model = "~/models/big"\nmicrophone = "USB"\npace = 0.8\n'
    )
    settings = load_settings()
    assert settings.ruleset == "classic"
    assert settings.players == 12
    assert settings.secrets == "keypad"
    assert settings.speech_seconds == 45.0
    assert settings.right_hand == -1
    assert settings.model == Path("~/models/big").expanduser()
    assert settings.microphone == "USB"
    assert settings.pace == 0.8
    assert settings.loudspeaker is None
    assert settings.locale == "zh-CN"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('rulset = "classic"', "rulset"),
        ('players = "twelve"', "players"),
        ("players = true", "players"),
        ("players = 12.5", "players"),
        ("pace = 0", "pace"),
        ("speech_seconds = -1", "speech_seconds"),
        ("right_hand = 2", "right_hand"),
        ('secrets = "shout"', "codes, keypad, judge"),
        ("model = 3", "model"),
        ("players = \nruleset = 1", "line 1"),
    ],
)
def test_a_mistake_is_named_with_its_file(text: str, why: str) -> None:
    written(text)
    with pytest.raises(Fault) as caught:
        load_settings()
    assert caught.value.key == "bad_settings"
    assert why in str(caught.value.params["why"])
    assert caught.value.params["file"] == config_folder() / "settings.toml"


def test_the_journal_lies_in_the_data_folder() -> None:
    assert database_file() == Path(os.environ["NARRATOR_HOME"]) / "narrator.db"


def test_without_overrides_the_platform_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NARRATOR_HOME")
    monkeypatch.delenv("NARRATOR_CONFIG")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert data_folder() == tmp_path / "data" / "narrator"
    assert config_folder() == tmp_path / "config" / "narrator"
