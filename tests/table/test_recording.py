"""A host who wants a recording gets one: announced, of one evening, without its nights."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from doubles import Evening, voice_pack
from numpy.typing import NDArray

from narrator.faults import Fault
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.moderator import Moderator
from narrator.table.blocks import BLOCK, RATE
from narrator.table.recording import RecordingMicrophone
from narrator.table.required import required_lines


class Counting:
    """A microphone whose every block is louder than the one before."""

    def __init__(self) -> None:
        self.given = 0
        self.closed = 0

    def read(self) -> NDArray[np.int16]:
        self.given += 1
        return np.full(BLOCK, self.given, dtype=np.int16)

    def close(self) -> None:
        self.closed += 1


class Told:
    """What the table was told."""

    def __init__(self) -> None:
        self.keys: list[str] = []

    def __call__(self, key: str, **params: object) -> None:
        self.keys.append(key)


def recorded(file: Path) -> list[int]:
    """The loudness of every block in the file."""
    samples, rate = soundfile.read(file, dtype="int16")
    assert rate == RATE
    return [int(block[0]) for block in samples.reshape(-1, BLOCK)]


def test_every_block_that_is_heard_is_kept_and_handed_on(tmp_path: Path) -> None:
    microphone, told = Counting(), Told()
    recording = RecordingMicrophone(microphone, tmp_path / "new" / "folder", told)
    assert [int(recording.read()[0]) for _ in range(120)] == list(range(1, 121))
    recording.close()
    assert recorded(recording.file) == list(range(1, 121))
    assert recording.file.suffix == ".flac"
    assert recording.file.stat().st_mode & 0o777 == 0o600
    assert microphone.closed == 1
    assert told.keys == []


def test_what_is_said_at_night_becomes_silence_of_the_same_length(tmp_path: Path) -> None:
    microphone, night = Counting(), range(30, 60)
    recording = RecordingMicrophone(microphone, tmp_path, Told())
    recording.hushed = lambda: microphone.given in night
    heard = [int(recording.read()[0]) for _ in range(90)]
    recording.close()
    assert heard == list(range(1, 91))
    assert recorded(recording.file) == [0 if number in night else number for number in heard]


def test_two_evenings_never_share_a_file(tmp_path: Path) -> None:
    files = set()
    for _ in range(3):
        recording = RecordingMicrophone(Counting(), tmp_path, Told())
        recording.read()
        recording.close()
        files.add(recording.file)
    assert len(files) == 3
    assert all(recorded(file) == [1] for file in files)


def test_a_folder_that_cannot_be_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("in the way")
    with pytest.raises(Fault) as refused:
        RecordingMicrophone(Counting(), tmp_path / "taken", Told())
    assert refused.value.key == "cannot_write"


def test_when_the_disk_is_full_the_recording_ends_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told()
    recording = RecordingMicrophone(Counting(), tmp_path, told)

    def full(self: Any, samples: object) -> None:
        raise soundfile.LibsndfileError(2, "no room: ")

    monkeypatch.setattr(soundfile.SoundFile, "write", full)
    assert [int(recording.read()[0]) for _ in range(300)] == list(range(1, 301))
    recording.close()
    assert told.keys == ["recording_stopped"]


def test_the_announcement_is_a_line_that_every_voice_has() -> None:
    assert "fault.recording_begins" in required_lines()
    assert "录音" in voice_pack().text("fault.recording_begins", {})


def test_the_night_of_a_game_is_its_phase_also_in_a_pause(tmp_path: Path) -> None:
    evening = Evening(
        Setup(3, ruleset="standard", players=8, secrets=Secrets.KEYPAD), tmp_path, ears=False, rests={"who"}
    )
    evening.until_asked("who")
    moderator = evening.session.moderator
    assert isinstance(moderator, Moderator)
    phases = [moderator.phase]
    evening.keyboard.type("暂停")
    evening.until_asked("paused")
    phases.append(moderator.phase)
    assert all(phase.startswith("night") for phase in phases)


@pytest.mark.parametrize("arguments", [["--keyboard"], ["--keyboard", "--mute"]])
def test_without_a_microphone_there_is_nothing_to_record(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "narrator", "play", *arguments, "--record", str(tmp_path / "out")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "--record" in done.stderr
    assert not (tmp_path / "out").exists()
