"""A voice is recorded at the device's own rate, through a real PortAudio stream."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pulse import needs_pulseaudio, pulse_room


@pytest.mark.soundcard
@needs_pulseaudio
def test_what_lies_beyond_a_recognisers_hearing_is_recorded(tmp_path: Path) -> None:
    script = Path(__file__).with_name("full_band.py")
    with pulse_room(tmp_path) as env:
        done = subprocess.run(
            [sys.executable, str(script)], env=env, capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["rate"] >= 44_100
    assert figures["hertz"] == pytest.approx(10_000, abs=5)
    assert figures["peak"] == pytest.approx(0.3, abs=0.05)
