"""Clips that are rendered beforehand: only those that aren't stored yet, and nothing is read for it."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest

from narrator.moderator.effects import Say
from narrator.mouth.clips import Clip, ClipCache
from narrator.mouth.lines import load_pack
from narrator.mouth.speech import Mouth
from narrator.resources import voices_folder

PACK = load_pack(voices_folder() / "zh-CN")
TEXTS = ("天黑了，请大家闭眼。", "请发言。")


class Renderer:
    """Makes a tenth of a second of tone at once."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def submit(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Future[Clip]:
        self.texts.append(text)
        coming: Future[Clip] = Future()
        coming.set_result(Clip(np.full(1_600, 0.25, np.float32), 16_000))
        return coming


def prepared(folder: Path) -> list[str]:
    """What is rendered at a start."""
    renderer = Renderer()
    assert Mouth(PACK, renderer, ClipCache(folder), 16_000).prepare(TEXTS) == ()
    return renderer.texts


def test_the_second_start_renders_nothing_and_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(prepared(tmp_path)) == 2
    monkeypatch.setattr(ClipCache, "get", lambda *_: pytest.fail("a clip was read"))
    assert prepared(tmp_path) == []


def test_one_that_was_thrown_away_is_rendered_again(tmp_path: Path) -> None:
    prepared(tmp_path)
    next(tmp_path.glob("*.wav")).unlink()
    assert len(prepared(tmp_path)) == 1


def test_a_damaged_one_is_rendered_when_it_is_said(tmp_path: Path) -> None:
    prepared(tmp_path)
    for file in tmp_path.glob("*.wav"):
        file.write_bytes(b"damaged")
    renderer = Renderer()
    utterance = Mouth(PACK, renderer, ClipCache(tmp_path), 16_000).speak(Say("night.falls"), pick=0)
    assert len(utterance.samples(timeout=1.0)) > 0
    assert utterance.missing == ()
    assert len(renderer.texts) >= 1


def test_a_store_that_was_filled_earlier_is_still_kept_within_its_limit(tmp_path: Path) -> None:
    prepared(tmp_path)
    size = next(tmp_path.glob("*.wav")).stat().st_size
    cache = ClipCache(tmp_path, limit=round(size * 2.5))
    clip = Clip(np.full(1_600, 0.25, np.float32), 16_000)
    for number in range(6):
        cache.put(f"第{number}句", PACK.voice, clip)
    assert sum(file.stat().st_size for file in tmp_path.glob("*.wav")) <= size * 2.5
