"""A sound card is pulled out and plugged in again, somewhere else; test_live_game does it in mid-game."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulse import figures_from, needs_pulseaudio


@pytest.mark.soundcard
@needs_pulseaudio
def test_a_microphone_is_found_again_in_another_slot_and_the_loudspeaker_plays_on(tmp_path: Path) -> None:
    script = Path(__file__).with_name("other_slot.py")
    figures = figures_from(script, tmp_path, str(tmp_path), timeout=150)
    assert figures["told"] == ["microphone_lost", "microphone_back"]
    # 0.1 of full scale.
    assert 2500 < figures["loudest"] < 4000
