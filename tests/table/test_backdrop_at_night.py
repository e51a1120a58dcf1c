"""A night with a backdrop: it lies under what is said and waited for, never under an answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from doubles import voice_pack
from numpy.typing import NDArray

from narrator.moderator.effects import Backdrop, Effect, Expect, Say, Sound, Wait
from narrator.moderator.expectations import Expectation, Kind
from narrator.mouth.clips import Clip, ClipCache
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.speech import Mouth
from narrator.table.blocks import BLOCK_SECONDS
from narrator.table.performance import Performance

SPOKEN = Expect(Expectation(Kind.NUMBER), "kill")
TYPED = Expect(Expectation(Kind.SEAT, private=True, voice=False), "kill")


class Loudspeaker(SilentLoudspeaker):
    """Knows whether something lies under what it plays."""

    def __init__(self) -> None:
        super().__init__(16_000)
        self.lying = False

    def bed(self, samples: NDArray[np.float32] | None) -> None:
        self.lying = samples is not None


class Night:
    """A performance of effects, and what lay under each of its moments."""

    def __init__(self, folder: Path, with_backdrop: bool) -> None:
        self.loudspeaker = Loudspeaker()
        cache = ClipCache(folder)
        pack = voice_pack()
        for line in ("night.falls", "day.breaks", "night.kill"):
            (segment,) = pack.segments(line, {})
            cache.put(pack.spoken(segment), pack.voice, Clip(np.full(8000, 0.1, np.float32), 16_000))
        mouth = Mouth(pack, None, cache, 16_000)
        self.performance = Performance(mouth, self.loudspeaker, (), with_backdrop=with_backdrop)

    def perform(self, *effects: Effect) -> set[bool]:
        """Whether it lay there, at every tick until the last effect has been performed."""
        self.performance.add(effects)
        seen = set()
        for _ in range(round(60 / BLOCK_SECONDS)):
            self.loudspeaker.advance(BLOCK_SECONDS)
            opened = self.performance.tick(BLOCK_SECONDS)
            seen.add(self.loudspeaker.lying)
            if opened is not None or self.performance.idle:
                return seen
        raise AssertionError("the performance did not end")


@pytest.fixture
def night(tmp_path: Path) -> Night:
    return Night(tmp_path, with_backdrop=True)


def test_it_begins_with_the_night_and_ends_with_the_dawn(night: Night) -> None:
    assert night.perform(Say("day.breaks")) == {False}
    assert night.perform(Sound("nightfall"), Say("night.falls"), Wait("eyes_close")) == {True}
    assert night.perform(Sound("dawn"), Say("day.breaks")) == {False}


def test_it_is_gone_before_the_microphone_opens_and_comes_back_afterwards(night: Night) -> None:
    night.perform(Sound("nightfall"), Say("night.falls"))
    night.perform(Say("night.kill"), SPOKEN)
    assert not night.loudspeaker.lying
    assert night.perform(Say("night.kill"), Wait("eyes_close")) == {True}


def test_a_keypad_makes_no_difference_to_it(night: Night) -> None:
    night.perform(Sound("nightfall"), Say("night.falls"))
    assert night.perform(Say("night.kill"), TYPED) == {True}


def test_nobody_hears_it_who_has_not_asked_for_it(tmp_path: Path) -> None:
    night = Night(tmp_path, with_backdrop=False)
    assert night.perform(Sound("nightfall"), Say("night.falls")) == {False}
    assert night.perform(Backdrop(True), Say("night.falls")) == {True}
    assert night.perform(Backdrop(False), Say("night.falls")) == {False}
