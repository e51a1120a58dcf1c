"""The whole table in real time: PortAudio plays and captures, real synthesis speaks, real ears hear."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulse import figures_from, needs_pulseaudio


@pytest.mark.soundcard
@pytest.mark.audio
@needs_pulseaudio
def test_a_night_and_a_day_are_played_over_a_sound_card(tmp_path: Path, model_path: Path) -> None:
    """Players and narrator share one room; the moderator learns everything through its microphone."""
    script = Path(__file__).with_name("live_game.py")
    figures = figures_from(script, tmp_path, str(model_path), timeout=600)
    assert figures["over"], figures
    assert {"game", "night", "day", "dawn", "ballot"} <= set(figures["notes"]), figures
    assert figures["misunderstood"] == 0, figures
    assert figures["silent_lines"] == 0, figures
    assert figures["answers"] >= 18, figures
    # The microphone is the clock: it ran neither ahead of real time nor behind it.
    assert abs(figures["clock_seconds"] - figures["seconds"]) < 10, figures
