"""Power on: a speaker that nobody can type at waits for what is not plugged in yet, and says so once."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest
from doubles import Microphone, voice_pack

from narrator.cli import play, senses
from narrator.cli.poweron import RETRY_SECONDS, Sound, first_sound
from narrator.ears.model import load_model
from narrator.faults import Fault
from narrator.heard import Heard
from narrator.moderator.effects import End, Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.mouth.loudspeaker import Loudspeaker, SilentLoudspeaker
from narrator.resources import data_folder
from narrator.table.announcement import Announcement
from narrator.table.listening import Ears, Listener


class Counted(SilentLoudspeaker):
    """A loudspeaker that knows whether it was given back."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False

    def close(self) -> None:
        self.closed = True


class Living:
    """A living room in which things are plugged in by and by: one list a look, each of what is there then."""

    def __init__(self, *looks: str) -> None:
        self._looks = iter(looks)
        self._there = next(self._looks)
        self.loudspeakers: list[Counted] = []
        self.said: list[str] = []
        self.slept: list[float] = []

    def open_loudspeaker(self) -> Loudspeaker:
        if "loudspeaker" not in self._there:
            raise Fault("no_loudspeaker", device="default", why="no such device")
        self.loudspeakers.append(Counted())
        return self.loudspeakers[-1]

    def open_microphone(self) -> Microphone:
        if "microphone" not in self._there:
            raise Fault("no_microphone", device="default", why="no such device")
        return Microphone()

    def say(self, loudspeaker: Loudspeaker, line: str) -> None:
        assert loudspeaker is self.loudspeakers[-1]
        assert not self.loudspeakers[-1].closed
        self.said.append(line)

    def look(self) -> None:
        assert all(loudspeaker.closed for loudspeaker in self.loudspeakers), "PortAudio has open streams"
        self._there = next(self._looks)

    def switch_on(self) -> Sound:
        return first_sound(
            self.open_loudspeaker, self.open_microphone, self.say, self.slept.append, self.look
        )


def test_with_everything_plugged_in_nothing_is_waited_for() -> None:
    room = Living("microphone loudspeaker")
    found = room.switch_on()
    assert found.loudspeaker is room.loudspeakers[0]
    assert not found.waited
    assert not room.loudspeakers[0].closed
    assert (room.said, room.slept) == ([], [])


def test_a_missing_microphone_is_asked_for_aloud_once_and_the_speaker_starts_when_it_is_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    room = Living(*["loudspeaker"] * 3, "microphone loudspeaker")
    found = room.switch_on()
    assert found.waited
    assert room.said == ["fault.no_microphone"]
    assert room.slept == [RETRY_SECONDS] * 3
    assert [speaker.closed for speaker in room.loudspeakers] == [True, True, True, False]
    assert found.loudspeaker is room.loudspeakers[-1]
    assert capsys.readouterr().err.count("\n") == 1


def test_while_there_is_no_loudspeaker_the_log_alone_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    room = Living("", "microphone", "loudspeaker", "microphone loudspeaker")
    room.switch_on()
    assert room.said == ["fault.no_microphone"]
    assert capsys.readouterr().err.count("\n") == 2


def test_without_the_sound_library_there_is_nothing_to_wait_for() -> None:
    def no_library() -> Loudspeaker:
        raise Fault("no_portaudio")

    room = Living("microphone loudspeaker")
    with pytest.raises(Fault) as caught:
        first_sound(no_library, room.open_microphone, room.say, room.slept.append, room.look)
    assert caught.value.key == "no_portaudio"
    assert room.slept == []


def test_what_is_said_then_is_a_line_of_the_voice_pack_and_no_question() -> None:
    assert "fault.no_microphone" in voice_pack().lines
    assert Announcement("fault.no_microphone").begin() == (Say("fault.no_microphone"), End())


class Broken(Ears):
    """Ears whose recogniser fails whenever it is asked."""

    def listen(self, expectation: Expectation) -> Listener:
        raise RuntimeError("the recogniser")


def test_a_speaker_that_hears_nobody_any_more_keeps_the_game_and_ends_as_a_failure(
    monkeypatch: pytest.MonkeyPatch, model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = Sound(Microphone(), SilentLoudspeaker())
    monkeypatch.setattr(senses, "wait_for_sound", lambda *_: sound)
    monkeypatch.setattr(senses, "open_ears", lambda model, phrases: Broken(load_model(model), phrases))
    parser = argparse.ArgumentParser()
    play.add_parser(parser.add_subparsers())
    options = ["play", "--speaker", "--model", str(model_path), "--no-room-check"]
    assert play.run(parser.parse_args(options)) == play.DEAF
    shown, log = capsys.readouterr()
    assert "recogniser fails again and again" in log
    assert shown.splitlines()[-1] == "📖 谢谢大家，下次再玩。"


class Obliging(Ears):
    """Ears that hear the judge agree to whatever he is asked, and end the game once cards are dealt."""

    def __init__(self) -> None:
        """There is no model."""

    def warm(self) -> None:
        """There is nothing to warm."""

    def listen(self, expectation: Expectation) -> Listener:
        return Says("对" if expectation.kind is Kind.YESNO else "法官结束游戏")


class Says:
    """Hears a text after a while."""

    silence, floor = 0.0, -60.0

    def __init__(self, text: str) -> None:
        self._text, self._left = text, 50

    def feed(self, block: object) -> Heard | None:
        self._left -= 1
        return None if self._left else Heard(self._text)


def test_a_code_sheet_that_cannot_be_written_is_said_aloud_at_a_speaker(
    monkeypatch: pytest.MonkeyPatch, model_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(senses, "wait_for_sound", lambda *_: Sound(Microphone(), SilentLoudspeaker()))
    monkeypatch.setattr(senses, "open_ears", lambda model, phrases: Obliging())
    (data_folder() / "codes.html").mkdir(parents=True)
    parser = argparse.ArgumentParser()
    play.add_parser(parser.add_subparsers())
    game = ["--ruleset", "standard", "--players", "8", "--secrets", "codes"]
    options = ["play", "--speaker", "--model", str(model_path), "--no-room-check", *game]
    assert play.run(parser.parse_args(options)) == 0
    shown = capsys.readouterr().out
    assert "The code sheet can't be written" in shown
    assert voice_pack().text("fault.sheet_unwritable", {}) in shown


def test_a_speaker_that_cannot_write_its_journal_gives_its_devices_back_for_the_last_word(
    monkeypatch: pytest.MonkeyPatch, model_path: Path
) -> None:
    loudspeaker = Counted()
    monkeypatch.setattr(senses, "wait_for_sound", lambda *_: Sound(Microphone(), loudspeaker))
    monkeypatch.setattr(senses, "open_ears", lambda model, phrases: Obliging())
    (data_folder() / "narrator.db").mkdir(parents=True)
    parser = argparse.ArgumentParser()
    play.add_parser(parser.add_subparsers())
    with pytest.raises(Fault, match="journal_unwritable"):
        play.run(parser.parse_args(["play", "--speaker", "--model", str(model_path)]))
    assert loudspeaker.closed


def speaker(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "narrator", "play", "--speaker", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("option", ["--keyboard", "--mute"])
def test_a_speaker_that_may_not_speak_or_listen_is_refused(option: str) -> None:
    done = speaker(option)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "--speaker" in done.stderr


def test_a_speaker_without_a_model_would_never_hear_so_it_does_not_wait() -> None:
    done = speaker("--model", "/nowhere")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "/nowhere" in done.stderr
