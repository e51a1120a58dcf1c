"""Whole evenings of any inputs: every line can be spoken, somebody is always asked, nothing is random."""

from __future__ import annotations

import ast
import itertools
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from anybody import anything, evening
from hypothesis import given, settings
from hypothesis import strategies as st
from table import Table, lobby

import narrator.moderator
import narrator.table
from narrator.moderator.effects import Effect, End, Expect, Note, Say, Wait
from narrator.moderator.evening import Agreement, Secrets, Setup
from narrator.moderator.inputs import Elapsed, Input
from narrator.moderator.moderator import Moderator
from narrator.moderator.readback import CONFIRMING
from narrator.mouth.lines import VoicePack, load_pack
from narrator.rehearsal.script import Script
from narrator.rehearsal.simulate import _Play
from narrator.resources import voices_folder
from narrator.rules import ruleset as rulesets
from narrator.table.required import required_lines, required_waits


@pytest.fixture(scope="module")
def pack() -> VoicePack:
    return load_pack(voices_folder() / "zh-CN")


class Recorded(Moderator):
    """A moderator whose effects are kept."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.log: list[Effect] = []

    def begin(self) -> tuple[Effect, ...]:
        effects = super().begin()
        self.log += effects
        return effects

    def handle(self, event: Input) -> tuple[Effect, ...]:
        effects = super().handle(event)
        self.log += effects
        return effects


def simulated(seed: int) -> Iterator[list[Effect]]:
    """The effects of one game of every ruleset and way of keeping secrets."""
    for ruleset, way in itertools.product(rulesets.all_rulesets(), Secrets):
        rng = random.Random(f"{seed}:{ruleset.id}:{way}")
        players = rng.randint(ruleset.fewest, ruleset.most)
        moderator = Recorded(Setup(seed, previous=Agreement(ruleset.id, players, way), barred=2))
        script = Script(ruleset, players, way, seed, barred=2, tie_bias=0.4)
        outcome = _Play(moderator, script, rng, noise=0.15).run()
        assert outcome.violations == []
        yield moderator.log


@cache
def many_evenings() -> tuple[Table, ...]:
    return tuple(evening(seed)[1] for seed in range(40))


def test_every_line_of_a_simulated_game_is_in_the_voice_pack_with_all_it_names(pack: VoicePack) -> None:
    for seed in range(4):
        for log in simulated(seed):
            for effect in log:
                speakable(effect, pack)


def test_every_line_of_any_evening_is_in_the_voice_pack_with_all_it_names(pack: VoicePack) -> None:
    for table in many_evenings():
        for effect in table.log:
            speakable(effect, pack)


def speakable(effect: Effect, pack: VoicePack) -> None:
    """Fails for what the voice pack can't say, or need not have."""
    if isinstance(effect, Say):
        assert "".join(pack.segments(effect.line, effect.params)).strip()
    elif isinstance(effect, Wait):
        assert pack.wait(effect.wait) > 0
    elif isinstance(effect, Expect):
        assert effect.patience in required_waits()


def named_in_source() -> tuple[set[str], list[re.Pattern[str]]]:
    """What the moderator's modules hand to ``Say`` and ``say``: whole ids, and ids with a part filled in."""
    whole: set[str] = set()
    partly: list[re.Pattern[str]] = []
    # The table itself says what happens to its devices.
    packages = (narrator.moderator, narrator.table)
    for file in sorted(f for package in packages for f in Path(str(package.__file__)).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called not in ("Say", "say"):
                continue
            inside = _choices(node.args[0])
            whole |= {str(part.value) for part in inside if isinstance(part, ast.Constant)}
            partly += [_pattern(part) for part in inside if isinstance(part, ast.JoinedStr)]
    return whole, partly


def _choices(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.IfExp):
        return [*_choices(node.body), *_choices(node.orelse)]
    return [node]


def _pattern(text: ast.JoinedStr) -> re.Pattern[str]:
    parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else "[a-z_]+" for p in text.values]
    return re.compile("".join(parts))


