"""``narrator listen``: what would be understood in a file, as JSON and in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from quiet_room import RATE, Speak, after, hush

from narrator.cli.main import main

pytestmark = pytest.mark.audio


@pytest.fixture
def record(tmp_path: Path, speak: Speak) -> Any:
    def write(name: str, *parts: str | float) -> Path:
        sounds = [speak(part) if isinstance(part, str) else hush(part) for part in parts]
        soundfile.write(tmp_path / name, after(*sounds), RATE)
        return tmp_path / name

    return write


def listen(capsys: pytest.CaptureFixture[str], model: Path, *words: object) -> list[dict[str, Any]]:
    assert main(["listen", "--json", "--model", str(model), *map(str, words)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_one_line_for_each_file(model_path: Path, record: Any, capsys: pytest.CaptureFixture[str]) -> None:
    files = record("3.wav", 0.5, "三号", 0.7), record("none.flac", 1.0)
    three, none = listen(capsys, model_path, "--expect", "seat", *files)
    assert (three["file"], three["kind"], three["understood"], three["text"]) == (
        str(files[0]),
        "seat",
        3,
        "三号",
    )
    assert set(three["words"][0]) == {"word", "start", "end", "conf"}
    assert 0.9 < three["endpoint_s"] < 2.0
    assert (none["understood"], none["text"], none["endpoint_s"]) == (None, "", None)


@pytest.mark.parametrize(
    ("kind", "text", "understood"),
    [
        ("votes", "五票", 5),
        ("number", "九号", 9),
        ("seat", "没有", "none"),
        ("yesno", "不是", False),
        ("yesno", "确定", True),
        ("command", "法官暂停", "pause"),
    ],
)
def test_every_kind_of_answer(
    model_path: Path,
    record: Any,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    text: str,
    understood: object,
) -> None:
    # The recording stops with its last word; that is no reason not to understand it.
    (report,) = listen(capsys, model_path, "--expect", kind, record("a.wav", 0.3, text))
    assert (report["understood"], report["text"]) == (understood, text)


def test_a_long_recording_tells_every_stop(
    model_path: Path, record: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = record(
        "t.ogg", 0.5, "他说过他是警察", 0.5, "过", 1.0, "法官暂停", 0.8, "中国很大", 0.5, "说完了", 0.6
    )
    (report,) = listen(capsys, model_path, "--expect", "pass", talk)
    assert [stop["text"] for stop in report["stops"]] == ["过", "说完了"]
    assert [command["text"] for command in report["commands"]] == ["法官暂停"]
    assert report["understood"] == "过"
    for stop in report["stops"]:
        assert 0.2 <= stop["time_s"] - stop["word_end_s"] <= 0.6


def test_without_json_it_says_so_in_words(
    model_path: Path, record: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = record("3.wav", 0.5, "三号", 0.7)
    assert main(["listen", "--expect", "seat", "--model", str(model_path), str(file)]) == 0
    assert "三号 means 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [["--expect", "tea", "a.wav"], ["--expect", "seat", "gone.wav"], ["--expect", "seat", "text.wav"]],
)
def test_a_persons_mistake_is_one_sentence_and_exit_code_two(
    model_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    soundfile.write("a.wav", np.zeros(100), RATE)
    Path("text.wav").write_text("no sound")
    assert main(["listen", "--model", str(model_path), *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 1
