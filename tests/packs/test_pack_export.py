"""Everything a pack says, written out: tables to read, and sound to listen to."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import soundfile
from packs import tone

from narrator.faults import Fault
from narrator.mouth.clips import Clip
from narrator.mouth.lines import VoicePack, load_pack
from narrator.mouth.renderer import RenderFailed
from narrator.table.packexport import export_lines, export_sound

PACK = """
[pack]
name = "small"
locale = "zh-CN"
voice = "cmn-latn-pinyin"
[numbers]
words = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"]
[forms]
seat = "{n}号"
[ranges]
seat = "1-2"
[lines]
night = ["天黑了。", "夜深了。"]
speech = "{seat}请发言。"
"""


@pytest.fixture
def pack(tmp_path: Path) -> VoicePack:
    (tmp_path / "lines.toml").write_text(PACK, encoding="utf-8")
    return load_pack(tmp_path)


def rows(file: Path) -> list[list[str]]:
    return list(csv.reader(file.read_text(encoding="utf-8-sig").splitlines()))


def test_lines_and_segments_are_tables(pack: VoicePack, tmp_path: Path) -> None:
    assert export_lines(pack, tmp_path / "out", {"一号请发言。": 7}) == 4
    assert rows(tmp_path / "out" / "lines.csv") == [
        ["line", "variant", "text"],
        ["night", "1", "天黑了。"],
        ["night", "2", "夜深了。"],
        ["speech", "1", "{seat}请发言。"],
    ]
    assert rows(tmp_path / "out" / "segments.csv")[3] == [
        "sound/0003.flac",
        "一号请发言。",
        "yi hao qing fa yan",
        "7",
    ]


def test_every_segment_is_a_sound_file_and_what_cant_be_spoken_is_named(
    pack: VoicePack, tmp_path: Path
) -> None:
    steps: list[None] = []

    def sound(text: str) -> Clip:
        if text == "夜深了。":
            raise RenderFailed(text)
        return Clip(tone(440), 24_000)

    assert export_sound(pack, tmp_path / "out", sound, lambda: steps.append(None)) == ("夜深了。",)
    assert len(steps) == 4
    files = sorted(file.name for file in (tmp_path / "out" / "sound").iterdir())
    assert files == ["0001.flac", "0003.flac", "0004.flac"]
    samples, rate = soundfile.read(tmp_path / "out" / "sound" / "0001.flac", dtype="float32")
    assert rate == 24_000
    np.testing.assert_allclose(samples, tone(440), atol=1e-4)


def test_a_folder_that_cant_be_written_is_one_sentence(pack: VoicePack, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    with pytest.raises(Fault, match="cannot_write"):
        export_lines(pack, tmp_path / "out", {})
    with pytest.raises(Fault, match="cannot_write"):
        export_sound(pack, tmp_path / "out", lambda text: Clip(tone(440), 24_000))
