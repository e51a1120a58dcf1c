"""A sound card that is only software: PulseAudio with a sink whose monitor is the microphone.

``python tests/support/pulse.py SCRIPT [ARGUMENT ...]`` runs a script of tests/soundcard in a room of its own
and prints its figures as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

needs_pulseaudio = pytest.mark.skipif(
    not (shutil.which("pulseaudio") and shutil.which("pactl")), reason="needs pulseaudio and pulseaudio-utils"
)


@contextlib.contextmanager
def pulse_room(folder: Path) -> Iterator[dict[str, str]]:
    """A PulseAudio daemon of its own whose loudspeaker leads into its microphone."""
    folder.chmod(0o700)
    env = {**os.environ, "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
    env |= {"PULSE_SINK": "room", "PULSE_SOURCE": "mic", "PULSE_SERVER": f"unix:{folder}/pulse/native"}
    modules = (
        "module-native-protocol-unix",
        "module-null-sink sink_name=room",
        "module-remap-source master=room.monitor source_name=mic",
    )
    daemon = subprocess.Popen(
        [
            "pulseaudio",
            "-n",
            "--exit-idle-time=-1",
            "--daemonize=no",
            *(f"--load={load}" for load in modules),
        ],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 15
        while subprocess.run(["pactl", "info"], env=env, capture_output=True, check=False).returncode:
            assert time.monotonic() < deadline, "PulseAudio did not start"
            time.sleep(0.1)
        yield env
    finally:
        daemon.terminate()
        daemon.wait(10)


def figures_from(script: Path, folder: Path, *arguments: str, timeout: float) -> dict[str, Any]:
    """Run a script in a room of its own, for ``timeout`` seconds at most; the figures it printed last."""
    with pulse_room(folder) as env:
        done = subprocess.run(
            [sys.executable, str(script), *arguments],
            env=env,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        found = figures_from(Path(sys.argv[1]), Path(home), *sys.argv[2:], timeout=900)
    print(json.dumps(found, ensure_ascii=False))
