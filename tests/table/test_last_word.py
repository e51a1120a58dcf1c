"""A speaker that can't even begin says why, once: nobody looks at its log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from narrator.cli import lastword, main
from narrator.cli.lastword import (
    POWER_ON_SECONDS,
    QUIET_SECONDS,
    note_file,
    say_last_word,
    sentence_for,
    sentences,
)
from narrator.faults import Fault
from narrator.messages import find
from narrator.mouth.clips import Clip
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.renderer import Renderer
from narrator.resources import config_folder

ROOT = Path(main.__file__).parents[1]


class Heard(SilentLoudspeaker):
    """Keeps what was played."""

    def __init__(self, device: str | None, heard: list[tuple[str | None, NDArray[np.float32]]]) -> None:
        super().__init__(22050)
        self._device, self._heard = device, heard

    def play(self, samples: NDArray[np.float32]) -> None:
        super().play(samples)
        self._heard.append((self._device, samples))


class Room:
    """A speaker's room: which loudspeakers it has, what is heard from them, and what the clock says."""

    def __init__(self, *there: str | None) -> None:
        self.there = list(there)
        self.heard: list[tuple[str | None, NDArray[np.float32]]] = []
        self.now = 5000.0
        self.slept: list[float] = []
        self.comes_later: str | None = None

    def open(self, device: str | None) -> Heard:
        if device not in self.there and device is not None:
            raise Fault("no_loudspeaker", device=device, why="no such device")
        if not self.there:
            raise Fault("no_loudspeaker", device="default", why="no such device")
        return Heard(device, self.heard)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if seconds >= 1:
            self.slept.append(seconds)

    def look(self) -> None:
        if self.comes_later is not None:
            self.there.append(self.comes_later)


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """A room with some loudspeaker; the synthesiser is the real one."""
    room = Room("any")
    monkeypatch.setattr(lastword, "SoundDeviceLoudspeaker", room.open)
    clock = SimpleNamespace(monotonic=room.monotonic, sleep=room.sleep)
    monkeypatch.setattr("narrator.cli.lastword.time", clock)
    monkeypatch.setattr(lastword, "look_again", room.look)
    monkeypatch.setattr(lastword, "_rendered", rendered)
    yield room
    note_file().unlink(missing_ok=True)


def rendered(sentence: str) -> Clip:
    """A clip of a second; that the real one speaks is tested by itself."""
    return Clip(np.full(22050, 0.1, np.float32), 22050)


def settings(text: str) -> None:
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "settings.toml").write_text(text, encoding="utf-8")


# What is said

SAID_OTHERWISE = {
    # Without these nothing can be said, or nothing has to be: the loudspeaker is waited for.
    *("no_portaudio", "no_espeak", "voice_not_chinese", "no_loudspeaker", "no_microphone"),
    # Told on the way, and done without.
    *("broken_clip", "settings_unwritable", "room_gone", "broken_room_file", "own_rules_left_out"),
    *("own_rules_name_taken", "broken_sheet_titles", "speaker_deaf"),
    # Never asked for by a speaker.
    *("unreadable_journal", "no_journal", "no_sheet", "broken_recap_words", "missing_audio"),
    *("record_needs_microphone", "record_needs_loudspeaker", "room_no_loudspeaker", "no_such_device"),
    *("unreadable_audio", "no_such_game", "no_finished_game", "no_such_folder", "no_journals_there"),
}
PARTS = ("table", "mouth", "ears", "rules", "understanding")
WIRING = (
    *("main", "play", "parts", "edges", "choice", "speaking", "senses", "opentable", "poweron"),
    *("roomcheck", "wording", "terminal"),
)


def keys_of_a_start() -> set[str]:
    """Every fault that the parts of ``narrator play`` know; nothing is fetched there."""
    files = [file for part in PARTS for file in (ROOT / part).rglob("*.py") if "fetch" not in file.parts]
    files += [ROOT / "cli" / f"{name}.py" for name in WIRING]
    found: set[str] = set()
    for file in files:
        found.update(re.findall(r'[^`]Fault\(\s*"([a-z_]+)"', file.read_text(encoding="utf-8")))
    assert {"bad_settings", "journal_unwritable", "no_model", "bad_usage", "resume_with_options"} <= found
    return found - SAID_OTHERWISE


def test_every_fault_that_ends_a_speaker_before_it_begins_has_a_sentence_of_its_own() -> None:
    other = sentences()["other"]
    assert sorted(key for key in keys_of_a_start() if sentence_for(Fault(key)) == other) == []


