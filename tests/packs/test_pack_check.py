"""``narrator voices --check``: both packs are clean; whatever is spoilt is named with file and place."""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from packs import copy_of, recorded, spoil

from narrator.cli.main import main
from narrator.ears.model import RecogniserModel, load_model
from narrator.moderator.expectations import Expectation, Kind
from narrator.mouth.lines import load_pack
from narrator.mouth.reading import Readings
from narrator.mouth.recipes import Carrier, engine_recipe, recipe
from narrator.mouth.recorded import RecordedVoice
from narrator.mouth.voicepack import VoicePack
from narrator.rehearsal.census import questions
from narrator.resources import voices_folder
from narrator.table.clipcheck import clip_findings, stale_findings
from narrator.table.findings import Finding, State
from narrator.table.packcheck import PackCheck, close_pairs
from narrator.table.takescheck import wrong_takes_files
from narrator.understanding.phrasebook import load_phrasebook

REFERENCE = voices_folder() / "zh-CN"
A_SEAT = [Expectation(Kind.SEAT, none=True)]


@pytest.fixture(scope="module")
def asked() -> frozenset[Expectation]:
    return questions()


@pytest.fixture(scope="module")
def model(model_path: Path) -> RecogniserModel:
    return load_model(model_path)


def findings(
    folder: Path, asked: Iterable[Expectation], model: RecogniserModel, part: str | None = None
) -> list[Finding]:
    found = PackCheck(folder, REFERENCE).findings(asked, lambda: model)
    return [one for one in found if part is None or one.part == part]


def wrong(folder: Path, asked: Iterable[Expectation], model: RecogniserModel) -> list[str]:
    return [one.detail for one in findings(folder, asked, model) if one.state is State.WRONG]


@pytest.mark.parametrize("locale", ["zh-CN", "zh-TW"])
def test_the_packs_that_come_with_the_program_are_clean(
    locale: str, asked: frozenset[Expectation], model: RecogniserModel
) -> None:
    folder = voices_folder() / locale
    found = findings(folder, asked, model)
    assert [one.detail for one in found if one.state is State.WRONG] == []
    assert {one.part for one in found} == {
        "lines",
        "words",
        "phrases",
        "sounds",
        "vocabulary",
        "takes",
        "clips",
    }


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("lines.toml", '"pause.ends" = ', '"pause.endz" = ', "[lines] pause.ends"),
        ("lines.toml", '"pause.ends" = ', '"pause.endz" = ', "[lines] pause.endz"),
        ("lines.toml", "eyes_close = ", "eyes_shut = ", "[waits] eyes_close"),
        ("lines.toml", '用备用第{spare}行。"', '用备用行。"', "{spare}"),
        ("lines.toml", '"ballot.leaves" = "{seat}', '"ballot.leaves" = "{seat}{seats}', "{seats}"),
        ("lines.toml", 'butterfly = "花蝴蝶"\n', "", "[names.role] butterfly"),
        ("lines.toml", "[waits]\n", "[wait]\nbreath = 1\n\n[waits]\n", "[wait]"),
        ("lines.toml", 'pitch = 45\n', 'pitch = 45\nspeed = 2\n', "[pack] speed"),
        ("lines.toml", 'lap = "1-4"\n', "", "{lap}"),
        ("lines.toml", "[lines]\n", "[lines\n", "lines.toml"),
        ("recap.toml", 'peaceful = ', 'peaceful_night = ', "[recap] peaceful"),
        ("sheet.toml", 'sniper = ', 'snipper = ', "[roles] sniper"),
        ("phrases.toml", '"again.stop" = ', '"again.stopp" = ', "[choice] again.stop"),
        ("phrases.toml", "\nremind = ", "\nremint = ", "[command.phrases] remind"),
        ("phrases.toml", "[typed] ", "[typing]\na = 1\n\n[typed] ", "[typing]"),
        ("phrases.toml", '"平安夜"]', '"平安夜", "Xmas"]', "Xmas"),
        ("phrases.toml", '"平安夜"]', '"平安夜", "无"]', "无"),
    ],
)  # fmt: skip
def test_what_is_spoilt_is_named_with_its_file_and_place(
    tmp_path: Path,
    model: RecogniserModel,
    file: str,
    old: str,
    new: str,
    named: str,
) -> None:
    folder = copy_of("zh-CN", tmp_path)
    spoil(folder / file, old, new)
    said = wrong(folder, A_SEAT, model)
    assert any(str(folder / file) in sentence and named in sentence for sentence in said), said


