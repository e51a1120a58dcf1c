"""``narrator check``: each part is looked at, and one that is missing doesn't hide the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.cli import check
from narrator.cli.main import main
from narrator.faults import Fault
from narrator.mouth.recorded import recorded_voices
from narrator.resources import config_folder, voices_folder
from narrator.table import devices
from narrator.table.devices import Devices

PARTS = [
    "settings",
    "folder",
    "lines",
    "phrases",
    "rulesets",
    "recorded",
    "voice",
    "model",
    "vocabulary",
    "microphone",
    "loudspeaker",
]


@pytest.fixture
def sound_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "list_devices", lambda: Devices(("USB mic",), ("USB speaker",)))


@pytest.fixture
def no_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: str) -> None:
        raise Fault("voice_not_chinese", voice="cmn-latn-pinyin")

    monkeypatch.setattr("narrator.mouth.selftest.check_voice", absent)


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, tuple[str, str]]]:
    code = main(["check", "--json", *arguments])
    report = json.loads(capsys.readouterr().out)
    assert report["exit"] == code
    return code, {found["part"]: (found["state"], found["detail"]) for found in report["findings"]}


@pytest.mark.audio
@pytest.mark.usefixtures("sound_card")
def test_a_table_that_has_everything_is_all_fine(
    model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = checked(capsys, "--model", str(model_path))
    assert list(found) == PARTS
    # A checkout may be without recorded voices; then that, and only that, is missing.
    lacking = {} if recorded_voices(voices_folder() / "zh-CN") else {"recorded": "missing"}
    assert {part: state for part, (state, _) in found.items() if state != "fine"} == lacking
    assert code == len(lacking)


@pytest.mark.usefixtures("no_voice", "sound_card")
def test_without_a_model_a_game_is_still_possible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = checked(capsys, "--model", str(tmp_path))
    assert code == 1
    assert found["model"][0] == "missing"
    assert str(tmp_path) in found["model"][1]
    assert "vocabulary" not in found
    assert found["voice"][0] == "missing"
    assert found["microphone"][0] == "fine"


@pytest.mark.usefixtures("no_voice")
def test_without_a_sound_card_answers_are_typed_and_lines_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "list_devices", lambda: Devices((), ()))
    code, found = checked(capsys, "--model", str(tmp_path))
    assert code == 1
    assert found["microphone"][0] == found["loudspeaker"][0] == "missing"


@pytest.mark.usefixtures("no_voice", "sound_card")
def test_a_microphone_named_in_the_settings_must_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "settings.toml").write_text('microphone = "Jabra"\nloudspeaker = "speaker"\n')
    code, found = checked(capsys, "--model", str(tmp_path))
    assert code == 1
    assert "Jabra" in found["microphone"][1]
    assert found["loudspeaker"] == ("fine", "USB speaker")


@pytest.mark.usefixtures("no_voice", "sound_card")
def test_settings_and_voice_pack_that_cannot_be_read_stand_in_the_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "settings.toml").write_text("pace = 'fast'\n")
    (tmp_path / "zh-CN").mkdir()
    (tmp_path / "zh-CN" / "lines.toml").write_text("[pack")
    (tmp_path / "zh-CN" / "phrases.toml").write_bytes((voices_folder() / "zh-CN/phrases.toml").read_bytes())
    monkeypatch.setattr(check, "voices_folder", lambda: tmp_path)
    code, found = checked(capsys, "--model", str(tmp_path))
    assert code == 2
    assert found["settings"][0] == found["lines"][0] == "broken"
    assert found["phrases"][0] == "fine"


@pytest.mark.usefixtures("no_voice", "sound_card")
def test_phrases_the_model_cannot_hear_are_listed(
    model_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = check._texts(voices_folder() / "zh-CN")
    monkeypatch.setattr(check, "_texts", lambda _: (*texts, "three"))
    code, found = checked(capsys, "--model", str(model_path))
    assert code == 1
    assert found["vocabulary"][0] == "missing"
    assert "three" in found["vocabulary"][1]


@pytest.mark.usefixtures("no_voice", "sound_card")
def test_a_person_reads_one_line_for_each_part_and_a_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--model", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    recorded = "✓" if recorded_voices(voices_folder() / "zh-CN") else "–"
    assert [line[0] for line in lines[:-1]] == ["✓", "✓", "✓", "✓", "✓", recorded, "–", "–", "✓", "✓"]
    assert lines[-1] == "A game is possible; what is marked – is missing."


@pytest.mark.usefixtures("no_voice", "sound_card")
def test_the_hosts_own_rulesets_are_listed_by_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_ruleset("friday", 'name = "周五版"\nbase = "standard"\nkillers = 3\n')
    _, found = checked(capsys, "--model", str(tmp_path))
    assert found["rulesets"] == ("fine", "周五版 (friday)")


@pytest.mark.usefixtures("no_voice", "sound_card")
def test_an_own_ruleset_that_would_be_left_out_is_told_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_ruleset("friday", 'name = "周五版"\nbase = "standard"\nkillers = 3\n')
    own_ruleset("monday", 'name = "标准"\nbase = "standard"\n')
    own_ruleset("sunday", 'name = "周日版"\nbase = "standard"\nwitches = 3\n')
    code, found = checked(capsys, "--model", str(tmp_path))
    state, detail = found["rulesets"]
    assert (code, state) == (1, "missing")
    assert "monday.toml is left out: the name 标准 already means another ruleset" in detail
    assert "sunday.toml is left out" in detail
    assert "witches" in detail
    assert detail.endswith("Without fault: 周五版 (friday).")


@pytest.mark.usefixtures("no_voice", "sound_card")
def test_without_own_rulesets_nothing_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, found = checked(capsys, "--model", str(tmp_path))
    assert found["rulesets"][0] == "fine"


def own_ruleset(name: str, text: str) -> None:
    folder = config_folder() / "rulesets"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
