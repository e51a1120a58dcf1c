"""``narrator bench`` with the real recogniser and a synthetic voice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sounds import say, silence, spoken, write

from narrator.cli.main import main
from narrator.resources import data_folder

pytestmark = pytest.mark.audio

ANSWERS = ("三号", "五票", "十二个人", "确认", "法官暂停")


@pytest.fixture(scope="module")
def voices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a careful speaker says in a quiet room, and talk that is no answer."""
    folder = tmp_path_factory.mktemp("voices")
    for text in ANSWERS:
        say(folder / f"{text}_1.wav", text)
    say(folder / "pass" / "过_1.wav", "过")
    say(folder / "pass" / "oov_talk.wav", "我过去觉得中国的国王很多，他说过这个结果，果然如此")
    return folder


def benched(
    capsys: pytest.CaptureFixture[str], folder: Path, model: Path, *options: str, code: int = 0
) -> dict[str, Any]:
    assert main(["bench", str(folder), "--model", str(model), "--json", *options]) == code
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_clear_answers_are_understood_and_talk_is_not(
    voices: Path, model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = benched(capsys, voices, model_path)
    assert set(report["kinds"]) == {"number", "votes", "players", "yesno", "command", "pass"}
    for figures in report["kinds"].values():
        assert figures["right"] + figures["asked_right"] == figures["trials"] == 1
    assert report["oov"]["pass"]["stops"] == 0
    assert report["oov"]["pass"]["shares"]["nothing"] == 1.0
    assert report["trials"] == 7
    assert 300 <= report["latency_ms"]["p50"] <= 700


def test_the_curve_of_the_policy_is_told_as_data_and_as_tables(
    voices: Path, model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    curve = benched(capsys, voices, model_path, "--curve")["curve"]
    # Speeches and their ends have no such thresholds.
    assert {manner: figures["trials"] for manner, figures in curve.items()} == {
        "unit": 3,
        "word": 1,
        "command": 1,
    }
    for figures in curve.values():
        asked = [point["asked_right"] + point["asked_wrong"] for point in figures["clear"]]
        assert asked == sorted(asked)
    assert main(["bench", str(voices), "--model", str(model_path), "--curve"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("Numbers with their unit, 3 trials") for line in lines)
    assert sum(line.startswith("as it is") for line in lines) == len(curve)


def test_speed_and_memory_are_measured(
    voices: Path, model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    speed = benched(capsys, voices, model_path)["speed"]
    assert 0 < speed["real_time_factor"] < 1
    assert 0 <= speed["model_load_s"] < 10
    assert 0 < speed["rss_mb"] <= speed["peak_mb"]


def test_the_same_seed_gives_the_same_figures(
    voices: Path, model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def heard() -> dict[str, Any]:
        code = main(["bench", str(voices), "--model", str(model_path), "--json", "--snr", "8", "--seed", "5"])
        assert code in (0, 1)
        report: dict[str, Any] = json.loads(capsys.readouterr().out)
        del report["speed"]
        return report

    once = heard()
    assert heard() == once
    assert (once["snr"], once["seed"]) == (8.0, 5)


def test_answers_are_still_heard_in_a_little_noise(
    voices: Path, model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = benched(capsys, voices, model_path, "--snr", "20")["kinds"]
    assert sum(figures["right"] + figures["asked_right"] for figures in kinds.values()) >= len(kinds) - 1


def test_an_answer_that_is_not_what_the_name_says_is_wrong(
    model_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(tmp_path / "五票_really_three.wav", "三票")
    say(tmp_path / "oov_really_a_vote.wav", "三票")
    report = benched(capsys, tmp_path, model_path, code=1)
    assert report["kinds"]["votes"]["wrong"] == 1
    assert report["oov"]["votes"]["accepted"] == 1
    assert {mistake["understood"] for mistake in report["mistakes"]} == {3}


def test_a_second_stop_or_one_in_mid_speech_is_wrong(
    model_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    word, rate = spoken(tmp_path / "work", "过")
    pause = silence(0.8 * rate / 16_000)
    folder = tmp_path / "recordings"
    write(folder / "过_alone.wav", pause, word, pause, rate=rate)
    write(folder / "过_twice.wav", pause, word, pause, pause, word, pause, rate=rate)
    talk, rate = spoken(tmp_path / "work", "我觉得三号说的话很奇怪，大家要小心他，今天先投他吧")
    write(folder / "过_early.wav", pause, word, pause, talk, pause, rate=rate)
    report = benched(capsys, folder, model_path, code=1)
    assert {mistake["file"] for mistake in report["mistakes"]} == {"过_twice.wav", "过_early.wav"}
    assert (report["kinds"]["pass"]["right"], report["kinds"]["pass"]["wrong"]) == (1, 2)


def test_silence_is_nothing(model_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "三号_silent.wav", silence(1.0))
    write(tmp_path / "三号_empty.wav", silence(0.0))
    write(tmp_path / "seat" / "oov_silent.wav", silence(1.0))
    for noise in ((), ("--snr", "10")):
        report = benched(capsys, tmp_path, model_path, *noise)
        assert report["kinds"]["number"]["nothing"] == 2
        assert report["oov"]["seat"]["nothing"] == 1
        assert report["latency_ms"] == {"p50": None, "p95": None}


@pytest.mark.parametrize(
    ("lang", "headings"), [("en", ("answers", "right", "nothing")), ("zh", ("回答", "没听懂"))]
)
def test_a_reader_gets_a_table_and_the_mistakes(
    lang: str,
    headings: tuple[str, ...],
    voices: Path,
    model_path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NARRATOR_LANG", lang)
    (tmp_path / "votes").mkdir()
    (tmp_path / "votes" / "五票_[b]x.wav").write_bytes((voices / "三号_1.wav").read_bytes())
    write(tmp_path / "oov_silent.wav", silence(1.0))
    main(["bench", str(tmp_path), "--model", str(model_path)])
    shown = capsys.readouterr().out
    assert all(heading in shown for heading in headings)
    assert "100.0%" in shown
    assert "votes/五票_[b]x.wav" in shown
    assert str(model_path) in shown
    assert "bench_" not in shown
    assert max(map(len, shown.splitlines()[:6])) <= 80


def test_wrong_usage_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["bench", str(tmp_path)], ["bench", str(tmp_path), "--expect", "colour"]):
        assert main(arguments) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1


def test_without_recordings_it_measures_how_fast_a_game_is_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["bench", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["journal"]
    assert figures["inputs"] == 1000
    assert 0 < figures["write_ms"]["p50"] <= figures["write_ms"]["p95"]
    assert figures["resume_s"] > 0
    # Nothing is left behind.
    assert not any(data_folder().iterdir())
    # Measured once is enough; that it measures before it says so too is seen where the README is followed.
    monkeypatch.setattr("narrator.cli.bench.journal_figures", lambda folder: figures)
    assert main(["bench"]) == 0
    assert capsys.readouterr().out.startswith("An input is safe on the disk after")