def test_a_fault_that_nobody_thought_of_is_still_said() -> None:
    assert sentence_for(Fault("something_new")) == sentences()["other"]
    assert sentence_for(Fault("impossible_parity")) == sentences()["impossible"]


@pytest.mark.parametrize("key", sorted(sentences()))
def test_what_is_said_is_plain_mandarin_for_a_fault_there_is(key: str) -> None:
    assert re.fullmatch(r"[\u4e00-\u9fff，。]+。", sentences()[key])
    assert key in ("other", "impossible") or find(key)


def test_the_real_synthesiser_says_it_without_a_disk_to_write_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "full"))
    clip = lastword._rendered(sentence_for(Fault("journal_unwritable")))
    assert 3.0 < clip.seconds < 12.0
    assert np.abs(clip.samples).max() > 0.1


def test_without_a_folder_in_memory_clips_pass_through_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("narrator.mouth.renderer._MEMORY", str(tmp_path / "none"))
    renderer = Renderer()
    folder = Path(renderer._folder.name)
    assert folder.parent != Path("/dev/shm")
    renderer.close()
    assert not folder.exists()


# When, and where


def test_a_broken_setting_is_said_aloud_before_the_speaker_ends(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    settings("volum = 3\n")
    assert main.main(["play", "--speaker"]) == main.USAGE_FAULT
    assert "volum?" in capsys.readouterr().err
    assert [len(samples) for _, samples in room.heard] == [22050]


@pytest.mark.parametrize("command", [["play"], ["rules"], ["check"]])
def test_whoever_reads_the_sentence_is_not_told_aloud(command: list[str], room: Room) -> None:
    settings("volum = 3\n")
    main.main(command)
    assert room.heard == []


def test_a_wrong_option_and_a_forbidden_file_are_said_too(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def render(sentence: str) -> Clip:
        said.append(sentence)
        return rendered(sentence)

    monkeypatch.setattr(lastword, "_rendered", render)
    assert main.main(["play", "--speaker", "--rulset", "doctor"]) == main.USAGE_FAULT
    monkeypatch.setattr(main, "_run", forbidden)
    assert main.main(["play", "--speaker"]) == main.USAGE_FAULT
    assert said == [sentences()["bad_usage"], sentences()["forbidden"]]


def forbidden(argv: list[str]) -> int:
    raise PermissionError(13, "Permission denied", "/somewhere")


def test_started_again_and_again_it_says_the_same_only_after_a_while(room: Room) -> None:
    for _ in range(5):
        say_last_word(Fault("no_model"))
        room.now += 3.0
    assert len(room.heard) == 1
    say_last_word(Fault("bad_settings"))
    assert len(room.heard) == 2
    room.now += QUIET_SECONDS
    say_last_word(Fault("bad_settings"))
    assert len(room.heard) == 3
    # After a power cut the clock begins anew.
    room.now = 20.0
    say_last_word(Fault("bad_settings"))
    assert len(room.heard) == 4


def test_what_nobody_could_hear_does_not_count_as_said(room: Room) -> None:
    room.there.clear()
    say_last_word(Fault("no_model"))
    assert (room.heard, room.slept) == ([], [])
    room.there.append("any")
    say_last_word(Fault("no_model"))
    assert len(room.heard) == 1


def test_a_sound_card_that_comes_late_at_power_on_is_waited_for(room: Room) -> None:
    room.there.clear()
    room.now, room.comes_later = 10.0, "usb"
    say_last_word(Fault("no_model"))
    assert len(room.heard) == 1
    assert room.slept == [lastword.RETRY_SECONDS]


def test_it_is_not_waited_for_for_ever(room: Room) -> None:
    room.there.clear()
    room.now = 10.0
    say_last_word(Fault("no_model"))
    assert room.heard == []
    assert POWER_ON_SECONDS < room.now < POWER_ON_SECONDS + 2 * lastword.RETRY_SECONDS


def test_the_loudspeaker_of_the_settings_comes_first_and_any_other_will_do(room: Room) -> None:
    settings('loudspeaker = "hall"\n')
    say_last_word(Fault("no_model"))
    room.there.append("hall")
    say_last_word(Fault("static_graph"))
    assert [device for device, _ in room.heard] == [None, "hall"]


def test_a_damaged_note_is_no_reason_to_be_silent(room: Room) -> None:
    note_file().write_bytes(b"\xff\x00")
    say_last_word(Fault("no_model"))
    assert len(room.heard) == 1
