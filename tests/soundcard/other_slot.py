"""A microphone that comes back under another name; prints what was told. Run by test_unplugged."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from narrator.cli.edges import open_microphone
from narrator.cli.roomcheck import seek_devices
from narrator.mouth.loudspeaker import SoundDeviceLoudspeaker
from narrator.table.devices import quiet_alsa
from narrator.table.settings import Settings
from narrator.table.steadymic import SteadyMicrophone

LONGEST_SECONDS = 60.0


def write_devices(home: Path, *names: str) -> None:
    """What ALSA, and so PortAudio, knows by a name of its own."""
    (home / ".asoundrc").write_text(
        "".join(
            f'pcm.{name} {{ type pulse device "mic" hint {{ show on description "{name}" }} }}\n'
            for name in names
        ),
        encoding="utf-8",
    )


def pull_out() -> None:
    """The whole sound card: of its microphone alone the stream would be moved to what is left."""
    listed = subprocess.run(["pactl", "list", "short", "modules"], check=True, capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        number, name, *_ = line.split("\t")
        if name == "module-null-sink":
            subprocess.run(["pactl", "unload-module", number], check=True)


def plug_in() -> None:
    sink = ["module-null-sink", "sink_name=room"]
    source = ["module-remap-source", "master=room.monitor", "source_name=mic"]
    for module in (sink, source):
        subprocess.run(["pactl", "load-module", *module], check=True, capture_output=True)


def main(home: Path) -> None:
    told: list[str] = []
    write_devices(home, "usbmic_slot1")
    settings = Settings(microphone="usbmic")
    with quiet_alsa():
        loudspeaker = SoundDeviceLoudspeaker("pulse")
    steady = SteadyMicrophone(
        open_microphone(settings),
        lambda: open_microphone(settings),
        told.append,
        not_found=lambda: seek_devices(loudspeaker),
    )
    latest = time.monotonic() + LONGEST_SECONDS
    for _ in range(50):
        steady.read()
    pull_out()
    write_devices(home)
    while told != ["microphone_lost"] and time.monotonic() < latest:
        steady.read()
    plug_in()
    write_devices(home, "usbmic_slot2")
    while told[-1:] != ["microphone_back"] and time.monotonic() < latest:
        steady.read()
    # The loudspeaker was let go of meanwhile, and is heard all the same.
    loudspeaker.play(np.full(loudspeaker.rate, 0.1, np.float32))
    loudest = max(int(np.abs(steady.read()).max()) for _ in range(100))
    steady.close()
    loudspeaker.close()
    print(json.dumps({"told": told, "loudest": loudest}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
