"""A short doubtful answer is weighed by its sounds and its tone together, through the real recogniser."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from quiet_room import Speak, after, feed, hush

from narrator.ears.endpoint import AnswerListener, AnswerSettings
from narrator.ears.grammar import UNKNOWN_WORD, build_grammar
from narrator.ears.model import RecogniserModel
from narrator.ears.recogniser import readings
from narrator.ears.rehearing import Hearing
from narrator.ears.tones import LONGER
from narrator.ears.weighing import MOST, Weighed, likelier, weigh

pytestmark = pytest.mark.audio

NUMBERS = ("一", "二", "三", "四", "七", "八", "十", "十一", "三号", "四号")


@dataclass
class Convinced:
    """An ear that hears one tone (or ``LONGER``) whatever is said."""

    kind: int

    def chances(self, told: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.full(LONGER + 1, 0.01)
        found[self.kind] = 0.96
        return found


def weighed(
    model: RecogniserModel, sound: NDArray[np.int16], sure: float = 2.0, phrases: tuple[str, ...] = NUMBERS
) -> Weighed | None:
    return weigh(model, build_grammar(model, phrases), after(hush(0.3), sound, hush(0.4)), sure)


def hears(monkeypatch: pytest.MonkeyPatch, kind: int) -> None:
    monkeypatch.setattr(RecogniserModel, "tones", Convinced(kind))


@pytest.mark.parametrize("digit", ["一", "二", "三", "四", "七", "八", "十"])
def test_a_clear_digit_stays_what_it_is(model: RecogniserModel, speak: Speak, digit: str) -> None:
    found = weighed(model, speak(digit))
    assert found is not None
    assert found.text == digit
    assert found.confidence > 0.6


def test_the_wrong_tone_makes_it_less_sure(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(monkeypatch, 3)
    right = weighed(model, speak("四"))
    hears(monkeypatch, 0)
    wrong = weighed(model, speak("四"))
    assert right is not None
    assert right.text == "四"
    assert wrong is None or wrong.text != "四" or wrong.confidence < right.confidence


def test_one_syllable_is_less_likely_when_two_are_heard(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    murmur = speak("四") + np.random.default_rng(6).normal(0, 1_500, len(speak("四"))).astype(np.int16)
    hears(monkeypatch, 3)
    one = weighed(model, murmur)
    assert one is not None
    assert one.text == "四"
    hears(monkeypatch, LONGER)
    two = weighed(model, murmur)
    assert two is not None
    assert two.text != "四" or two.confidence < one.confidence


def test_what_is_no_answer_stays_unknown(model: RecogniserModel, speak: Speak) -> None:
    found = weighed(model, speak("苹果"))
    assert found is not None
    assert found.text == UNKNOWN_WORD


def test_a_sure_one_is_heard_but_once(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("narrator.ears.weighing.stretched", None)
    found = weighed(model, speak("三"), sure=0.0)
    assert found is not None
    assert (found.text, found.rivals) == ("三", ())


def test_without_a_voice_or_an_ear_there_is_nothing_to_weigh(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert weighed(model, hush(1.0)) is None
    monkeypatch.setattr(RecogniserModel, "tones", None)
    assert weighed(model, speak("三")) is None


def test_the_readings_come_with_the_best_first(model: RecogniserModel, speak: Speak) -> None:
    sound = after(hush(0.3), speak("四"), hush(0.4))
    found = list(readings(model, build_grammar(model, NUMBERS), sound, MOST))
    scores = [score for _, score in found]
    assert found[0][0] == ["四"]
    assert scores == sorted(scores, reverse=True)


def ears(model: RecogniserModel, sure: float, deep_noise: float = 12.0) -> AnswerListener:
    return AnswerListener(model, NUMBERS, AnswerSettings(sure=sure, deep_noise=deep_noise))


@pytest.mark.parametrize("said", ["四", "七"])
def test_in_deep_noise_a_tone_makes_nothing_surer_and_turns_nothing_round(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setattr("narrator.ears.endpoint.weigh", lambda *_: Weighed(said, 1.1, ()))
    sound = after(hush(1.0), speak("四"), hush(1.0))
    ((_, near),) = feed(ears(model, sure=1.1, deep_noise=90.0), sound)
    ((_, far),) = feed(ears(model, sure=1.1), sound)
    assert far.confidence == 1.1
    assert near.confidence < 1.1, "as sure as its sound alone"
    assert near.rivals == (() if said == "四" else ("四",))


def test_the_listener_takes_what_was_weighed(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("narrator.ears.endpoint.weigh", lambda *_: Weighed("七", 0.6, ("四",)))
    sound = after(hush(1.0), speak("四"), hush(1.0))
    ((_, heard),) = feed(ears(model, sure=1.1), sound)
    assert (heard.text, heard.confidence, heard.rivals) == ("七", 0.6, ("四",))
    ((word,), endpoint) = heard.words, heard.endpoint
    assert word.text == "七"
    assert endpoint is not None
    assert 0.6 < word.start < word.end <= endpoint
    ((_, sure),) = feed(ears(model, sure=0.0), sound)
    assert (sure.text, sure.rivals) == ("四", ())


def test_longer_answers_are_not_weighed(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("narrator.ears.endpoint.weigh", None)
    listener = AnswerListener(model, ("四号玩家", "十号玩家"), AnswerSettings(sure=1.1))
    ((_, heard),) = feed(listener, after(hush(1.0), speak("四号玩家"), hush(1.0)))
    assert heard.text == "四号玩家"


def test_the_right_tone_makes_a_syllable_likelier_and_another_less_likely(
    model: RecogniserModel, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = after(hush(0.2), speak("过"), hush(0.4))
    hears(monkeypatch, 3)
    assert likelier(model, sound, "过") > 5
    hears(monkeypatch, 1)
    assert likelier(model, sound, "过") < 0.2
    assert likelier(model, sound, "了") == 1, "it has no tone of its own"
    assert likelier(model, hush(0.6), "过") == 1
    monkeypatch.setattr(RecogniserModel, "tones", None)
    assert likelier(model, sound, "过") == 1


@pytest.mark.parametrize(("near_noise", "rivals"), [(90.0, ("不是",)), (0.0, ())])
def test_near_the_noise_even_a_sure_answer_is_heard_again(
    model: RecogniserModel,
    speak: Speak,
    monkeypatch: pytest.MonkeyPatch,
    near_noise: float,
    rivals: tuple[str, ...],
) -> None:
    monkeypatch.setattr("narrator.ears.endpoint.hear_again", lambda *_: (Hearing("不是", 0.9),))
    listener = AnswerListener(model, ("确定", "不是"), AnswerSettings(sure=0.5, near_noise=near_noise))
    ((_, heard),) = feed(listener, after(hush(1.0), speak("确定"), hush(1.0)))
    assert (heard.text, heard.rivals) == ("确定", rivals)
