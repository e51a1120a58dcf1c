"""The room check's survey in real time, in rooms whose numbers are known; prints what it found as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from narrator.ears.microphone import Microphone, SoundDeviceMicrophone
from narrator.mouth.loudspeaker import SoundDeviceLoudspeaker
from narrator.room.survey import Survey, survey
from narrator.table.devices import list_devices, look_again, quiet_alsa

ROOMS: tuple[dict[str, float], ...] = (
    {"delay": 0.2, "gain": -12.0, "noise": -58.0},
    {"delay": 0.4, "gain": -24.0, "noise": -52.0},
)
"""Seconds and dB: what lies between the loudspeaker and the microphone of each."""

NOISE_SECONDS = 60

SETTLED = 2.0
"""Seconds in which the delay has become what it is to be."""


def pactl(*arguments: str) -> str:
    return subprocess.run(["pactl", *arguments], check=True, capture_output=True, text=True).stdout.strip()


def furnish(home: Path) -> None:
    """Microphones: at the loudspeaker itself, near, 15 dB fainter, dead; one more isn't there at all."""
    pactl("load-module", "module-null-sink", "sink_name=ear", "channels=1")
    pactl("load-module", "module-null-sink", "sink_name=nowhere")
    for name, sink in (("bare", "room"), ("near", "ear"), ("faint", "ear"), ("dead", "nowhere")):
        pactl("load-module", "module-remap-source", f"master={sink}.monitor", f"source_name={name}")
    pactl("set-source-volume", "faint", "-15dB")
    write_devices(home, "bare", "faint", "dead", "missing")


@contextmanager
def room(home: Path, delay: float, gain: float, noise: float) -> Iterator[None]:
    """What is played arrives at the ear so many seconds later and dB louder, and there is noise."""
    loopback = pactl(
        *("load-module", "module-loopback", "source=room.monitor", "sink=ear", "adjust_time=1"),
        *(f"latency_msec={round(delay * 1000)}", "source_dont_move=true", "sink_dont_move=true"),
    )
    (stream,) = (line for line in pactl("list", "short", "sink-inputs").splitlines() if "loopback" in line)
    pactl("set-sink-input-volume", stream.split()[0], f"{gain}dB")
    hiss = np.random.default_rng(11).standard_normal(NOISE_SECONDS * 16_000) * 10 ** (noise / 20)
    soundfile.write(home / "hiss.wav", hiss, 16_000, subtype="PCM_16")
    # A long buffer: noise may be late, but must not tear.
    playing = subprocess.Popen(["paplay", "--device=ear", "--latency-msec=2000", str(home / "hiss.wav")])
    time.sleep(SETTLED)
    try:
        yield
    finally:
        playing.terminate()
        playing.wait(5)
        pactl("unload-module", loopback)


def write_devices(home: Path, *names: str) -> None:
    """What ALSA, and so PortAudio, knows by a name of its own."""
    text = "".join(
        f'pcm.{name} {{ type pulse device "{name}" hint {{ show on description "{name}" }} }}\n'
        for name in names
    )
    (home / ".asoundrc").write_text(text, encoding="utf-8")


def open_(name: str) -> Microphone:
    with quiet_alsa():
        return SoundDeviceMicrophone(name)


def report(found: Survey) -> dict[str, Any]:
    numbers = asdict(found.room) | {"tail": found.room.tail} if found.room else {}
    return {"trials": {trial.name: trial.state.value for trial in found.trials}, **numbers}


def main(home: Path) -> None:
    furnish(home)
    before = list_devices().microphones
    with quiet_alsa():
        loudspeaker = SoundDeviceLoudspeaker("pulse")
    # Plugged in after PortAudio has looked: the check lets go of everything and looks again.
    write_devices(home, "bare", "near", "faint", "dead", "missing")
    loudspeaker.renew(look_again)
    after = list_devices().microphones
    with closing(loudspeaker):
        bare = report(survey(["bare"], open_, loudspeaker, "pulse"))
        found: list[dict[str, Any]] = []
        for known in ROOMS:
            names = ["near"] if found else ["faint", "dead", "missing", "near"]
            with room(home, **known):
                found.append({"known": known, **report(survey(names, open_, loudspeaker, "pulse"))})
    print(json.dumps({"before": before, "after": after, "bare": bare, "rooms": found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
