"""What is known of a room outlasts the evening, by the names of its devices."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from narrator.faults import Fault
from narrator.messages import message
from narrator.room.measured import Room
from narrator.table.roomfile import KEPT, fitting, lasting, remember, remembered, room_file

ROOM = Room("USB Mic: Audio", "Box", -61.5, 2.0, -24.2, 0.123, 0.25, 0.19, judge=-30.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "room.toml"


def test_a_room_comes_back_as_it_was(file: Path) -> None:
    assert remembered(file) == ()
    remember(ROOM, file)
    assert remembered(file) == (ROOM,)
    assert "judge" in tomllib.loads(file.read_text(encoding="utf-8"))["room"][0]


def test_what_was_measured_at_another_volume_is_known_as_such_and_once_there_was_none(file: Path) -> None:
    soft = replace(ROOM, volume=-3, fading=0.0041)
    remember(soft, file)
    assert remembered(file) == (soft,)
    older = [line for line in file.read_text(encoding="utf-8").splitlines() if "volume" not in line]
    file.write_text("\n".join(line for line in older if "fading" not in line), encoding="utf-8")
    assert remembered(file) == (ROOM,)


def test_names_may_hold_anything_a_maker_has_thought_of(file: Path) -> None:
    odd = replace(ROOM, microphone='麦克风 "2" \\ \t\x7f 🎤', loudspeaker="")
    remember(odd, file)
    assert remembered(file) == (odd,)


def test_the_latest_is_first_and_each_pair_is_known_once(file: Path) -> None:
    other = replace(ROOM, microphone="Webcam")
    for room in (ROOM, other, replace(ROOM, floor=-50.0)):
        remember(room, file)
    assert remembered(file) == (replace(ROOM, floor=-50.0), other)
    for number in range(KEPT + 3):
        remember(replace(ROOM, microphone=f"Mic {number}"), file)
    assert len(remembered(file)) == KEPT
    assert remembered(file)[0].microphone == f"Mic {KEPT + 2}"


@pytest.mark.parametrize(
    "text",
    [
        "[[room",
        "room = 3",
        "[[room]]\nmicrophone = 'x'",
        "[[room]]\nmicrophone = 1",
        "\x00",
        "[room]\nfloor = 1",
        'room = ["x"]',
    ],
)
def test_a_damaged_file_is_one_sentence_and_the_next_check_replaces_it(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Fault) as caught:
        remembered(file)
    assert caught.value.key == "broken_room_file"
    assert str(file) in message(caught.value.key, **caught.value.params)
    remember(ROOM, file)
    assert remembered(file) == (ROOM,)


def test_numbers_that_are_none_are_not_believed(file: Path) -> None:
    remember(ROOM, file)
    for number in ("nan", "inf", "true", "'loud'"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("-61.5", number), encoding="utf-8")
        with pytest.raises(Fault, match="broken_room_file"):
            remembered(file)
        file.write_text(text, encoding="utf-8")


def test_a_folder_that_cant_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(Fault, match="cannot_write"):
        remember(ROOM, tmp_path / "file" / "room.toml")


def test_it_lies_beside_the_settings() -> None:
    remember(ROOM)
    assert room_file().name == "room.toml"
    assert remembered() == (ROOM,)


def test_a_microphone_is_known_again_in_another_slot() -> None:
    assert lasting("USB Mic: Audio (hw:2,0)") == "USB Mic: Audio"
    assert lasting("pulse") == "pulse"
    there = ["pulse", "USB Mic: Audio (hw:3,0)"]
    assert fitting([ROOM], there, "Box", None) == ROOM
    assert fitting([ROOM], there, "Box", "usb mic") == ROOM


def test_a_room_with_other_devices_is_another_room() -> None:
    assert fitting([ROOM], ["pulse"], "Box", None) is None
    assert fitting([ROOM], ["USB Mic: Audio (hw:1,0)"], "Headphones", None) is None
    assert fitting([ROOM], ["USB Mic: Audio (hw:1,0)", "Webcam"], "Box", "Webcam") is None
    assert fitting([], ["USB Mic: Audio"], "Box", None) is None
