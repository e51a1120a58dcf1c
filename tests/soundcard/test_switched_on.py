"""Power on, for real: narrator without a terminal waits for the sound card, greets, and says goodbye."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from pulse import needs_pulseaudio, pulse_room

from narrator.cli.lastword import note_file
from narrator.mouth.recorded import recorded_voices
from narrator.resources import config_folder, voices_folder

pytestmark = [
    pytest.mark.soundcard,
    needs_pulseaudio,
    pytest.mark.skipif(
        not recorded_voices(voices_folder() / "zh-CN"),
        reason="no recorded voice: every line would be synthesised first; see voices/README.md",
    ),
]


class Speaker:
    """``narrator play --speaker`` as a service starts it; what it logs is read line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def switch_off(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def logs(self, words: str, within: float = 60.0) -> str:
        """Wait for a line with ``words``."""
        seen: list[str] = []
        while (line := self._lines.get(timeout=within)) is not None:
            seen.append(line)
            if words in line:
                return line
        raise AssertionError(f"it ended after {seen}")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip())
        self._lines.put(None)


@contextmanager
def switched_on(env: dict[str, str]) -> Iterator[Speaker]:
    process = subprocess.Popen(
        [sys.executable, "-m", "narrator", "play", "--speaker", "--no-room-check"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    speaker = Speaker(process)
    try:
        yield speaker
    finally:
        speaker.switch_off()


def heard_in(env: dict[str, str], folder: Path, command: list[str]) -> tuple[int, float]:
    """Run a command; its exit code, and how many seconds of sound there were in the room meanwhile."""
    sound = folder / "heard"
    listen = ["parec", "--device=room.monitor", "--rate=16000", "--channels=1", "--format=s16le"]
    with sound.open("wb") as file, subprocess.Popen(listen, env=env, stdout=file) as listener:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, timeout=90, check=False)
        listener.terminate()
    samples = np.frombuffer(sound.read_bytes(), dtype="<i2")
    return done.returncode, float((np.abs(samples.astype(np.int32)) > 500).sum() / 16_000)


def pactl(env: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(["pactl", *arguments], env=env, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


def test_a_sound_card_that_comes_later_is_waited_for_and_then_it_greets(
    tmp_path: Path, model_path: Path
) -> None:
    env = {**os.environ, "NARRATOR_MODEL": str(model_path), "PULSE_SERVER": f"unix:{tmp_path}/pulse/native"}
    env |= {"PULSE_SINK": "room", "PULSE_SOURCE": "mic", "XDG_RUNTIME_DIR": str(tmp_path)}
    with switched_on(env) as speaker:
        assert "cannot be opened" in speaker.logs("loudspeaker")
        with pulse_room(tmp_path):
            assert speaker.logs("欢迎来玩杀人游戏").startswith("🔊")
            speaker.process.send_signal(signal.SIGTERM)
            assert speaker.logs("下次再玩").startswith("🔊")
            assert speaker.process.wait(20) == 128 + signal.SIGTERM


def test_without_a_microphone_it_says_so_aloud_and_greets_when_one_is_plugged_in(
    tmp_path: Path, model_path: Path
) -> None:
    with pulse_room(tmp_path) as env:
        env |= {"NARRATOR_MODEL": str(model_path), "PULSE_SOURCE": "usb"}
        with switched_on(env) as speaker:
            assert speaker.logs("没有找到麦克风").startswith("🔊")
            pactl(env, "load-module", "module-remap-source", "master=room.monitor", "source_name=usb")
            assert speaker.logs("欢迎来玩杀人游戏").startswith("🔊")


def test_a_speaker_whose_settings_are_broken_is_heard_to_say_so_once(tmp_path: Path) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "settings.toml").write_text("volum = 3\n", encoding="utf-8")
    command = [sys.executable, "-m", "narrator", "play", "--speaker"]
    with pulse_room(tmp_path) as env:
        first, second = (heard_in(env, tmp_path, command) for _ in range(2))
    note_file().unlink()
    assert first[0] == second[0] == 2
    assert first[1] > 2.0
    assert second[1] == 0.0