def test_what_is_wrong_with_one_part_doesnt_hide_the_next(tmp_path: Path, model: RecogniserModel) -> None:
    folder = copy_of("zh-CN", tmp_path)
    spoil(folder / "lines.toml", "[lines]\n", "[lines\n")
    spoil(folder / "phrases.toml", '"平安夜"]', '"平安夜", "无"]')
    parts = {one.part for one in findings(folder, A_SEAT, model) if one.state is State.WRONG}
    assert {"lines", "words", "sounds"} <= parts


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("readings.toml", "[words]", "[words", "readings.toml"),
        ("readings.toml", "[words]", "[word]", "[word]"),
        ("readings.toml", "[letters] ", "[letter] ", "[letter"),
        ("readings.toml", '"得票" = "de2 piao4"', '"得票" = "de2"', "得票"),
        ("readings.toml", '"得票" = "de2 piao4"', '"得票" = 2', "得票"),
        ("readings.toml", "[measures] ", "measures = 1\n[measure] ", "[measure"),
        ("voices.toml", "[xiaoqing]", "[xiaoqing", "voices.toml"),
        ("voices.toml", "[yunjian]\n", "[yunjian]\nengines = 1\nname = 1\n", "voices.toml"),
        ("voices.toml", 'name = "云健（男声）"\nengine = "kokoro"', 'engine = "kokoro"', "[yunjian] name"),
        ("voices.toml", 'engine = "kokoro"\nblend = { zm', 'engine = "say"\nblend = { zm', "engine = \'say"),
        ("voices.toml", "blend = { zm_yunjian = 1.0 }", 'blend = "zm_yunjian"', "[yunjian]"),
        ("voices.toml", "blend = { zm_yunjian = 1.0 }", "", "[yunjian]"),
    ],
)  # fmt: skip
def test_files_to_record_by_are_looked_at_before_anything_is_recorded(
    tmp_path: Path, file: str, old: str, new: str, named: str
) -> None:
    folder = copy_of("zh-CN", tmp_path)
    for name in ("readings.toml", "voices.toml"):
        shutil.copy(REFERENCE / name, folder / name)
    assert "voices" in str(wrong_takes_files(load_pack(folder)))
    spoil(folder / file, old, new)
    told = wrong_takes_files(load_pack(folder))
    assert not isinstance(told, str), told
    (sentence,) = told
    assert str(folder / file) in sentence
    assert named in sentence
    recorded(folder / "clips" / "yunjian", {"过。": 300.0})
    clips = RecordedVoice(folder / "clips" / "yunjian")
    assert list(stale_findings(load_pack(folder), clips)) == []


def test_the_check_of_a_pack_without_clips_tells_what_cannot_be_recorded_by(
    tmp_path: Path, model: RecogniserModel
) -> None:
    folder = copy_of("zh-CN", tmp_path)
    assert wrong(folder, A_SEAT, model) == []
    (folder / "readings.toml").write_text("[words\n", encoding="utf-8")
    (folder / "voices.toml").write_bytes(b"\xff")
    said = wrong(folder, A_SEAT, model)
    assert [name for name in ("readings.toml", "voices.toml") if str(folder / name) in " ".join(said)] == [
        "readings.toml",
        "voices.toml",
    ]


