"""A voice is recorded bit by bit: what is there stays, what has changed is made again, nothing half done."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from voice_build.command import main  # type: ignore[import-not-found]
from voice_build.engines import EspeakEngine, engine  # type: ignore[import-not-found]
from voice_build.listening import Listener, astray, sounds  # type: ignore[import-not-found]
from voice_build.recording import OTHER_TAKES, Recording  # type: ignore[import-not-found]
from voice_build.slimming import slim  # type: ignore[import-not-found]

from narrator.mouth.packfile import PackFile
from narrator.mouth.reading import Stretch
from narrator.mouth.recipes import Carrier
from narrator.mouth.recorded import RecordedVoice
from narrator.mouth.takes import decoded, encoded

Samples = NDArray[np.float32]


def reading(*syllables: str, mark: str = "。") -> tuple[Stretch, ...]:
    return (Stretch((syllables,), mark),)


TEXTS = {"三号。": reading("san1", "hao4"), "五票。": reading("wu3", "piao4"), "过。": reading("guo4")}


class Buzzer:
    """An engine that buzzes; it counts, and can break down."""

    def __init__(self, recipe: str = "buzz") -> None:
        self.recipe = recipe
        self.carrier: Carrier | None = None
        self.said: list[tuple[tuple[str, ...], float, int]] = []
        self.breaks_after = 1000

    def say(self, reading: Sequence[Stretch], speed: float, longer: int = 0) -> tuple[Samples, int]:
        if len(self.said) >= self.breaks_after:
            raise KeyboardInterrupt
        syllables = tuple(syllable for stretch in reading for syllable in stretch.syllables)
        self.said.append((syllables, speed, longer))
        time = np.arange(round(24_000 * 0.3 * len(syllables) / speed)) / 24_000
        return (0.2 * np.sign(np.sin(2 * np.pi * 150 * time))).astype(np.float32), 24_000


class Ears:
    """Hears what it is told to hear, clip by clip."""

    def __init__(self, *heard: str) -> None:
        self._heard = list(heard)

    def heard(self, clip: object) -> tuple[str, ...]:
        return tuple(self._heard.pop(0).split())


def recording(folder: Path, buzzer: Buzzer, texts: dict[str, tuple[Stretch, ...]] | None = None) -> Recording:
    return Recording(buzzer, PackFile(folder, "小艺"), texts or TEXTS)


def test_every_text_becomes_a_clip_that_the_mouth_finds(tmp_path: Path) -> None:
    one = recording(tmp_path, Buzzer())
    one.record(one.due())
    one.finish()
    voice = RecordedVoice(tmp_path)
    assert voice.name == "小艺"
    assert list(voice.takes) == list(TEXTS)
    for text, take in voice.takes.items():
        assert voice.clip(text).seconds == pytest.approx(take.seconds, abs=0.001)


def test_the_second_time_nothing_is_due(tmp_path: Path) -> None:
    one = recording(tmp_path, Buzzer())
    one.record(one.due())
    assert recording(tmp_path, Buzzer()).due() == []


def test_only_what_has_changed_is_recorded_again(tmp_path: Path) -> None:
    one = recording(tmp_path, Buzzer())
    one.record(one.due())
    assert recording(tmp_path, Buzzer("another voice")).due() == list(TEXTS)
    reread = {**TEXTS, "三号。": reading("san1", "hao2")}
    assert recording(tmp_path, Buzzer(), reread).due() == ["三号。"]
    assert recording(tmp_path, Buzzer(), {**TEXTS, "四号。": reading("si4", "hao4")}).due() == ["四号。"]


@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_clip_that_was_lost_or_damaged_is_recorded_again(tmp_path: Path, damage: str) -> None:
    one = recording(tmp_path, Buzzer())
    one.record(one.due())
    file = tmp_path / one.pack.entries["五票。"].file
    file.unlink() if damage == "gone" else file.write_bytes(file.read_bytes()[:100])
    assert recording(tmp_path, Buzzer()).due() == ["五票。"]


def test_a_build_that_was_broken_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    texts = {f"{number}。": reading("san1", "hao4") for number in range(50)}
    buzzer = Buzzer()
    buzzer.breaks_after = 45
    broken = recording(tmp_path, buzzer, texts)
    with pytest.raises(KeyboardInterrupt):
        broken.record(broken.due())
    again = recording(tmp_path, Buzzer(), texts)
    assert len(again.due()) == 10
    again.record(again.due())
    again.finish()
    assert len(RecordedVoice(tmp_path).takes) == 50
    assert list(tmp_path.glob("*.part")) == []


def test_texts_that_are_no_longer_said_leave_no_file_behind(tmp_path: Path) -> None:
    one = recording(tmp_path, Buzzer())
    one.record(one.due())
    less = recording(tmp_path, Buzzer(), {"过。": TEXTS["过。"]})
    less.finish()
    assert len(list(tmp_path.glob("*.opus"))) == 1
    assert list(RecordedVoice(tmp_path).takes) == ["过。"]


def test_a_clip_is_its_packets_and_little_else(tmp_path: Path) -> None:
    one = recording(tmp_path, Buzzer())
    one.record(one.due())
    padded = encoded(decoded(one.pack.read("三号。") or b""))
    slimmed = slim(padded)
    assert len(slimmed) < len(padded) - 500
    assert np.array_equal(decoded(slimmed).samples, decoded(padded).samples)
    assert slim(slimmed) == slimmed


def test_what_is_misheard_is_taken_again_and_the_best_take_is_kept(tmp_path: Path) -> None:
    buzzer = Buzzer()
    one = recording(tmp_path, buzzer, {"三号。": TEXTS["三号。"]})
    one.record(one.due())
    one.listen(one.unheard(), Ears("bu bu", "san bu", "san hao"), limit=0.3)
    assert [manner for _syllables, *manner in buzzer.said] == [[1.0, 0], *map(list, OTHER_TAKES[:2])]
    kept = one.pack.entries["三号。"]
    assert (kept.speed, kept.astray) == (OTHER_TAKES[1][0], 0.0)
    assert one.misheard(0.3) == []


def test_what_stays_misheard_keeps_its_best_take_and_is_listed(tmp_path: Path) -> None:
    one = recording(tmp_path, Buzzer(), {"三号。": TEXTS["三号。"]})
    one.record(one.due())
    ears = Ears("bu bu", "bu hao", *["bu bu"] * (len(OTHER_TAKES) - 1))
    one.listen(one.unheard(), ears, limit=0.3)
    assert one.misheard(0.3) == [("三号。", 0.5)]
    assert one.pack.entries["三号。"].speed == OTHER_TAKES[0][0]
    # Whoever records the rest later doesn't lose the take that was chosen.
    assert recording(tmp_path, Buzzer(), {"三号。": TEXTS["三号。"]}).due() == []


@pytest.mark.parametrize(
    ("heard", "share"),
    [
        ("san hao", 0.0),
        ("shan hao", 0.125),
        ("sang hao", 0.125),
        ("ban hao", 0.25),
        ("san", 0.5),
        ("san san hao", 0.5),
        ("bu di", 1.0),
        ("", 1.0),
    ],
)
def test_how_far_astray_something_was_heard(heard: str, share: float) -> None:
    assert astray(heard.split(), sounds(TEXTS["三号。"])) == share


@pytest.mark.audio
def test_espeak_is_recorded_and_heard_by_the_projects_own_ears(tmp_path: Path, model_path: Path) -> None:
    one = Recording(EspeakEngine(), PackFile(tmp_path, "espeak"), TEXTS)
    one.record(one.due())
    with Listener(model_path) as listener:
        for text, said in TEXTS.items():
            data = one.pack.read(text)
            assert data is not None
            heard = listener.heard(decoded(data))
            wrong = sounds(reading("fei1", "ji1", "chang3"))
            assert astray(heard, sounds(said)) < astray(heard, wrong)


@pytest.mark.audio
def test_the_command_records_a_locale_with_espeak(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jieba", reason="reading aloud needs scripts/speech_engines/requirements.txt")
    (tmp_path / "lines.toml").write_text(
        '[pack]\nname = "t"\nlocale = "zh-CN"\nvoice = "cmn-latn-pinyin"\n'
        '[numbers]\nwords = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"]\n'
        '[forms]\nseat = "{n}号"\n[ranges]\nseat = "1-2"\n[lines]\na = "{seat}，|请发言。"\n',
        encoding="utf-8",
    )
    (tmp_path / "readings.toml").write_text(
        '[measures]\n[ordinals]\n"号" = "hao4"\n[stretches]\n[letters]\n[words]\n', encoding="utf-8"
    )
    (tmp_path / "voices.toml").write_text('[robot]\nname = "机器人"\nengine = "espeak"\n', encoding="utf-8")
    assert main(["--voices", str(tmp_path)]) == 0
    assert list(RecordedVoice(tmp_path / "clips" / "robot").takes) == ["一号，", "二号，", "请发言。"]
    assert "3 clips" in capsys.readouterr().out
    index = json.loads((tmp_path / "clips" / "robot" / "index.json").read_text(encoding="utf-8"))
    assert {entry["speed"] for entry in index["clips"].values()} == {1.0}
    assert main(["--voices", str(tmp_path), "--voice", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(ValueError, match="festival"):
        engine({"engine": "festival"}, Path(), None)
