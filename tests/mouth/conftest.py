"""A small voice pack, and a mouth's parts that need no synthesiser."""

from __future__ import annotations

from pathlib import Path

import pytest
from tone_renderer import ToneRenderer

from narrator.mouth.lines import VoicePack, load_pack

PACK = """
[pack]
name = "test"
locale = "zh-CN"
voice = "cmn-latn-pinyin"
rate = 165
pitch = 40

[waits]
breath = 0.4
patience = 8

[numbers]
words = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"]
counting = { 2 = "两" }
hundred = "百"

[forms]
seat = "{n}号"
seats = { say = "{n}号", join = "、", none = "没有人" }
votes = { say = "{two}票", 0 = "没有票" }
seconds = "{two}秒"
room = "{digits}室"
deal = { say = "{two}个{role}", join = "、", none = "没有牌" }
offers = { say = "{offers}", join = "，" }
player = "{text}"

[ranges]
seat = "1-2"
seats = "1-2"
votes = "0, 1"
deal = { all = "1", killer = "1-2" }

[names.role]
killer = "杀手"
police = "警察"

[names.offers]
standard = "标准版"
classic = "经典版"

[pronounce]
"得票" = "德票"

[lines]
nightfall = "天黑了，请大家闭眼。"
call_speaker = ["{seat}|请发言。", "请{seat}|发言。"]
read_votes = "{seat}，|{votes}。"
wake = "{role}请睁眼。"
left = "{seats}出局。"
dealt = "这一局有{deal}。"
offer = "可以玩，|{offers}。"
time = "还有{seconds}。"
door = "{room}"
greet = "{player}，你好。"
range = "从{low:seat}到{high:seat}。"
tally = "{seat}得票最多。"
"""


@pytest.fixture
def pack_file(tmp_path: Path) -> Path:
    file = tmp_path / "lines.toml"
    file.write_text(PACK, encoding="utf-8")
    return file


@pytest.fixture
def pack(pack_file: Path) -> VoicePack:
    return load_pack(pack_file)


@pytest.fixture
def tones() -> ToneRenderer:
    return ToneRenderer()
