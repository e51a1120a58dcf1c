"""A voice is recorded at the device's own rate, through a real PortAudio stream."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulse import figures_from, needs_pulseaudio


@pytest.mark.soundcard
@needs_pulseaudio
def test_what_lies_beyond_a_recognisers_hearing_is_recorded(tmp_path: Path) -> None:
    script = Path(__file__).with_name("full_band.py")
    figures = figures_from(script, tmp_path, timeout=60)
    assert figures["rate"] >= 44_100
    assert figures["hertz"] == pytest.approx(10_000, abs=5)
    assert figures["peak"] == pytest.approx(0.3, abs=0.05)
