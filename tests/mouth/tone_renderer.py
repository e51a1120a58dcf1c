"""A renderer that needs no synthesiser."""

from __future__ import annotations

from concurrent.futures import Future

import numpy as np

from narrator.mouth.clips import Clip, on_grid
from narrator.mouth.renderer import RenderFailed


class ToneRenderer:
    """Renders every text as half a second of a tone at once; some texts fail, some never come."""

    def __init__(self, rate: int = 22050) -> None:
        self.rate = rate
        self.asked: list[str] = []
        self.fails: set[str] = set()
        self.never: set[str] = set()

    def submit(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Future[Clip]:
        self.asked.append(text)
        coming: Future[Clip] = Future()
        if text in self.fails:
            coming.set_exception(RenderFailed(text))
        elif text not in self.never:
            time = np.arange(self.rate // 2) / self.rate
            tone = (0.5 * np.cos(2 * np.pi * 300 * time)).astype(np.float32)
            coming.set_result(Clip(on_grid(tone), self.rate))
        return coming
