"""What is set by voice is there the next evening, and the host's file stays the host's."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.cli.parts import locales
from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.effects import Note
from narrator.moderator.sounds import TEMPOS, VOLUMES, WORDINGS
from narrator.table.keeping import KeptSettings
from narrator.table.settings import Settings, keep_setting, load_settings

HAND_WRITTEN = """# our table
players = 12      # most evenings
volume = -1
ruleset = "classic"
"""


def test_a_setting_is_written_and_every_comment_stays(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(HAND_WRITTEN, encoding="utf-8")
    keep_setting("volume", 2, file)
    keep_setting("tempo", -1, file)
    text = file.read_text(encoding="utf-8")
    assert text.startswith(HAND_WRITTEN.replace("volume = -1", "volume = 2"))
    assert load_settings(file) == Settings(players=12, ruleset="classic", volume=2, tempo=-1)
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]


def test_without_a_file_there_is_one_afterwards(tmp_path: Path) -> None:
    file = tmp_path / "new" / "settings.toml"
    keep_setting("tempo", 1, file)
    assert load_settings(file) == Settings(tempo=1)


def test_a_file_that_is_no_toml_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("volume = = 3", encoding="utf-8")
    with pytest.raises(Fault) as raised:
        keep_setting("volume", 1, file)
    assert raised.value.key == "settings_unwritable"
    assert str(file) in message(raised.value.key, **raised.value.params)
    assert file.read_text(encoding="utf-8") == "volume = = 3"


def test_what_the_table_turns_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    told: list[str] = []
    kept = KeptSettings(lambda key, **params: told.append(key), file)
    kept.noted(Note("setting", {"name": "volume", "step": 3}))
    kept.noted(Note("dawn", {"round": 1}))
    kept.noted(Note("setting", {"name": "locale", "value": "zh-TW"}))
    assert load_settings(file) == Settings(volume=3, locale="zh-TW")
    assert told == []


def test_a_voice_is_kept_by_what_it_is_asked_for_by(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    kept = KeptSettings(lambda key, **params: None, file, lambda: ("xiaoqing", "yunjian"))
    for turn, voice in ((1, "yunjian"), (2, "xiaoqing")):
        kept.noted(Note("setting", {"name": "voice", "turn": turn}))
        assert load_settings(file) == Settings(voice=voice)


def test_the_host_s_own_voice_is_not_forgotten_for_another_one(tmp_path: Path) -> None:
    file, ours = tmp_path / "settings.toml", tmp_path / "ours"
    file.write_text(f'voice = "{ours}"\n', encoding="utf-8")
    kept = KeptSettings(lambda key, **params: None, file, lambda: (str(ours), "xiaoqing"), ours)
    kept.noted(Note("setting", {"name": "voice", "turn": 1}))
    assert load_settings(file) == Settings(voice="xiaoqing", own_voice=ours)


def test_where_nobody_has_recorded_anything_no_voice_is_kept(tmp_path: Path) -> None:
    kept = KeptSettings(lambda key, **params: None, tmp_path / "settings.toml")
    kept.noted(Note("setting", {"name": "voice", "turn": 1}))
    assert list(tmp_path.iterdir()) == []


def test_every_wording_that_comes_with_the_program_can_be_asked_for() -> None:
    assert locales() == WORDINGS


def test_where_nothing_can_be_written_it_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "in the way").write_text("", encoding="utf-8")
    told: list[str] = []
    kept = KeptSettings(lambda key, **params: told.append(key), tmp_path / "in the way" / "settings.toml")
    for step in (1, 2):
        kept.noted(Note("setting", {"name": "volume", "step": step}))
    assert told == ["settings_unwritable"]


@pytest.mark.parametrize(
    "line",
    [f"volume = {VOLUMES[-1] + 1}", f"volume = {VOLUMES[0] - 1}", f"tempo = {TEMPOS[-1] + 1}", "tempo = 0.5"],
)
def test_a_step_that_there_is_not_is_refused(tmp_path: Path, line: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(Fault) as raised:
        load_settings(file)
    assert raised.value.key == "bad_settings"
