"""The room check over a sound card: against rooms whose numbers are known, and with two people in one."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
from pulse import figures_from, needs_pulseaudio, pulse_room

from narrator.mouth.clips import Clip, write_wav
from narrator.mouth.renderer import Renderer
from narrator.room.sweep import LEVEL

IN_BAND = 10 * math.log10((4000 - 150) / 8000)
"""What of white noise lies in the band in which voices are looked for, in dB."""


@pytest.mark.soundcard
@needs_pulseaudio
def test_the_numbers_are_those_of_the_room_and_the_best_microphone_is_found(tmp_path: Path) -> None:
    """±20 ms and ±2 dB; delays count from that of the first room: the sound server has a share in it."""
    script = Path(__file__).with_name("echoes.py")
    found = figures_from(script, tmp_path, str(tmp_path), timeout=180)
    # What was plugged in later is seen once everything is let go of.
    assert "near" not in found["before"]
    assert "near" in found["after"]
    first, *_ = rooms = found["rooms"]
    assert found["bare"]["echo"] == pytest.approx(LEVEL, abs=2.0), found
    for room in rooms:
        known = room["known"]
        assert room["microphone"] == "near", found
        assert room["delay"] - first["delay"] == pytest.approx(
            known["delay"] - first["known"]["delay"], abs=0.02
        )
        assert room["echo"] == pytest.approx(LEVEL + known["gain"], abs=2.0), found
        assert room["floor"] == pytest.approx(known["noise"] + IN_BAND, abs=2.0), found
        assert room["decay"] < 0.02, found
        # The gate stays shut until the echo that comes so late is over.
        assert room["tail"] > known["delay"], found
    assert first["trials"] == {"faint": "hears", "dead": "silent", "missing": "failed", "near": "hears"}


@pytest.mark.soundcard
@pytest.mark.audio
@needs_pulseaudio
def test_narrator_room_hears_the_judge_and_the_far_end(tmp_path: Path, model_path: Path) -> None:
    """The command as a host gives it: what it says aloud is answered by voices played into the room."""
    loudness = {"请法官说": ("确认", 0.5), "离我最远": ("过", 0.15)}
    wavs = {words: tmp_path / f"{number}.wav" for number, words in enumerate(loudness)}
    with Renderer() as renderer:
        for words, (text, factor) in loudness.items():
            clip = renderer.render(text, "cmn-latn-pinyin", 150)
            wavs[words].write_bytes(write_wav(Clip(np.asarray(clip.samples * factor), clip.rate)))
    config = Path(os.environ["NARRATOR_CONFIG"])
    config.mkdir(parents=True, exist_ok=True)
    (config / "settings.toml").write_text('microphone = "pulse"\nloudspeaker = "pulse"\n', encoding="utf-8")
    with (
        pulse_room(tmp_path) as env,
        subprocess.Popen(
            [sys.executable, "-m", "narrator", "room", "--json", "--model", str(model_path)],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as command,
    ):
        assert command.stderr is not None
        assert command.stdout is not None
        shown = []
        for line in command.stderr:
            shown.append(line)
            asked = next((words for words in wavs if line[:1] in "🔊📖" and words in line), None)
            if asked is not None:
                # Until the line, the earcon and the gate are over.
                time.sleep(4.0)
                subprocess.run(["paplay", "--device=room", str(wavs[asked])], env=env, check=True)
        figures = json.loads(command.stdout.read())
    assert command.returncode == 0, shown
    room = figures["room"]
    assert room["echo"] == pytest.approx(LEVEL, abs=2.0)
    assert room["judge"] is not None, shown
    assert room["far"] is not None, shown
    assert room["judge"] - room["far"] > 5
    assert room["verdict"] == "fine"
    kept = tomllib.loads((config / "room.toml").read_text(encoding="utf-8"))["room"]
    assert [(entry["microphone"], entry["loudspeaker"]) for entry in kept] == [("pulse", "pulse")]
