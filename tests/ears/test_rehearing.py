"""A doubtful answer is heard again as if by other throats, through the real recogniser."""

from __future__ import annotations

import numpy as np
import pytest
from quiet_room import RATE, Speak, after, feed, hush

from narrator.ears.endpoint import AnswerListener, AnswerSettings
from narrator.ears.grammar import build_grammar
from narrator.ears.model import RecogniserModel
from narrator.ears.rehearing import THROATS, Hearing, hear_again
from narrator.heard import Heard

pytestmark = pytest.mark.audio

SEATS = ("三号", "四号", "五号", "十号", "十三号")


def heard(model: RecogniserModel, speak: Speak, sure: float) -> Heard:
    """十三号 in a quiet room, heard again if it is less ``sure``."""
    ears = AnswerListener(model, SEATS, AnswerSettings(sure=sure))
    ((_, one),) = feed(ears, after(hush(1.0), speak("十三号"), hush(1.0)))
    return one


def test_a_clear_answer_is_the_same_by_every_throat(model: RecogniserModel, speak: Speak) -> None:
    sound = after(hush(0.3), speak("三号"), hush(0.4))
    again = hear_again(model, build_grammar(model, SEATS), sound)
    assert [one.text for one in again] == ["三号"] * len(THROATS)
    assert all(0.5 < one.confidence <= 1 for one in again)


def test_where_nobody_speaks_nothing_is_heard(model: RecogniserModel) -> None:
    silence = np.zeros(RATE, np.int16)
    assert hear_again(model, build_grammar(model, SEATS), silence) == (Hearing("", 0.0),) * len(THROATS)


def test_a_sure_answer_is_heard_but_once(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("narrator.ears.endpoint.hear_again", None)
    assert heard(model, speak, sure=0.0).rivals == ()


def test_what_all_agree_on_is_as_sure_as_they_are_together(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = heard(model, speak, sure=0.0)
    again = (Hearing("十三号", 0.4), Hearing("十三号", 0.6))
    monkeypatch.setattr("narrator.ears.endpoint.hear_again", lambda *_: again)
    together = heard(model, speak, sure=1.1)
    assert together.rivals == ()
    assert together.confidence == pytest.approx((once.confidence + 0.4 + 0.6) / 3)
    assert together.words == once.words, "its times and words stay those of the voice as it was"


def test_who_hears_something_else_is_told_and_has_no_say_in_how_sure_it_is(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = heard(model, speak, sure=0.0)
    again = (Hearing("十号", 0.9), Hearing("", 0.0))
    monkeypatch.setattr("narrator.ears.endpoint.hear_again", lambda *_: again)
    disputed = heard(model, speak, sure=1.1)
    assert disputed.text == "十三号"
    assert disputed.rivals == ("十号", "")
    assert disputed.confidence == once.confidence


def test_the_real_hearings_of_a_clear_answer_agree(model: RecogniserModel, speak: Speak) -> None:
    assert heard(model, speak, sure=1.1).rivals == ()
