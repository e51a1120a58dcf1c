"""How a text is read aloud: numbers by rule, polyphones as pinned, everything else by the dictionary."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.mouth.reading import Readings
from narrator.resources import voices_folder

pytest.importorskip("jieba", reason="reading aloud needs scripts/speech_engines/requirements.txt")


@pytest.fixture(scope="module")
def readings() -> Readings:
    return Readings.load(voices_folder() / "zh-CN" / "readings.toml")


def said(readings: Readings, text: str) -> str:
    return " | ".join(" ".join(stretch.syllables) for stretch in readings.read(text))


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        # A seat is named, votes are counted.
        ("一号，", "yi1 hao4"),
        ("一票。", "yi2 piao4"),
        ("十一号。", "shi2 yi1 hao4"),
        ("十一票。", "shi2 yi1 piao4"),
        ("一张", "yi4 zhang1"),
        ("第一次。", "di4 yi1 ci4"),
        ("第一夜，", "di4 yi1 ye4"),
        ("两票", "liang3 piao4"),
        ("一百二十秒", "yi4 bai3 er4 shi2 miao3"),
        # A third tone before another one rises.
        ("五秒。", "wu2 miao3"),
        ("请举手。", "qing3 ju2 shou3"),
        ("一", "yi1"),
    ],
)
def test_numbers_are_read_by_what_they_count(readings: Readings, text: str, reading: str) -> None:
    assert said(readings, text) == reading


@pytest.mark.parametrize(
    ("text", "syllables"),
    [
        ("三号得票最多，", "de2 piao4"),
        ("请重新输入。", "chong2 xin1"),
        ("三号请留遗言。", "yi2 yan2"),
        ("说完请说：过。", "guo4"),
        ("上一局第一晚已经被杀过，", "sha1 guo5"),
        ("还有三十秒。", "hai2 you3"),
        ("现在不行。", "bu4 xing2"),
        ("用备用第一行。", "yi1 hang2"),
        ("出局的都有遗言。", "dou1 you3"),
        ("没有人得票，", "de2 piao4"),
        ("请说几号，", "ji3 hao4"),
        ("好，更正。", "geng1 zheng4"),
    ],
)
def test_what_can_be_read_in_two_ways_is_pinned(readings: Readings, text: str, syllables: str) -> None:
    assert syllables in said(readings, text)


@pytest.mark.parametrize(
    ("text", "reading"),
    [("不对", "bu2 dui4"), ("不改", "bu4 gai3"), ("退回一步", "tui4 hui2 yi2 bu4"), ("一起", "yi4 qi3")],
)
def test_bu_and_yi_take_the_tone_that_follows_from_what_follows(
    readings: Readings, text: str, reading: str
) -> None:
    assert said(readings, text) == reading


def test_punctuation_parts_what_is_said_in_one_breath(readings: Readings) -> None:
    first, second = readings.read("天黑了，请大家闭眼。")
    assert (first.mark, second.mark) == ("，", "。")
    assert len(first.syllables) == 3


def test_what_has_no_reading_is_left_out_and_named(readings: Readings) -> None:
    known, unreadable = readings.read_all(["三号。", "XYZ。", "！"])
    assert (list(known), unreadable) == (["三号。"], ["XYZ。", "！"])


@pytest.mark.parametrize("entry", ['"得票" = "de2"', '"得票" = "de piao"', '"得票" = ""'])
def test_a_reading_that_does_not_fit_its_text_is_refused(tmp_path: Path, entry: str) -> None:
    file = tmp_path / "readings.toml"
    file.write_text(f"[measures]\n[ordinals]\n[stretches]\n[letters]\n[words]\n{entry}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="得票"):
        Readings.load(file)
