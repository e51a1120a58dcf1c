"""A table in Taiwan plays the same game in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest
from packs import copy_of, pitch, recorded

from narrator.cli.main import main
from narrator.cli.speaking import open_voices
from narrator.faults import Fault
from narrator.heard import Heard
from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Certainty, Command
from narrator.mouth.lines import VoicePack, load_pack
from narrator.mouth.recorded import BorrowingVoice, RecordedVoice
from narrator.mouth.speech import Mouth
from narrator.pinyin import syllables
from narrator.rehearsal.census import segments_heard
from narrator.resources import voices_folder
from narrator.table.required import required_lines, required_waits
from narrator.table.settings import load_settings
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

TAIWAN = voices_folder() / "zh-TW"
MAINLAND = voices_folder() / "zh-CN"


@pytest.fixture(scope="module")
def pack() -> VoicePack:
    return load_pack(TAIWAN)


@pytest.fixture(scope="module")
def phrases() -> Phrasebook:
    return load_phrasebook(TAIWAN / "phrases.toml")


def test_every_line_and_every_wait_of_the_game_is_there(pack: VoicePack) -> None:
    pack.check(required_lines(), required_waits())
    assert pack.locale == "zh-TW"
    assert pack.text("night.falls", {}) == "天黑了，請大家閉眼。"
    assert pack.text("night.wake", {"role": "killer"}) == "殺手請睜眼。"


def test_whole_games_can_be_told_in_its_words(pack: VoicePack) -> None:
    heard = segments_heard(pack, games=1)
    assert heard["天黑了，請大家閉眼。"] > 10
    assert not any(set(text) & set("个们发过说请闭眼睁票号") - set("眼票") for text in heard)


def test_its_script_differs_from_the_lenders_but_hardly_its_sound(pack: VoicePack) -> None:
    differing = [
        chr(one) for one, other in pack.script.items() if syllables(chr(one)) != syllables(str(other))
    ]
    assert differing == []


def test_what_sounds_the_same_is_found_among_the_lenders_texts(pack: VoicePack) -> None:
    """A character of a new line that [script] doesn't have yet would cost the line its recording."""
    lender = load_pack(MAINLAND)
    simplified = {letter for text in lender.every_segment() for letter in text}
    unmapped = {
        one
        for line, variants in pack.lines.items()
        for own, other in zip(variants, lender.lines[line], strict=True)
        if len(own) == len(other)
        for one, twin in zip(own, other, strict=True)
        if one != twin and one not in simplified and ord(one) not in pack.script
        if syllables(one) == syllables(twin)
    }
    assert unmapped == set()


def test_most_of_it_is_said_by_the_lenders_recordings(pack: VoicePack) -> None:
    lent = set(load_pack(MAINLAND).every_segment())
    segments = pack.every_segment()
    assert sum(pack.lent(text) in lent for text in segments) > 0.9 * len(segments)


@pytest.mark.parametrize(
    ("text", "expectation", "meaning"),
    [
        ("三號", Expectation(Kind.SEAT), Answer(Kind.SEAT, 3)),
        ("三号", Expectation(Kind.SEAT), Answer(Kind.SEAT, 3)),
        ("過", Expectation(Kind.PASS), Answer(Kind.PASS, True)),
        ("过", Expectation(Kind.PASS), Answer(Kind.PASS, True)),
        ("棄權", Expectation(Kind.VOTES), Answer(Kind.VOTES, 0)),
        ("无", Expectation(Kind.SEAT, none=True), Answer(Kind.SEAT, None)),
        ("平手", Expectation(Kind.CHOICE, ("winner.draw",)), Answer(Kind.CHOICE, "winner.draw")),
        ("複盤", Expectation(Kind.CHOICE, ("again.recap",)), Answer(Kind.CHOICE, "again.recap")),
        ("法官，收回", Expectation(Kind.YESNO, commands=("undo",)), Command("undo")),
        ("重複", Expectation(Kind.YESNO, commands=("repeat",)), Command("repeat")),
        ("重复", Expectation(Kind.YESNO, commands=("repeat",)), Command("repeat")),
    ],
)
def test_either_script_may_be_typed(
    phrases: Phrasebook, text: str, expectation: Expectation, meaning: Answer | Command
) -> None:
    assert understand(Heard(text, typed=True), expectation, phrases) == meaning


