"""Packing: all clips of a voice into one Ogg Opus file, and one index over all voices."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import soundfile

from cast_build.voices import CastVoice
from narrator.rehearsal.cast.natural import INDEX
from narrator.rehearsal.room import Samples
from narrator.table.blocks import RATE

COMPRESSION = 0.975
"""Of libsndfile, from 0 to 1: about 12 kbit/s for speech at 16 kHz."""

GAP_SECONDS = 0.1
"""Silence between two clips of a file, so that none bleeds into its neighbour."""


def pack_voice(file: Path, clips: Mapping[str, Samples]) -> dict[str, tuple[int, int]]:
    """Write ``clips`` into ``file``, whole or not at all; where each text begins and how long it is."""
    gap = np.zeros(round(GAP_SECONDS * RATE), np.float32)
    places: dict[str, tuple[int, int]] = {}
    parts, start = [gap], len(gap)
    for text, samples in clips.items():
        places[text] = (start, len(samples))
        parts += [samples, gap]
        start += len(samples) + len(gap)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    with soundfile.SoundFile(
        partial, "w", RATE, 1, format="OGG", subtype="OPUS", compression_level=COMPRESSION
    ) as sound:
        sound.write(np.concatenate(parts))
    partial.replace(file)
    return places


def write_index(folder: Path, packed: Mapping[CastVoice, Mapping[str, tuple[int, int]]]) -> None:
    """Write the index of ``folder``: every voice, what it is mixed from, and its clips; old files go."""
    lines = ["# Made by scripts/build_cast. text = [first sample, samples], at 16 kHz in the voice's file."]
    for voice, places in packed.items():
        lines += ["", f"[{voice.name}]", f'made_of = "{voice.recipe}"', f"speed = {voice.speed}"]
        lines += [f"judge = {str(voice.judge).lower()}", "", f"[{voice.name}.clips]"]
        lines += [f"{_quoted(text)} = [{start}, {length}]" for text, (start, length) in places.items()]
    partial = folder / f"{INDEX}.part"
    partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
    partial.replace(folder / INDEX)
    kept = {voice.name for voice in packed}
    for file in folder.glob("*.opus"):
        if file.stem not in kept:
            file.unlink()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
