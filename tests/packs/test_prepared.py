"""A voice that isn't recorded is rendered ahead while the table is already talking."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrator.cli import speaking
from narrator.mouth.clips import Clip
from narrator.mouth.lines import load_pack
from narrator.mouth.renderer import RenderFailed
from narrator.resources import voices_folder


class Synthesiser:
    """Says everything as the same click, and notes the order."""

    def __init__(self, told: object, engine: object) -> None:
        self.closed = False
        self.asked: list[str] = []
        SYNTHESISERS.append(self)

    def submit(self, text: str, *voice: object) -> Any:
        from concurrent.futures import Future

        coming: Any = Future()
        self.asked.append(text)
        if self.closed:
            coming.set_exception(RenderFailed(text))
        else:
            coming.set_result(Clip(np.full(8, 0.5, np.float32), 16_000))
        return coming

    def close(self) -> None:
        self.closed = True


SYNTHESISERS: list[Synthesiser] = []


def test_what_games_say_most_often_is_ready_first_and_in_the_end_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(speaking, "StandbyRenderer", Synthesiser)
    pack = load_pack(voices_folder() / "zh-CN")
    with ExitStack() as stack:
        speaking.open_mouth(stack, pack, (), 16_000, lambda fault: None)
        (preparing,) = [thread for thread in threading.enumerate() if thread.name == "preparing"]
        preparing.join()
    asked = SYNTHESISERS[-1].asked
    assert SYNTHESISERS[-1].closed
    assert {pack.spoken(text) for text in pack.every_segment()} == set(asked)
    assert asked.index("请举手。") < asked.index("天黑了，请大家闭眼。") < asked.index("这个规则不能改。")