def test_numbers_that_are_asked_about_may_sound_alike_and_others_not(tmp_path: Path) -> None:
    folder = copy_of("zh-CN", tmp_path)
    book = load_phrasebook(folder / "phrases.toml")
    votes = Expectation(Kind.VOTES)
    assert list(close_pairs(book.phrases(votes), book)) == []
    text = (folder / "phrases.toml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("10 = 0.")]
    (folder / "phrases.toml").write_text("\n".join(lines), encoding="utf-8")
    unasked = load_phrasebook(folder / "phrases.toml")
    assert {(one, other) for one, other, _ in close_pairs(unasked.phrases(votes), unasked)} == {
        ("四票", "十票"),
        ("四", "十"),
    }


def test_clips_that_are_missing_left_over_or_damaged_are_told_apart(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "xiaoyi", {"过。": 300.0, "三号。": 400.0, "从前。": 500.0})
    whole = list(clip_findings("xiaoyi", ["过。", "三号。"], RecordedVoice(folder)))
    assert [one.state for one in whole] == [State.FINE, State.NOTE]
    assert "从前。" in whole[1].detail
    (folder / "1.opus").write_bytes(b"OggS")
    said = ["过。", "三号。", "四号。"]
    found = list(clip_findings("xiaoyi", said, RecordedVoice(folder)))
    assert [one.state for one in found] == [State.NOTE, State.NOTE, State.WRONG]
    assert "1 of 3" in found[0].detail
    assert str(folder / "1.opus") in found[2].detail


class Jieba:
    """Cuts no words."""

    __spec__ = object()

    @staticmethod
    def setLogLevel(level: int) -> None:  # noqa: N802
        """It says nothing anyway."""

    @staticmethod
    def lcut(text: str) -> list[str]:
        return list(text)


def with_clips(tmp_path: Path, table: str) -> tuple[VoicePack, Path]:
    """A pack with two clips of its only voice, made as that voice's ``table`` of voices.toml says now."""
    folder = copy_of("zh-CN", tmp_path)
    shutil.copy(REFERENCE / "readings.toml", folder / "readings.toml")
    (folder / "voices.toml").write_text(table, encoding="utf-8")
    pack = load_pack(folder)
    ((voice, settings),) = tomllib.loads(table).items()
    clips = recorded(folder / "clips" / voice, {"过。": 300.0, "得票。": 400.0})
    index = json.loads((clips / "index.json").read_text(encoding="utf-8"))
    for text, entry in index["clips"].items():
        reading = Readings.load(pack.readings_file).read(text)
        entry["recipe"] = recipe(engine_recipe(settings), reading, Carrier.of(settings))
    (clips / "index.json").write_text(json.dumps(index), encoding="utf-8")
    return pack, clips


def test_clips_whose_reading_has_changed_are_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, clips = with_clips(tmp_path, '[xiaoyi]\nname = "小艺"\nengine = "espeak"\n')
    monkeypatch.setitem(sys.modules, "jieba", None)
    (unknown,) = stale_findings(pack, RecordedVoice(clips))
    assert (unknown.state, "jieba" in unknown.detail) == (State.NOTE, True)
    monkeypatch.setitem(sys.modules, "jieba", Jieba)
    assert list(stale_findings(pack, RecordedVoice(clips))) == []
    spoil(pack.readings_file, '"得票" = "de2 piao4"', '"得票" = "dei3 piao4"')
    (stale,) = stale_findings(pack, RecordedVoice(clips))
    assert (stale.state, "得票。" in stale.detail) == (State.WRONG, True)
    assert "1 clips" in stale.detail
    pack.file.with_name("voices.toml").unlink()
    assert list(stale_findings(pack, RecordedVoice(clips))) == []


def test_short_clips_said_within_another_carrier_are_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voice = '[xiao]\nname = "小"\nengine = "kokoro"\nblend = { zf = 1.0 }\n'
    pack, clips = with_clips(tmp_path, voice + 'carrier = "na4 nian4"\ncarried = 1\n')
    monkeypatch.setitem(sys.modules, "jieba", Jieba)
    assert list(stale_findings(pack, RecordedVoice(clips))) == []
    spoil(pack.file.with_name("voices.toml"), "na4 nian4", "na4 me5")
    (stale,) = stale_findings(pack, RecordedVoice(clips))
    assert "过。" in stale.detail
    assert "1 clips" in stale.detail


@pytest.fixture
def one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """The moderator asks for a seat and nothing else."""
    monkeypatch.setattr("narrator.cli.voices.questions", lambda: A_SEAT)


@pytest.mark.usefixtures("one_question")
def test_the_command_shows_a_table_and_ends_by_what_it_found(
    tmp_path: Path, model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copy_of("zh-TW", tmp_path)
    arguments = ["voices", "--check", "--voices", str(folder), "--model", str(model_path)]
    assert main(arguments) == 0
    assert "0 things are wrong" in capsys.readouterr().out
    spoil(folder / "phrases.toml", '"平安夜"]', '"平安夜", "無"]')
    assert main([*arguments, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    (close,) = [one for one in report if one["state"] == "wrong"]
    assert (close["pack"], close["part"]) == ("zh-TW", "sounds")
    assert "五" in close["detail"]


@pytest.mark.usefixtures("one_question")
def test_without_a_model_that_is_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copy_of("zh-CN", tmp_path)
    assert main(["voices", "--check", "--json", "--voices", str(folder), "--model", str(tmp_path)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert {one["part"] for one in report if one["state"] == "wrong"} == {"vocabulary"}


def test_plain_it_lists_packs_and_voices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_of("zh-TW", tmp_path)
    recorded(tmp_path / "zh-CN" / "clips" / "xiaoyi", {"现在投票。": 300.0, "{damaged": 1.0})
    monkeypatch.setattr("narrator.cli.parts.voices_folder", lambda: tmp_path)
    monkeypatch.setattr("narrator.cli.voices.voices_folder", lambda: tmp_path)
    assert main(["voices", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(row["locale"], row["voice"], row["recorded"]) for row in listed] == [
        ("zh-CN", "xiaoyi", 1),
        ("zh-CN", "cmn-latn-pinyin", None),
        ("zh-TW", "xiaoyi", 1),
        ("zh-TW", "cmn-latn-pinyin", None),
    ]
    shutil.rmtree(tmp_path / "zh-CN" / "clips")
    assert main(["voices"]) == 0
    assert "xiaoyi" not in capsys.readouterr().out
