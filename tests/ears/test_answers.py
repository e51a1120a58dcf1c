"""One answer at a time, through the real recogniser: heard right, ended on time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from quiet_room import RATE, Speak, after, feed, hush, texts

from narrator.ears.endpoint import AnswerListener
from narrator.ears.model import RecogniserModel
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook

pytestmark = pytest.mark.audio

SEATS = Expectation(Kind.SEAT)


def listen_for(
    model: RecogniserModel, phrasebook: Phrasebook, expectation: Expectation = SEATS
) -> AnswerListener:
    return AnswerListener(model, [phrase.text for phrase in phrasebook.phrases(expectation)])


@pytest.mark.parametrize("text", ["三号", "五号", "九号", "十二号", "十六号玩家"])
def test_a_seat_is_heard_and_ended_half_a_second_after_it(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, text: str
) -> None:
    ears = listen_for(model, phrasebook)
    said = after(hush(1.0), speak(text))
    ((time, heard),) = feed(ears, after(said, hush(0.7)))
    assert heard.text == text
    assert heard.endpoint == time
    assert 0.35 <= time - len(said) / RATE <= 0.62
    assert 0.6 <= heard.words[0].start <= 1.3
    assert heard.words[-1].end <= time
    meant = understand(heard, SEATS, phrasebook)
    assert isinstance(meant, Answer)


def test_how_far_a_voice_stands_out_of_the_room_is_told(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    def above(decibels: float) -> float:
        voice = (speak("十二号") * 10 ** (decibels / 20)).astype(np.int16)
        ((_, heard),) = feed(listen_for(model, phrasebook), after(hush(4), voice, hush(1)))
        assert heard.above is not None
        return heard.above

    loud, quiet = above(0), above(-20)
    assert quiet > 20
    assert loud - quiet == pytest.approx(20, abs=1)


@pytest.mark.parametrize("decibels", [-30, -15, 0])
def test_a_quiet_voice_is_heard_like_a_loud_one(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, decibels: float
) -> None:
    voice = (speak("十二号") * 10 ** (decibels / 20)).astype(np.int16)
    assert texts(feed(listen_for(model, phrasebook), after(hush(1), voice, hush(1)))) == ["十二号"]


def test_an_answer_in_a_noisy_room_ends_too(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    voice = speak("十二号")
    sound = after(hush(2), voice, hush(1.5)).astype(np.float32)
    loud = np.sqrt(np.mean(voice.astype(np.float32) ** 2))
    sound += np.random.default_rng(5).standard_normal(len(sound)) * loud / 10 ** (15 / 20)
    ears = AnswerListener(model, [p.text for p in phrasebook.phrases(SEATS)], floor=-35)
    ((time, heard),) = feed(ears, sound.clip(-32768, 32767).astype(np.int16))
    assert heard.text == "十二号"
    assert time - 2 - len(voice) / RATE <= 0.7


def test_silence_is_timed_and_hears_nothing(model: RecogniserModel, phrasebook: Phrasebook) -> None:
    ears = listen_for(model, phrasebook)
    assert feed(ears, hush(3)) == []
    assert ears.silence == pytest.approx(3, abs=0.03)


def test_silence_is_nought_while_somebody_speaks(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    ears = listen_for(model, phrasebook)
    assert feed(ears, after(hush(2), speak("三号")[: RATE // 4])) == []
    assert ears.silence == 0


def test_a_knock_is_no_answer(model: RecogniserModel, phrasebook: Phrasebook, speak: Speak) -> None:
    knock = np.zeros(640, np.int16)
    knock[:320] = 20_000 * np.exp(-np.arange(320) / 40) * np.cos(np.arange(320) / 4)
    found = feed(listen_for(model, phrasebook), after(hush(1), knock, hush(1), speak("三号"), hush(1)))
    assert texts(found) == ["三号"]


def test_somebody_who_talks_on_and_on_is_cut_off_and_not_understood(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    talk = after(*[speak("我觉得昨天晚上的事情非常奇怪而且大家都没有注意到") for _ in range(4)])
    found = feed(listen_for(model, phrasebook), after(hush(1), talk, hush(1)))
    time, heard = found[0]
    assert time <= 9.1
    assert understand(heard, SEATS, phrasebook).__class__.__name__ == "Unclear"


def test_a_command_interrupts_a_question(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    asked = Expectation(Kind.VOTES, commands=("pause", "eject"))
    for text, command in (("法官暂停", Command("pause")), ("法官三号出局", Command("eject", seat=3))):
        ((_, heard),) = feed(listen_for(model, phrasebook, asked), after(hush(1), speak(text), hush(1)))
        assert understand(heard, asked, phrasebook) == command


def test_talk_about_something_else_is_no_clear_seat(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    for text in ("我们明天去吃饭吧", "他今天看起来很高兴", "这个问题不好说"):
        for _, heard in feed(listen_for(model, phrasebook), after(hush(1), speak(text), hush(1))):
            assert not isinstance(understand(heard, SEATS, phrasebook), Answer), text


def test_every_question_gets_a_fresh_recogniser_and_no_grammar_is_ever_changed(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    import vosk

    made: list[Any] = []

    class Watched(vosk.KaldiRecognizer):  # type: ignore[misc]
        def __init__(self, *args: Any) -> None:
            made.append(self)
            super().__init__(*args)

        def SetGrammar(self, grammar: str) -> None:  # noqa: N802
            raise AssertionError("changing a grammar can end the process")

    monkeypatch.setattr(vosk, "KaldiRecognizer", Watched)
    for text in ("三号", "五号"):
        assert texts(feed(listen_for(model, phrasebook), after(hush(1), speak(text), hush(1)))) == [text]
    assert len(made) == len(set(map(id, made))) >= 2
