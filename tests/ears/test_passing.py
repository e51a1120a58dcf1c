"""A player talks for a minute; only a 过 that stands alone ends it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from quiet_room import RATE, Speak, after, feed, hush, texts

from narrator.ears.model import RecogniserModel
from narrator.ears.passing import PassListener, PassSettings
from narrator.ears.rehearing import Hearing
from narrator.understanding.phrasebook import Phrasebook

pytestmark = pytest.mark.audio

TALK = (
    "我过去觉得三号不太对",
    "他说过他是警察",
    "中国人都知道这个道理",
    "果然昨天晚上死的是五号",
    "不过我还是相信他",
    "说完了这句话我再补充一点",
)


def listen(model: RecogniserModel, phrasebook: Phrasebook) -> PassListener:
    commands = [phrase.text for phrase in phrasebook.commands(phrasebook.command)]
    return PassListener(model, phrasebook.done, commands)


@pytest.mark.parametrize("text", ["过", "说完了", "我说完了", "发言完毕"])
def test_a_speech_ends_within_half_a_second_of_its_last_word(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, text: str
) -> None:
    speech = after(hush(0.6), speak("我觉得七号很可疑"), hush(0.4), speak(text))
    ((time, heard),) = feed(listen(model, phrasebook), after(speech, hush(0.6)))
    assert heard.text == text
    assert heard.endpoint == time
    assert 0.2 <= time - len(speech) / RATE <= 0.5
    assert heard.words[-1].end == pytest.approx(len(speech) / RATE, abs=0.15)


def test_a_player_may_pass_at_once(model: RecogniserModel, phrasebook: Phrasebook, speak: Speak) -> None:
    assert texts(feed(listen(model, phrasebook), after(speak("过"), hush(0.6)))) == ["过"]


@pytest.mark.parametrize("gap", [0.0, 0.15, 0.8])
def test_the_same_sound_inside_talk_ends_nothing(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, gap: float
) -> None:
    talk = after(hush(0.5), *(part for text in TALK for part in (speak(text), hush(gap))), hush(1))
    assert texts(feed(listen(model, phrasebook), talk)) == []


def test_a_word_tied_to_what_comes_next_ends_nothing(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    tied = after(hush(1), speak("过"), hush(0.12), speak("他是好人"), hush(1))
    assert texts(feed(listen(model, phrasebook), tied)) == []
    tied = after(hush(1), speak("他是好人"), hush(0.1), speak("过"), hush(1))
    assert texts(feed(listen(model, phrasebook), tied)) == []


def test_a_pause_too_short_to_end_starts_the_wait_afresh(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    speech = after(hush(1), speak("他是好人"), hush(0.3), speak("过"), hush(0.6))
    assert texts(feed(listen(model, phrasebook), speech)) == ["过"]


def test_the_judge_may_break_in(model: RecogniserModel, phrasebook: Phrasebook, speak: Speak) -> None:
    talk = after(hush(0.5), speak(TALK[0]), hush(0.5), speak("法官暂停"), hush(0.5), speak(TALK[1]), hush(1))
    assert texts(feed(listen(model, phrasebook), talk)) == ["法官暂停"]


def test_other_lone_syllables_end_nothing(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    for text in ("好", "是", "嗯", "三", "不", "他", "对", "这个", "所以", "然后"):
        assert texts(feed(listen(model, phrasebook), after(hush(1), speak(text), hush(1)))) == [], text


def test_knocks_and_steady_noise_end_nothing(model: RecogniserModel, phrasebook: Phrasebook) -> None:
    noise = (np.random.default_rng(2).standard_normal(10 * RATE) * 3000).astype(np.int16)
    knock = (20_000 * np.exp(-np.arange(640) / 60) * np.cos(np.arange(640) / 4)).astype(np.int16)
    sound = after(hush(1), noise, hush(1), knock, hush(1), knock, hush(1))
    assert feed(listen(model, phrasebook), sound) == []


def test_what_is_remembered_of_a_long_speech_is_bounded(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    ears = listen(model, phrasebook)
    monologue = after(*[speak(text) for text in TALK] * 4)
    longest = 0
    for start in range(0, len(monologue) - 319, 320):
        assert ears.feed(monologue[start : start + 320]) is None
        island = ears._island
        longest = max(longest, 0 if island is None else len(island.sound))
    assert 0 < longest <= 4.2 * 50
    assert len(monologue) / RATE > 30


def in_noise(model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, near_noise: float) -> list[str]:
    """What ends a speech of one 完毕; less than ``near_noise`` dB above the room it is heard again."""
    listener = PassListener(model, phrasebook.done, settings=PassSettings(near_noise=near_noise))
    return texts(feed(listener, after(hush(1), speak("完毕"), hush(0.6))))


def test_close_to_the_noise_every_throat_must_agree(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert in_noise(model, phrasebook, speak, near_noise=90) == ["完毕"], "the real hearings agree"
    dissent = (Hearing("说慢一点", 0.9), Hearing("完毕", 0.9))
    monkeypatch.setattr("narrator.ears.passing.hear_again", lambda *_: dissent)
    assert in_noise(model, phrasebook, speak, near_noise=90) == []
    assert in_noise(model, phrasebook, speak, near_noise=0) == ["完毕"], "far from it one hearing is enough"


def test_close_to_the_noise_a_hurried_phrase_must_sound_closer_to_it(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    def ends(whole: float, behind_more_hurried: float) -> list[str]:
        settings = PassSettings(near_noise=90, whole=whole, behind_more_hurried=behind_more_hurried)
        listener = PassListener(model, phrasebook.done, settings=settings)
        return texts(feed(listener, after(hush(1), speak("完毕"), hush(0.6))))

    usual = PassSettings()
    assert ends(usual.whole, -20.0) == ["完毕"], "it isn't hurried"
    assert ends(2.0, -20.0) == []
    assert ends(2.0, usual.behind_more_hurried) == ["完毕"], "however hurried, it is clear"


def test_the_tone_makes_a_lone_syllable_surer_and_never_less_sure(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(text: str, times: float, confidence: float) -> list[str]:
        monkeypatch.setattr("narrator.ears.passing.likelier", lambda *_: times)
        # 过 is heard here with a confidence of nearly 1 and close to what it sounds like.
        settings = PassSettings(confidence=confidence, behind=-1.0)
        listener = PassListener(model, phrasebook.done, settings=settings)
        return texts(feed(listener, after(hush(1), speak(text), hush(0.6))))

    assert ends("过", 1.0, 0.5) == [], "by its sound it is not close enough"
    assert ends("过", 20.0, 0.5) == ["过"]
    assert ends("过", 0.01, 0.5) == []
    monkeypatch.setattr("narrator.ears.passing.likelier", lambda *_: 0.01)
    usual = PassListener(model, phrasebook.done)
    assert texts(feed(usual, after(hush(1), speak("过"), hush(0.6)))) == ["过"], "as without a tone"


def test_a_longer_phrase_is_not_asked_for_its_tone(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("narrator.ears.passing.likelier", None)
    listener = PassListener(model, phrasebook.done)
    assert texts(feed(listener, after(hush(1), speak("说完了"), hush(0.6)))) == ["说完了"]


def test_a_long_phrase_with_an_accent_must_be_heard_surely_by_every_throat(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(text: str, again: tuple[Hearing, ...], **near: float) -> list[str]:
        monkeypatch.setattr("narrator.ears.passing.hear_again", lambda *_: again)
        # By the usual measure nothing comes close enough to what it sounds like.
        settings = replace(PassSettings(behind=-50.0, behind_agreed=30.0), **near)  # type: ignore[arg-type]
        listener = PassListener(model, phrasebook.done, settings=settings)
        return texts(feed(listener, after(hush(1), speak(text), hush(0.6))))

    sure = (Hearing("说完了", 0.95), Hearing("说完了", 0.99))
    assert ends("说完了", sure) == ["说完了"]
    assert ends("说完了", (Hearing("说完了", 0.95), Hearing("说完了", 0.8))) == []
    assert ends("说完了", (Hearing("说完了", 0.95), Hearing("说话", 0.95))) == []
    assert ends("说完了", sure, far_from_noise=90) == [], "noise sounds like anything"
    assert ends("说完了", sure, behind_agreed=-60.0) == []
    assert ends("完毕", (Hearing("完毕", 0.99), Hearing("完毕", 0.99))) == [], "it is too short"
