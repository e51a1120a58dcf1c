"""One question, and everything that may happen to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from narrator.moderator.effects import Say, Value, Wait
from narrator.moderator.expectations import Expectation
from narrator.moderator.inputs import Answer


class Confirm(StrEnum):
    """When an answer is asked back before it counts."""

    NEVER = "never"
    DOUBTFUL = "doubtful"
    ALWAYS = "always"
    AGAIN = "again"  # a doubtful one must be said once more; nothing is read back
    TWICE = "twice"  # typed blind: the same entry must come a second time


@dataclass(frozen=True, slots=True)
class Question:
    """One question and everything that may happen to it.

    ``prompt`` is said first; ``short`` instead of it when the question is put again. ``then`` receives
    the accepted value. ``refuse`` gives the reason why a value can't be, or None. ``renew``, for secret
    questions, makes the question to ask instead once something has been said in vain: what was heard by
    the table must never be said twice under the same code. ``quiet_refusal`` makes a refusal sound
    exactly like a misunderstanding. ``patience`` names the wait before a silence is noticed; ``lapse``
    is the answer that a silence then counts as, for questions on which nothing depends.
    """

    about: str
    expectation: Expectation
    prompt: tuple[Say | Wait, ...]
    then: Callable[[Any], None]
    params: Mapping[str, Value] = field(default_factory=dict)
    short: tuple[Say | Wait, ...] | None = None
    refuse: Callable[[Any], Say | None] | None = None
    confirm: Confirm = Confirm.DOUBTFUL
    readback: str | None = None
    again: Say = field(default_factory=lambda: Say("again"))
    help: Say = field(default_factory=lambda: Say("help.any"))
    renew: Callable[[], Question] | None = None
    quiet_refusal: bool = False
    patience: str = "patience"
    lapse: Answer | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer that counts: to which question, and what was answered."""

    question: Question
    answer: Answer
