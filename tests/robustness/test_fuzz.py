"""Nothing that comes in from outside crashes or hangs; whatever is refused is told in one sentence."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from doors import TARGETS, any_expectation, phrasebook
from fuzz import Result, give, run, unclear
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.faults import Fault
from narrator.heard import Heard, Word
from narrator.moderator.inputs import Answer, Command, Unclear
from narrator.rules.custom import parse
from narrator.rules.ruleset import read_ruleset
from narrator.understanding.matching import understand

INPUTS = 3_000

ANY_NUMBER = st.floats(allow_nan=True, allow_infinity=True)


def test_thousands_of_absurd_inputs_neither_crash_nor_hang() -> None:
    """A longer run: see ``fuzz.py``."""
    result = run(INPUTS, seed=1)
    assert result.crashes == []
    assert result.hangs == []
    # Every door was tried, and the spoiled files were really spoiled, though not all beyond use.
    assert set(result.inputs) == set(TARGETS)
    for door in ("ruleset_file", "voice_pack", "phrase_file", "settings_file"):
        assert 0 < result.refused[door] < result.inputs[door], door
    assert len(result.faults) > 5


@settings(max_examples=300, deadline=None, derandomize=True)
@given(text=st.text(max_size=40), question=st.integers(0, 2**32), typed=st.booleans(), confidence=ANY_NUMBER)
def test_any_text_at_any_question_is_an_answer_a_command_or_unclear(
    text: str, question: int, typed: bool, confidence: float
) -> None:
    expectation = any_expectation(random.Random(question))
    heard = Heard(text, (Word(text, confidence, -confidence, confidence),), confidence, confidence, typed)
    assert isinstance(understand(heard, expectation, phrasebook()), Answer | Command | Unclear)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    content=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_are_a_broken_ruleset(content: bytes) -> None:
    with pytest.raises(Fault) as refused:
        read_ruleset("own", content, "own.toml")
    assert refused.value.key == "broken_ruleset"
    assert unclear(refused.value) == ""


@settings(max_examples=300, deadline=None, derandomize=True)
@given(text=st.text(max_size=60) | st.from_regex(r"\A[a-z_]+ ?= ?[0-9]+\Z"))
def test_any_text_after_set_is_a_setting_or_refused(text: str) -> None:
    try:
        name, setting = parse(text)
    except Fault as fault:
        refused = unclear(fault)
    else:
        refused = "" if name and setting != "" else "neither refused nor a setting"
    assert refused == ""


def test_the_watch_would_notice_a_crash_and_a_sentence_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crashes(rng: random.Random, folder: Path) -> None:
        raise IndexError("out of range")

    def refuses(rng: random.Random, folder: Path) -> None:
        raise Fault("no_such_sentence_anywhere")

    for door in (crashes, refuses):
        monkeypatch.setitem(TARGETS, "typed_text", (1, door))
        result = Result()
        give("typed_text", random.Random(1), tmp_path, "here", result)
        assert len(result.crashes) == 1
