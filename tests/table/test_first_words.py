"""The first line waits for nothing that it doesn't need."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from doubles import Bell, Evening
from numpy.typing import NDArray

from narrator.moderator.evening import Secrets, Setup


class TooEarlyError(Exception):
    """The microphone was asked for its first block, and has none yet."""


class LateMicrophone:
    def read(self) -> NDArray[np.int16]:
        raise TooEarlyError

    def close(self) -> None:
        """Nothing to close."""


def test_it_is_said_before_the_microphone_gives_its_first_block(tmp_path: Path) -> None:
    setup = Setup(1, ruleset="standard", players=8, secrets=Secrets.JUDGE)
    evening = Evening(setup, tmp_path, bell=Bell())
    evening.session.microphone = LateMicrophone()
    warmed: list[bool] = []
    assert evening.ears is not None
    evening.ears.warm = lambda: warmed.append(evening.loudspeaker.playing)  # type: ignore[method-assign]
    with pytest.raises(TooEarlyError):
        evening.session.run()
    assert evening.log.lines == ["welcome"]
    assert len(evening.loudspeaker.played) == 1
    # The recogniser's model is loaded while that sounds.
    assert warmed == [True]
