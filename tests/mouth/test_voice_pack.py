"""A voice pack turns a line's id and parameters into words, and says precisely what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.effects import Value
from narrator.mouth.lines import VoicePack, load_pack
from narrator.resources import voices_folder


@pytest.mark.parametrize(
    ("line", "params", "text"),
    [
        ("nightfall", {}, "天黑了，请大家闭眼。"),
        ("read_votes", {"seat": 2, "votes": 2}, "二号，两票。"),
        ("read_votes", {"seat": 12, "votes": 0}, "十二号，没有票。"),
        ("wake", {"role": "killer"}, "杀手请睁眼。"),
        ("left", {"seats": (3, 11)}, "三号、十一号出局。"),
        ("left", {"seats": ()}, "没有人出局。"),
        ("dealt", {"deal": (("killer", 2), ("police", 3))}, "这一局有两个杀手、三个警察。"),
        ("offer", {"offers": ("standard", "classic")}, "可以玩，标准版，经典版。"),
        ("door", {"room": 1203}, "一二零三室"),
        ("greet", {"player": "小明"}, "小明，你好。"),
        ("range", {"low": 8, "high": 15}, "从八号到十五号。"),
    ],
)
def test_a_parameter_is_spoken_in_the_form_of_its_name(
    pack: VoicePack, line: str, params: dict[str, Value], text: str
) -> None:
    assert pack.text(line, params) == text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (2, "两秒"),
        (10, "十秒"),
        (12, "十二秒"),
        (20, "二十秒"),
        (45, "四十五秒"),
        (60, "六十秒"),
        (100, "一百秒"),
        (105, "一百零五秒"),
        (112, "一百一十二秒"),
        (120, "一百二十秒"),
        (999, "九百九十九秒"),
        (1000, "一零零零秒"),
    ],
)
def test_numbers_beyond_the_list_are_put_together(pack: VoicePack, seconds: int, words: str) -> None:
    assert pack.text("time", {"seconds": seconds}) == f"还有{words}。"


def test_a_line_is_cut_at_its_joints_and_nowhere_else(pack: VoicePack) -> None:
    assert pack.segments("read_votes", {"seat": 3, "votes": 5}) == ("三号，", "五票。")
    assert pack.segments("left", {"seats": (3,)}) == ("三号出局。",)


def test_variants_take_turns_by_the_callers_count(pack: VoicePack) -> None:
    spoken = [pack.text("call_speaker", {"seat": 1}, pick) for pick in range(3)]
    assert spoken == ["一号请发言。", "请一号发言。", "一号请发言。"]
    assert pack.variants("call_speaker") == 2


def test_the_synthesiser_gets_the_spelling_it_reads_right_and_the_screen_the_usual_one(
    pack: VoicePack,
) -> None:
    printed = pack.text("tally", {"seat": 3})
    assert printed == "三号得票最多。"
    assert pack.spoken(printed) == "三号德票最多。"


def test_every_segment_is_found_once_for_recording_beforehand(pack: VoicePack) -> None:
    found = pack.every_segment()
    assert len(found) == len(set(found))
    assert {
        "天黑了，请大家闭眼。",
        "一号",
        "二号，",
        "没有票。",
        "一票。",
        "杀手请睁眼。",
        "可以玩，",
    } <= set(found)
    # A form's numbers serve other parameters spoken in that form.
    assert "从一号到二号。" in found
    # Of a list, every item at every place.
    assert {"一号、", "二号出局。", "没有人出局。", "这一局有两个杀手、", "一个警察、", "一个警察。"} <= set(
        found
    )
    assert "两个警察。" not in found
    # What has no numbers of its own is left to the moment, and named.
    assert not any("秒" in text or "你好" in text for text in found)
    assert pack.open_pieces() == ("还有{seconds}。", "{room}", "{player}，你好。")


@pytest.mark.parametrize("seats", [(), (2,), (1, 2), (2, 1, 2)])
def test_whatever_a_list_holds_its_segments_were_found(pack: VoicePack, seats: tuple[int, ...]) -> None:
    said = pack.segments("left", {"seats": seats})
    assert set(said) <= set(pack.every_segment())
    assert "".join(said) == pack.text("left", {"seats": seats})


def test_a_list_is_cut_after_each_of_its_items(pack: VoicePack) -> None:
    assert pack.segments("left", {"seats": (1, 2, 10)}) == ("一号、", "二号、", "十号出局。")
    assert pack.segments("offer", {"offers": ("standard", "classic")}) == ("可以玩，", "标准版，", "经典版。")


@pytest.mark.parametrize("numbers", ['""', '"3-"', '"a"', "3", '{ killer = "1" }', '{ all = "x" }'])
def test_numbers_that_are_none_are_refused_with_the_place(pack_file: Path, numbers: str) -> None:
    text = pack_file.read_text(encoding="utf-8").replace('votes = "0, 1"', f"votes = {numbers}")
    pack_file.write_text(text, encoding="utf-8")
    with pytest.raises(Fault) as caught:
        load_pack(pack_file)
    assert (caught.value.key, caught.value.params["why"]) == ("broken_voice_pack", "[ranges] votes")


def test_waits_are_seconds(pack: VoicePack) -> None:
    assert (pack.wait("breath"), pack.wait("patience")) == (0.4, 8.0)


@pytest.mark.parametrize(
    ("act", "entry"),
    [
        (lambda pack: pack.text("nosuch", {}), "[lines] nosuch"),
        (lambda pack: pack.check(["nightfall", "nosuch"]), "[lines] nosuch"),
        (lambda pack: pack.check(["nightfall"], waits=["nosuch"]), "[waits] nosuch"),
        (lambda pack: pack.wait("nosuch"), "[waits] nosuch"),
        (lambda pack: pack.text("wake", {"role": "vampire"}), "[names.role] vampire"),
        (lambda pack: pack.text("left", {}), "[lines] left {seats}"),
        (lambda pack: pack.text("left", {"seats": "all"}), "[forms] seats = 'all'"),
    ],
)
def test_what_the_pack_lacks_is_named(pack: VoicePack, act, entry: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Fault) as caught:
        act(pack)
    assert caught.value.key == "voice_pack_lacks"
    assert caught.value.params == {"file": str(pack.file), "entry": entry}


def test_a_line_with_an_unknown_place_is_refused_at_once(pack_file: Path) -> None:
    pack_file.write_text(pack_file.read_text().replace("{role}请睁眼", "{rloe}请睁眼"), encoding="utf-8")
    with pytest.raises(Fault) as caught:
        load_pack(pack_file)
    assert caught.value.key == "voice_pack_lacks"
    assert caught.value.params["entry"] == "[forms] rloe ([lines] wake)"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("patience = 8", "patience = -1", "[waits] patience"),
        ("patience = 8", 'patience = "long"', "[waits] patience"),
        ('voice = "cmn-latn-pinyin"', "", "[pack] voice"),
        ("rate = 165", 'rate = "fast"', "[pack] rate"),
        ('words = ["零", "一", ', "words = [", "[numbers] words"),
        ('counting = { 2 = "两" }', 'counting = { two = "两" }', "[numbers] counting"),
        ('seat = "{n}号"', 'seat = "{m}号"', "[forms] seat {m}"),
        ('seat = "{n}号"', 'seat = { join = "、" }', "[forms] seat"),
        ('killer = "杀手"', "killer = 1", "[names.role] killer"),
        ('nightfall = "天黑了，请大家闭眼。"', "nightfall = []", "[lines] nightfall"),
        ('nightfall = "天黑了，请大家闭眼。"', 'nightfall = "|"', "[lines] nightfall"),
        ('nightfall = "天黑了，请大家闭眼。"', 'nightfall = "天黑了{"', "[lines] nightfall"),
        # A joint can't run through a place.
        ('nightfall = "天黑了，请大家闭眼。"', 'nightfall = "{se|at}"', "[lines] nightfall"),
    ],
)
def test_a_broken_pack_is_refused_with_the_place(pack_file: Path, old: str, new: str, why: str) -> None:
    text = pack_file.read_text(encoding="utf-8")
    assert old in text
    pack_file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Fault) as caught:
        load_pack(pack_file)
    assert (caught.value.key, caught.value.params["why"]) == ("broken_voice_pack", why)
    assert why in message(caught.value.key, **caught.value.params)


@pytest.mark.parametrize("content", [b"[pack", b"\xff\xfe", None])
def test_a_file_that_cant_be_read_is_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "lines.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(Fault) as caught:
        load_pack(file)
    assert caught.value.key == "broken_voice_pack"


def test_the_pack_that_comes_with_the_program_is_whole() -> None:
    pack = load_pack(voices_folder() / "zh-CN")
    assert pack.locale == "zh-CN"
    found = pack.every_segment()
    assert "天黑了，请大家闭眼。" in found
    assert not any("{" in text or "|" in text for text in found)
