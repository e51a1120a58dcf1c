"""A microphone that is pulled out and plugged in again; prints what was told. Run by test_unplugged."""

from __future__ import annotations

import json
import subprocess
import sys
import time

from narrator.ears.microphone import Microphone, SoundDeviceMicrophone
from narrator.table.steadymic import SteadyMicrophone

LONGEST_SECONDS = 90.0


def pactl(*arguments: str) -> str:
    return subprocess.run(["pactl", *arguments], check=True, capture_output=True, text=True).stdout.strip()


def pull_out() -> None:
    """The whole sound card, its microphone with it: of one alone the stream is moved to what is left."""
    for line in pactl("list", "short", "modules").splitlines():
        number, name, *_ = line.split("\t")
        if name == "module-null-sink":
            pactl("unload-module", number)


def plug_in() -> None:
    pactl("load-module", "module-null-sink", "sink_name=room")
    pactl("load-module", "module-remap-source", "master=room.monitor", "source_name=mic")


def microphone() -> Microphone:
    return SoundDeviceMicrophone("pulse")


def main() -> None:
    told: list[str] = []
    blocks = 0
    steady = SteadyMicrophone(microphone(), microphone, told.append)
    latest = time.monotonic() + LONGEST_SECONDS
    for _ in range(50):
        blocks += len(steady.read()) == 320
    pull_out()
    while told != ["microphone_lost"] and time.monotonic() < latest:
        blocks += len(steady.read()) == 320
    plug_in()
    while told[-1:] != ["microphone_back"] and time.monotonic() < latest:
        blocks += len(steady.read()) == 320
    for _ in range(50):
        blocks += len(steady.read()) == 320
    steady.close()
    print(json.dumps({"told": told, "blocks": blocks}))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