def test_every_line_that_the_moderator_names_is_required_of_voice_packs() -> None:
    whole, partly = named_in_source()
    assert len(whole) > 60
    assert whole <= set(required_lines())
    for pattern in partly:
        assert any(pattern.fullmatch(line) for line in required_lines()), pattern.pattern


def test_every_required_line_is_named_by_the_moderator_or_the_table() -> None:
    whole, partly = named_in_source()
    of_kinds = {line for line, _ in CONFIRMING.values()} | {
        "ballot.read",
        "ballot.named",
        "speech.opens_game",
    }
    of_kinds |= {line for line in required_lines() if line.startswith("guide.")}
    of_rulesets = {line for ruleset in rulesets.all_rulesets() for line in ruleset.day.wording.values()}
    of_rulesets |= {ruleset.day.opening for ruleset in rulesets.all_rulesets()}
    unnamed = set(required_lines()) - whole - of_kinds - of_rulesets
    assert {line for line in unnamed if not any(pattern.fullmatch(line) for pattern in partly)} == set()


def test_most_lines_are_said_in_a_few_evenings() -> None:
    logs = [table.log for table in many_evenings()] + [log for seed in range(4) for log in simulated(seed)]
    said = {effect.line for log in logs for effect in log if isinstance(effect, Say)}
    seldom = ("fault.", "resume.", "leave.", "guide.", "own.")
    devices = {line for line in required_lines() if line.startswith(seldom)}
    assert len(said) > 0.85 * (len(required_lines()) - len(devices))


# Somebody is always asked


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_whatever_happens_one_question_is_open_or_the_evening_is_over(seed: int) -> None:
    rng = random.Random(seed)
    table = lobby(seed)
    for _ in range(250):
        if table.question is None:
            assert table.moderator.ended
            return
        before = table.asked
        event = anything(table, rng)
        table.hears(event)
        asked = [effect for effect in table.latest if isinstance(effect, Expect)]
        if not table.latest:
            # Only a timer that means nothing now may change nothing.
            assert isinstance(event, Elapsed)
            assert table.asked is before
            continue
        last = table.latest[-1]
        assert isinstance(last, Expect | End)
        assert len(asked) == (0 if isinstance(last, End) else 1)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_whatever_happens_nobody_comes_back_and_nobody_votes_twice(seed: int) -> None:
    rng = random.Random(seed)
    table = lobby(seed)
    game, living = 0, 99
    for _ in range(250):
        if table.question is None:
            return
        table.hears(anything(table, rng))
        memory = table.moderator.evening
        if memory.game_ is None:
            continue
        if memory.number != game:
            game, living = memory.number, memory.game.players
        if any(isinstance(effect, Note) and effect.what == "undone" for effect in table.latest):
            # Whoever was taken out of the game by what was taken back is in it again.
            living = memory.game.players
        assert len(memory.game.living) <= living
        living = len(memory.game.living)
        tally = memory.day.tally
        if tally is not None and table.about in ("votes", "tally", "amend"):
            assert sum(tally.votes.values()) <= tally.voters == living
            assert set(tally.votes) <= set(memory.day.candidates) <= set(memory.game.living)
        if table.about == "speech":
            assert memory.game.is_living(table.seat)


# Nothing is random


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_the_same_inputs_always_cause_the_same_effects(seed: int) -> None:
    said, table = evening(seed, inputs=250)
    again = Table(table.setup)
    for event in said:
        again.hears(event)
    assert again.log == table.log
    assert again.state == table.state


def test_effects_are_the_same_in_another_process() -> None:
    code = (
        "import hashlib, anybody;"
        "print([hashlib.sha256(repr(anybody.evening(s, 300)[1].log).encode()).hexdigest() for s in range(4)])"
    )
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parents[1])])
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(digests) == 1


def test_another_seed_is_another_code_sheet_and_nothing_else() -> None:
    one, other = (
        lobby(seed, ruleset="standard", players=8, secrets=Secrets.CODES).answer(True) for seed in (1, 2)
    )
    assert one.noted("sheet") != other.noted("sheet")
    assert one.says == other.says
