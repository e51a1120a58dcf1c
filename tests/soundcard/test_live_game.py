"""The whole table in real time: PortAudio plays and captures, real synthesis speaks, real ears hear."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulse import figures_from, needs_pulseaudio


@pytest.mark.soundcard
@pytest.mark.audio
@needs_pulseaudio
def test_a_whole_game_is_played_over_a_sound_card_that_is_unplugged_in_its_middle(
    tmp_path: Path, model_path: Path
) -> None:
    """Players and narrator share one room; the moderator learns everything through its microphone."""
    script = Path(__file__).with_name("live_game.py")
    figures = figures_from(script, tmp_path, str(model_path), timeout=600)
    assert figures["over"], figures
    assert {"game", "night", "day", "dawn", "ballot"} <= set(figures["notes"]), figures
    assert figures["winner"] == figures["true_winner"] is not None, figures
    # It was said once, aloud, each time; meanwhile somebody typed, and it was looked for again and again.
    assert figures["told"] == ["microphone_lost", "microphone_back"], figures
    assert figures["said_of_it"] == ["fault.microphone_lost", "fault.microphone_back"], figures
    assert figures["silent_lines"] == 0, figures
    assert figures["typed"] == 1, figures
    assert figures["tries_in_vain"] >= 1, figures
    assert figures["heard_again"] >= 6, figures
    assert figures["misunderstood"] == 0, figures
    assert figures["answers"] >= 18, figures
    # Whoever reads the journal finds all of it, and comes to the same end.
    journal = figures["journal"]
    assert journal["inputs"] == figures["inputs"], figures
    assert journal["notes"] == figures["notes"], figures
    assert journal["ended"], figures
    # The microphone is the clock, or else the wall: it ran neither ahead of real time nor behind it.
    assert abs(figures["clock_seconds"] - figures["seconds"]) < 10, figures
