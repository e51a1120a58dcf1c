"""The next start knows the room again by its devices, and says it when they are others."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from simulated_room import Acoustics, Room, SimulatedMicrophone

from narrator.cli import room as room_command
from narrator.cli import roomcheck
from narrator.cli.main import main
from narrator.cli.roomcheck import attune, in_room, recalled, seek_devices
from narrator.ears.preamplifier import Preamplifier
from narrator.ears.voicing import VoicingSettings
from narrator.room import measured
from narrator.table import steadymic
from narrator.table.devices import Devices
from narrator.table.roomfile import remember, room_file
from narrator.table.settings import Settings

DESK = measured.Room("Desk Mic: USB Audio", "Box", -90.0, 6.0, -50.0, 0.1, 0.3, 0.4)


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The microphones that are there; the loudspeaker is always the same."""
    names = ["Webcam: USB Audio (hw:1,0)", "Desk Mic: USB Audio (hw:2,0)"]
    monkeypatch.setattr(roomcheck, "list_devices", lambda: Devices(tuple(names), ("Box",)))
    monkeypatch.setattr(roomcheck, "output_name", lambda wanted: "Box")
    return names


def test_the_first_start_knows_no_room_and_says_nothing(
    plugged: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert recalled(Settings()) is None
    assert capsys.readouterr().err == ""


def test_the_next_start_takes_the_microphone_that_heard_best(plugged: list[str]) -> None:
    remember(DESK)
    room = recalled(Settings())
    assert room == DESK
    assert in_room(Settings(), room).microphone == "Desk Mic: USB Audio"
    assert in_room(Settings(), None) == Settings()


def test_a_microphone_that_is_fixed_in_the_settings_stays_so(plugged: list[str]) -> None:
    remember(DESK)
    assert recalled(Settings(microphone="webcam")) is None
    assert recalled(Settings(microphone="desk")) == DESK


def test_one_that_is_gone_is_told_in_a_sentence(
    plugged: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    remember(DESK)
    del plugged[1]
    assert recalled(Settings()) is None
    assert capsys.readouterr().err == (
        "The microphone Desk Mic: USB Audio of the last room check isn't there; the room is checked again.\n"
    )


def test_a_damaged_file_is_told_and_forgotten(plugged: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    remember(DESK)
    room_file().write_text("room = 7", encoding="utf-8")
    assert recalled(Settings()) is None
    assert "the room is checked again" in capsys.readouterr().err


def test_gain_gate_and_thresholds_are_those_of_the_room() -> None:
    microphone = Preamplifier(SimulatedMicrophone(Room(), Acoustics(), 0))
    performance, heard = SimpleNamespace(room=None), list[VoicingSettings]()
    ears = SimpleNamespace(attune=heard.append)
    attune(DESK, microphone, performance, ears)  # type: ignore[arg-type]
    assert microphone.gain == DESK.gain > 0
    assert performance.room == DESK
    assert heard == [DESK.voicing]


def test_nobody_looks_for_devices_while_something_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(roomcheck, "look_again", lambda: looked.append(1))
    room = Room()
    room.play(np.ones(1600, np.float32))
    seek_devices(room)
    assert looked == []
    room.stop()
    seek_devices(room)
    assert looked == [1]


def test_forgetting_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    remember(DESK)
    assert main(["room", "--forget"]) == 0
    assert not room_file().exists()
    assert main(["room", "--forget"]) == 0
    assert "forgotten" in capsys.readouterr().out


def test_without_a_loudspeaker_the_command_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Missing:
        def find_spec(self, name: str, path: object, target: object = None) -> None:
            if name == "sounddevice":
                raise OSError("PortAudio library not found")

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    assert main(["room", "--tone-only"]) == 2
    assert "Without a loudspeaker" in capsys.readouterr().err


class Box:
    """A loudspeaker that is done with every sound at once."""

    rate, playing, lost = 16_000, False, False

    def play(self, samples: np.ndarray) -> None:
        """Nobody is there to hear it."""

    def bed(self, samples: np.ndarray | None) -> None:
        """Nor that."""

    def stop(self) -> None:
        """It is silent."""

    def advance(self, seconds: float) -> None:
        """Its sounds take no time."""

    def close(self) -> None:
        """There is no device."""


@pytest.mark.parametrize(
    ("locale", "said"),
    [("zh-CN", "没有能用的麦克风，请检查一下插头。"), ("zh-TW", "沒有能用的麥克風，請檢查一下插頭。")],
)
def test_the_command_speaks_in_the_words_it_is_asked_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], locale: str, said: str
) -> None:
    monkeypatch.setattr(room_command, "open_loudspeaker", lambda settings: Box())
    for clocked in (room_command, steadymic):
        monkeypatch.setattr(clocked, "WallClock", lambda: Room().microphone(Acoustics()))
    monkeypatch.setattr(roomcheck, "list_devices", lambda: Devices((), ("Box",)))
    monkeypatch.setattr(roomcheck, "output_name", lambda wanted: "Box")
    for looking in (room_command, roomcheck):
        monkeypatch.setattr(looking, "seek_devices", lambda loudspeaker: None)
    assert main(["room", "--tone-only", "--locale", locale]) == 1
    assert said in capsys.readouterr().out


def test_words_that_there_are_not_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["room", "--locale", "zh-HK"]) == 2
    assert "zh-HK" in capsys.readouterr().err


def test_a_gain_is_never_more_than_the_noise_allows() -> None:
    assert replace(DESK, floor=-60.0).gain == 10.0
