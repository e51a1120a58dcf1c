"""How soon ``narrator play`` speaks: the real program is started, as far as this machine has the parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.cli.firstword import start_figures
from narrator.cli.main import main
from narrator.faults import Fault
from narrator.resources import config_folder, data_folder


def test_a_start_is_measured_and_leaves_nothing_behind() -> None:
    figures = start_figures((), runs=2)
    assert figures["runs"] == 2
    assert 0 < figures["first_word_s"]["p50"] <= figures["first_word_s"]["p95"]
    assert 0 < figures["cpu_s"]["p50"] <= figures["cpu_s"]["p95"]
    assert {type(figures[part]) for part in ("spoken", "microphone", "loudspeaker")} == {bool}
    assert not data_folder().exists()


def test_a_program_that_does_not_start_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Fault, match="bench_no_start"):
        start_figures((f"--voices={tmp_path}",), runs=1)
    assert main(["bench", "--start", "--voices", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert str(tmp_path) in said.err


def test_settings_that_hold_at_the_table_hold_here(capsys: pytest.CaptureFixture[str]) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "settings.toml").write_text('ruleset = "nobody"\n', encoding="utf-8")
    assert main(["bench", "--start"]) == 2
    assert "nobody" in capsys.readouterr().err


def test_the_figures_can_be_read_by_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--start", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert set(figures) == {"start"}
    assert main(["bench", "--start"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("From the start of narrator play to the first sample of speech:")
    assert ("There is no microphone" in line) is not figures["start"]["microphone"]


def test_another_locale_is_measured_but_not_remembered() -> None:
    assert main(["bench", "--start", "--locale", "zh-TW", "--json"]) == 0
    assert not config_folder().exists()
