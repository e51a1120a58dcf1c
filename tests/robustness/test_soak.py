"""Listening goes on and on: a few minutes here; for a whole day see ``soak.py``."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from soak import sentences, soak

from narrator.ears.model import load_model
from narrator.table.blocks import BLOCK_SECONDS

pytestmark = [
    pytest.mark.audio,
    pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="no espeak-ng to chat"),
]

MINUTES = 4


def test_minutes_of_chatter_are_heard_without_a_gap_and_memory_does_not_run_away(model_path: Path) -> None:
    figures = soak(MINUTES / 60, load_model(model_path), sentences(("f2", "m3")), seed=2, parts=60)
    assert figures["blocks_ticked"] == figures["blocks_given"]
    assert figures["blocks_listened_to"] == figures["blocks_while_listening"] >= MINUTES * 60 / BLOCK_SECONDS
    assert figures["listeners"] > 5
    # Listening to the second half of the time left nothing behind that the first half had not.
    objects = figures["objects"]
    assert len(objects) == MINUTES + 1
    assert objects[-1] < 1.1 * objects[MINUTES // 2]
