"""The voice that a table has chosen speaks the next evening too, where it can."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from narrator.cli.speaking import open_voices, own_folder, voices_for
from narrator.cli.wording import Wordings
from narrator.faults import Fault
from narrator.mouth.lines import load_pack
from narrator.mouth.recorded import recorded_voices
from narrator.mouth.speech import Mouth
from narrator.mouth.voicepack import VoicePack
from narrator.resources import voices_folder
from narrator.table.houserules import Words
from narrator.table.settings import Settings
from narrator.understanding.phrasebook import load_phrasebook

MAINLAND = voices_folder() / "zh-CN"


def record(folder: Path) -> Path:
    """A recorded voice of one clip, which nobody listens to here."""
    folder.mkdir(parents=True)
    (folder / "0.opus").write_bytes(b"sound")
    sha256 = hashlib.sha256(b"sound").hexdigest()
    clips = {"请举手。": {"file": "0.opus", "seconds": 0.5, "sha256": sha256}}
    (folder / "index.json").write_text(json.dumps({"name": folder.name, "clips": clips}), encoding="utf-8")
    return folder


@pytest.fixture
def pack(tmp_path: Path) -> VoicePack:
    """A pack of three recorded voices: a, b and c."""
    folder = tmp_path / "pack"
    shutil.copytree(MAINLAND, folder, ignore=shutil.ignore_patterns("clips"))
    for voice in "abc":
        record(folder / "clips" / voice)
    return load_pack(folder)


def order(pack: VoicePack, option: str | None, settings: Settings) -> list[str]:
    return [voice.id for voice in voices_for(pack, option, settings)]


def test_it_begins_and_the_others_follow_in_a_circle(pack: VoicePack) -> None:
    assert order(pack, None, Settings()) == ["a", "b", "c"]
    assert order(pack, None, Settings(voice="b")) == ["b", "c", "a"]


def test_the_voice_asked_for_at_the_start_goes_before_it(pack: VoicePack) -> None:
    assert order(pack, "c", Settings(voice="b")) == ["c", "a", "b"]
    with pytest.raises(Fault, match="no_such_voice"):
        voices_for(pack, "d", Settings(voice="b"))


def test_where_a_pack_lacks_it_another_one_speaks_and_it_is_said_once(
    pack: VoicePack, capsys: pytest.CaptureFixture[str]
) -> None:
    assert order(pack, None, Settings(voice="xiaoyi")) == ["a", "b", "c"]
    assert capsys.readouterr().err == (
        "There is no recorded voice xiaoyi; set voice to one of these: a, b, c.\n"
    )


def test_a_host_s_own_voice_is_come_round_to_whoever_speaks_first(pack: VoicePack, tmp_path: Path) -> None:
    ours = record(tmp_path / "ours")
    assert own_folder(pack, str(ours)) == ours
    assert own_folder(pack, "a") is None
    assert own_folder(pack, "~nobody-of-this-name/ours") is None
    assert order(pack, None, Settings(voice=str(ours))) == [str(ours), "a", "b", "c"]
    assert order(pack, None, Settings(voice="b", own_voice=ours)) == ["b", "c", str(ours), "a"]
    assert order(pack, None, Settings(voice=str(ours), own_voice=ours)) == [str(ours), "a", "b", "c"]
    assert order(pack, None, Settings(voice="b", own_voice=tmp_path / "gone")) == ["b", "c", "a"]


def test_the_voice_chosen_tonight_goes_on_in_other_words(pack: VoicePack) -> None:
    """Which of them spoke first tonight, and in which place each stands, makes no difference."""
    words = Words(pack, load_phrasebook(MAINLAND / "phrases.toml"))
    mouth = Mouth(pack, None, None, 24_000, open_voices(pack, "b"))
    mouth.reword(pack, open_voices(pack, "c"))
    assert mouth.recorded is not None
    assert mouth.recorded.id == "b"
    told: list[str] = []
    wordings = Wordings(
        words, Settings(voice="b"), None, mouth, None, lambda key, **params: told.append(key), False
    )
    # The packs that come with the program have no such voice: their first one speaks, if there is any.
    assert wordings.change("zh-CN") is not None
    assert told == []
    assert mouth.voices == recorded_voices(MAINLAND)
    assert mouth.recorded is None or mouth.recorded.id == mouth.voices[0]
