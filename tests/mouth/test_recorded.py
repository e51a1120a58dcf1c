"""Recorded clips come first; whatever is missing or damaged is synthesised, and said in one sentence."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import soundfile
from tone_renderer import ToneRenderer

from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.effects import Say
from narrator.mouth.lines import VoicePack
from narrator.mouth.recorded import RecordedVoice, recorded_voices, voice_of
from narrator.mouth.speech import Mouth

RATE = 24_000
VOTES = Say("read_votes", {"seat": 3, "votes": 5})


def opus(hertz: float, seconds: float = 0.5) -> bytes:
    time = np.arange(round(RATE * seconds)) / RATE
    buffer = io.BytesIO()
    tone = (0.3 * np.sin(2 * np.pi * hertz * time)).astype(np.float32)
    soundfile.write(buffer, tone, RATE, format="OGG", subtype="OPUS")
    return buffer.getvalue()


def record(folder: Path, clips: Mapping[str, float], name: str = "小艺") -> Path:
    """A recorded voice that says each text as a tone of its own pitch."""
    folder.mkdir(parents=True)
    index = {}
    for number, (text, hertz) in enumerate(clips.items()):
        data = opus(hertz)
        (folder / f"{number}.opus").write_bytes(data)
        entry = {"file": f"{number}.opus", "seconds": 0.5, "sha256": hashlib.sha256(data).hexdigest()}
        index[text] = {**entry, "recipe": "r", "speed": 1.0, "astray": 0.0}
    (folder / "index.json").write_text(json.dumps({"name": name, "clips": index}), encoding="utf-8")
    return folder


def pitch(samples: np.ndarray) -> float:
    spectrum = np.abs(np.fft.rfft(samples))
    return float(np.fft.rfftfreq(len(samples), 1 / RATE)[np.argmax(spectrum)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return record(tmp_path / "clips" / "xiaoqing", {"三号，": 300.0, "五票。": 500.0})


def test_a_line_is_said_by_the_recorded_voice_and_the_synthesiser_never_hears_of_it(
    pack: VoicePack, tones: ToneRenderer, folder: Path
) -> None:
    mouth = Mouth(pack, tones, None, RATE, [RecordedVoice(folder)])
    utterance = mouth.speak(VOTES)
    assert utterance.ready
    said = utterance.samples()
    assert (pitch(said[: RATE // 2]), pitch(said[-RATE // 2 :])) == pytest.approx((300, 500), abs=5)
    assert tones.asked == []
    assert mouth.synthesised == 0


def test_what_nobody_has_recorded_is_synthesised(pack: VoicePack, tones: ToneRenderer, folder: Path) -> None:
    mouth = Mouth(pack, tones, None, RATE, [RecordedVoice(folder)])
    assert mouth.speak(Say("read_votes", {"seat": 3, "votes": 1})).missing == ()
    assert tones.asked == ["一票。"]
    assert mouth.synthesised == 1
    assert mouth.unrecorded(["三号，", "一票。"]) == ("一票。",)


@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
def test_a_broken_clip_is_synthesised_and_told_once(
    pack: VoicePack, tones: ToneRenderer, folder: Path, damage: str
) -> None:
    told: list[Fault] = []
    mouth = Mouth(pack, tones, None, RATE, [RecordedVoice(folder)], told.append)
    for file in folder.glob("*.opus"):
        if damage == "gone":
            file.unlink()
        else:
            file.write_bytes(file.read_bytes()[:300] if damage == "cut" else opus(900))
    for _ in range(2):
        assert mouth.speak(VOTES).missing == ()
    assert tones.asked == ["三号，", "五票。"] * 2
    (fault,) = told
    assert fault.key == "broken_clip"
    assert ".opus" in message(fault.key, **fault.params)


def test_a_clip_that_is_listed_but_no_sound_is_a_fault(folder: Path) -> None:
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    index["clips"]["三号，"]["sha256"] = hashlib.sha256(b"no sound").hexdigest()
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")
    (folder / "0.opus").write_bytes(b"no sound")
    with pytest.raises(Fault) as caught:
        RecordedVoice(folder).clip("三号，")
    assert caught.value.key == "broken_clip"


@pytest.mark.parametrize("content", ["", "[]", '{"name": "x"}', '{"name": "x", "clips": {"a": 3}}'])
def test_a_broken_index_is_one_sentence(folder: Path, content: str) -> None:
    (folder / "index.json").write_text(content, encoding="utf-8")
    with pytest.raises(Fault) as caught:
        RecordedVoice(folder)
    assert caught.value.key == "broken_voice"
    assert str(folder) in message(caught.value.key, **caught.value.params)


def test_voices_take_turns_in_a_circle(pack: VoicePack, tones: ToneRenderer, tmp_path: Path) -> None:
    record(tmp_path / "clips" / "xiaoqing", {"五票。": 500.0})
    record(tmp_path / "clips" / "yunjian", {"五票。": 250.0}, "云健")
    assert recorded_voices(tmp_path) == ("xiaoqing", "yunjian")
    voices = [voice_of(tmp_path, voice) for voice in recorded_voices(tmp_path)]
    assert [voice.name for voice in voices] == ["小艺", "云健"]
    mouth = Mouth(pack, tones, None, RATE, voices)

    def heard() -> float:
        return round(pitch(mouth.speak(VOTES).samples()[-RATE // 2 :]), -1)

    pitches = []
    for turn in (0, 1, 2):
        mouth.give_turn(turn)
        pitches.append(heard())
    assert pitches == [500, 250, 500]


def test_a_quicker_round_is_spoken_quicker_at_the_same_pitch(
    pack: VoicePack, tones: ToneRenderer, folder: Path
) -> None:
    mouth = Mouth(pack, tones, None, RATE, [RecordedVoice(folder)])
    usual = mouth.speak(VOTES).samples()
    mouth.tempo = 1.2
    quick = mouth.speak(VOTES).samples()
    assert len(quick) < 0.9 * len(usual)
    assert pitch(quick[-RATE // 3 :]) == pytest.approx(500, abs=10)


def test_where_no_voice_is_recorded_there_is_none(tmp_path: Path) -> None:
    assert recorded_voices(tmp_path) == ()
