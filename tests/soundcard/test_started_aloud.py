"""How soon ``narrator play`` speaks with a real microphone and a real loudspeaker open."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulse import needs_pulseaudio, pulse_room

from narrator.cli.firstword import start_figures


@pytest.mark.soundcard
@needs_pulseaudio
def test_with_a_sound_card_both_ends_are_opened(
    tmp_path: Path, model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pulse_room(tmp_path) as room:
        for name, value in room.items():
            monkeypatch.setenv(name, value)
        figures = start_figures((f"--model={model_path}",), runs=1)
    assert figures["microphone"]
    assert figures["loudspeaker"]
    assert figures["first_word_s"]["p50"] > 0
