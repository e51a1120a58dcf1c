"""``narrator voices`` as a host starts it, to record a voice and to write a pack out."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
import soundfile
from packs import recorded
from person import RATE, Person

from narrator.cli import voices
from narrator.cli.main import main
from narrator.cli.speaking import open_voices
from narrator.faults import Fault
from narrator.messages import message
from narrator.mouth.lines import load_pack
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.renderer import RenderFailed
from narrator.resources import voices_folder


def sit_down(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person takes the places of microphone, loudspeaker and keyboard."""
    monkeypatch.setattr("narrator.ears.fullband.SoundDeviceFullBand", lambda device: person)
    monkeypatch.setattr(voices, "open_loudspeaker", lambda settings: SilentLoudspeaker(RATE))
    monkeypatch.setattr(voices, "TerminalKeyboard", lambda: person)

    def shown(key: str, **params: object) -> str:
        if key.startswith("record_") and key not in ("record_begins", "record_ends"):
            person.show(key, **params)
        return message(key, **params)

    monkeypatch.setattr(voices, "message", shown)


def test_a_host_records_the_first_lines_and_plays_with_them_the_same_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Person([(1.0, 0.3), (1.2, 0.3), (1.0, 0.3)], ["", "", "q"]), monkeypatch)
    assert main(["voices", "--record", str(tmp_path / "ours")]) == 1
    said = capsys.readouterr().out
    pieces = len(load_pack(voices_folder() / "zh-CN").every_segment())
    assert f"0 of {pieces} pieces" in said
    assert f"2 of {pieces} pieces" in said
    assert "请举手。" in said
    first, *others = open_voices(load_pack(voices_folder() / "zh-CN"), str(tmp_path / "ours"))
    assert (first.name, "请举手。" in first, "谢谢大家，下次再玩。" in first) == ("ours", True, False)
    assert "ours" not in [voice.id for voice in others]


def test_a_microphone_that_goes_away_is_one_sentence_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Person([(1.0, 0.3)], [""]), monkeypatch)
    assert main(["voices", "--record", str(tmp_path / "ours")]) == 2
    assert "microphone" in capsys.readouterr().err
    assert len(list((tmp_path / "ours").glob("*.opus"))) == 1


def test_a_voice_that_is_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no_such_voice"):
        open_voices(load_pack(voices_folder() / "zh-CN"), str(tmp_path / "nothing"))


class Robot:
    """A synthesiser on standby that can't say anything."""

    def __init__(self, told: object, engine: object) -> None:
        self.asked = 0

    def submit(self, text: str, *voice: object) -> Any:
        from concurrent.futures import Future

        failed: Any = Future()
        failed.set_exception(RenderFailed(text))
        return failed

    def close(self) -> None:
        """Nothing to close."""


def test_a_pack_is_written_out_as_the_voice_that_was_asked_for_speaks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(voices, "StandbyRenderer", Robot)
    voice = recorded(tmp_path / "ours", {"请举手。": 440.0})
    out = tmp_path / "out"
    assert main(["voices", "--export", str(out), "--voice", str(voice)]) == 0
    assert "1 pieces of speech" in capsys.readouterr().out
    (file,) = (out / "sound").iterdir()
    rows = list(csv.DictReader((out / "segments.csv").read_text(encoding="utf-8-sig").splitlines()))
    (row,) = [row for row in rows if row["text"] == "请举手。"]
    assert out / row["file"] == file
    assert int(row["heard"]) > 100
    assert soundfile.info(file).format == "FLAC"