def test_what_is_said_in_the_same_words_sounds_the_same(phrases: Phrasebook) -> None:
    """The recogniser knows a phrase by its syllables: a character that is read wrong would never be heard."""
    own = {syllables(phrase.text) for phrase in phrases.everything()}
    others = {syllables(phrase.text) for phrase in load_phrasebook(MAINLAND / "phrases.toml").everything()}
    new = {"".join(sounds) for sounds in own - others}
    assert {"genshashouyiyangduo", "pingshou", "faguanshouhui", "ziding", "xinshoujiaoxue"} <= new
    assert len(new) < 0.1 * len(own)


def test_a_recording_in_the_other_script_speaks_and_one_of_its_own_comes_first(tmp_path: Path) -> None:
    folder = copy_of("zh-TW", tmp_path)
    recorded(tmp_path / "zh-CN" / "clips" / "xiaoyi", {"三号请发言。": 300.0, "现在投票。": 400.0})
    recorded(folder / "clips" / "xiaoyi", {"現在投票。": 700.0})
    pack = load_pack(folder)
    (voice,) = open_voices(pack, None)
    mouth = Mouth(pack, None, None, 24_000, [voice])
    for line, params, hertz in (("speech.please", {"seat": 3}, 300), ("ballot.now", {}, 700)):
        spoken = mouth.speak(Say(line, params))
        assert pitch(spoken.samples()) == pytest.approx(hertz, abs=4)
        assert spoken.missing == ()
    assert "四號請發言。" not in voice


def test_a_damaged_clip_that_was_lent_is_told_like_any_other(tmp_path: Path) -> None:
    lender = RecordedVoice(recorded(tmp_path / "xiaoyi", {"过。": 300.0}))
    voice = BorrowingVoice(lender, lambda text: text.replace("過", "过"))
    (tmp_path / "xiaoyi" / "0.opus").write_bytes(b"")
    with pytest.raises(Fault, match="broken_clip"):
        voice.clip("過。")


def test_another_pack_is_chosen_by_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["codes", "--players", "9", "--seed", "5", "--locale", "zh-TW"]) == 0
    assert "第二夜·殺手·殺誰" in capsys.readouterr().out
    assert main(["rules", "standard", "--locale", "zh-TW"]) == 0
    assert "先說怎麼玩" in capsys.readouterr().out
    assert load_settings().locale == "zh-CN"


def test_a_pack_that_isnt_there_is_named_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["codes", "--locale", "zh-HK"]) == 2
    said = capsys.readouterr().err
    assert "zh-HK" in said
    assert "zh-CN, zh-TW" in said


@pytest.mark.parametrize(
    ("recorded_row", "why"), [('"来"', "[script] 2"), ("1", "[script]")], ids=["uneven", "no text"]
)
def test_a_script_that_doesnt_fit_is_refused(tmp_path: Path, recorded_row: str, why: str) -> None:
    folder = copy_of("zh-TW", tmp_path)
    lines = (folder / "lines.toml").read_text(encoding="utf-8")
    head, tail = lines.split("\n[script]\n", 1)
    rest = tail.split("\n\n", 1)[1]
    script = f'\n[script]\nprinted = ["來個"]\nrecorded = [{recorded_row}]\n\n'
    (folder / "lines.toml").write_text(head + script + rest, encoding="utf-8")
    with pytest.raises(Fault) as caught:
        load_pack(folder)
    assert why in str(caught.value.params["why"])


def test_meanings_stay_certain_when_typed(phrases: Phrasebook) -> None:
    found = understand(Heard("確認", typed=True), Expectation(Kind.YESNO), phrases)
    assert found == Answer(Kind.YESNO, True, Certainty.CLEAR)
