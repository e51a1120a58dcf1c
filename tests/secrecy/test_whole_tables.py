"""Two games that agree in public look and sound the same at the table, whatever they keep secret."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import Future

import pytest
from noticed import without_codes
from pairs import Comparison, difference, publics, shared
from public_events import Public
from secret_game import SecretGame

from narrator.moderator.evening import Secrets
from narrator.mouth.clips import Clip
from narrator.mouth.renderer import Renderer
from narrator.rules.ruleset import all_rulesets

pytestmark = pytest.mark.thorough

KINDS = [
    (ruleset.id, way, hears)
    for ruleset, way, hears in itertools.product(all_rulesets(), Secrets, (True, False))
]


@pytest.mark.parametrize(("ruleset", "way", "hears"), KINDS)
def test_games_that_agree_in_public_cannot_be_told_apart(ruleset: str, way: Secrets, hears: bool) -> None:
    comparison = Comparison()
    for public in _tables(ruleset, way, hears, seed=1, count=1):
        comparison.play(public, variants=5)
    assert comparison.differences == []
    assert comparison.rows_said_twice == []
    assert comparison.pairs == 10
    # Nothing is proved by games that part before anything has happened.
    assert comparison.inputs / comparison.pairs > 10


@pytest.mark.parametrize("ruleset", [ruleset.id for ruleset in all_rulesets()])
def test_pairs_differ_in_secret_and_get_as_far_as_the_verdict(ruleset: str) -> None:
    """The comparison isn't empty: other cards are dealt, other people chosen, and games go all the way."""
    for public in _tables(ruleset, Secrets.KEYPAD, False, seed=2, count=12):
        first = SecretGame(public, 0).play()
        for number in range(1, 4):
            other = SecretGame(public, number, first.plan).play()
            count = shared(first, other)
            if other.hidden.roles != first.hidden.roles and first.over and count == len(first.facts) - 1:
                assert difference(first, other) == ""
                return
    pytest.fail("no pair got as far as the verdict")


def test_games_that_differ_in_public_can_be_told_apart() -> None:
    one, other = itertools.islice(_tables("standard", Secrets.KEYPAD, False, seed=3, count=2), 2)
    assert SecretGame(one, 0).play().trace.events != SecretGame(other, 0).play().trace.events


class _RealVoice:
    """The real renderer; every code is spoken as the same number, for codes differ by chance alone."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def submit(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Future[Clip]:
        return self._renderer.submit(without_codes(text).replace("##", "三"), voice, rate, pitch, volume)


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with Renderer() as renderer:
        yield renderer


@pytest.mark.audio
def test_with_the_real_voice_every_sound_is_as_long_in_both_games(renderer: Renderer) -> None:
    public = Public("standard", 8, Secrets.CODES, hears=True, voiced=True, seed=4)
    voice = _RealVoice(renderer)
    one = SecretGame(public, 0, voice=voice).play()
    other = SecretGame(public, 1, one.plan, voice).play()
    assert difference(one, other) == ""
    assert shared(one, other) > 20


def _tables(ruleset: str, way: Secrets, hears: bool, seed: int, count: int) -> Iterator[Public]:
    wanted = (
        public
        for public in publics(seed)
        if (public.ruleset, public.way, public.hears) == (ruleset, way, hears)
    )
    return itertools.islice(wanted, count)
