"""What a table says, and what the moderator takes it to mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from narrator.heard import Heard
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Certainty, Command, Unclear, Why
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook

SEAT = Expectation(Kind.SEAT, none=True, commands=("pause", "eject", "warn"))
VOTES = Expectation(Kind.VOTES)
NUMBER = Expectation(Kind.NUMBER)
YESNO = Expectation(Kind.YESNO)
CLEAR, DOUBTFUL = Certainty.CLEAR, Certainty.DOUBTFUL


def said(text: str, confidence: float = 0.99, rivals: tuple[str, ...] = ()) -> Heard:
    return Heard(text, confidence=confidence, rivals=rivals)


def typed(text: str) -> Heard:
    return Heard(text, typed=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三号", 3),
        ("三号玩家", 3),
        ("幺号", 1),
        ("两号", 2),
        ("十七号", 17),
        ("没有", None),
        ("平安夜", None),
    ],
)
def test_a_seat_is_named_in_several_ways(phrasebook: Phrasebook, text: str, value: int | None) -> None:
    assert understand(said(text), SEAT, phrasebook) == Answer(Kind.SEAT, value, CLEAR)


@pytest.mark.parametrize(
    ("text", "value"), [("五票", 5), ("两票", 2), ("没有", 0), ("零票", 0), ("十六票", 16)]
)
def test_votes_are_counted_aloud(phrasebook: Phrasebook, text: str, value: int) -> None:
    assert understand(said(text), VOTES, phrasebook) == Answer(Kind.VOTES, value, CLEAR)


@pytest.mark.parametrize("text", ["无", "無", "-"])
def test_the_word_that_sounds_like_five_is_only_typed(phrasebook: Phrasebook, text: str) -> None:
    assert understand(typed(text), SEAT, phrasebook) == Answer(Kind.SEAT, None, CLEAR)
    assert understand(typed(text), VOTES, phrasebook) == Answer(Kind.VOTES, 0, CLEAR)
    assert text not in {phrase.text for phrase in phrasebook.phrases(SEAT)}


def test_nobody_is_no_seat_where_somebody_is_needed(phrasebook: Phrasebook) -> None:
    assert understand(said("没有"), Expectation(Kind.SEAT), phrasebook) == Unclear(Why.UNKNOWN)


@pytest.mark.parametrize("text", ["四三号", "三四号", "号", "三号不好", "一百号", "三号[unk]", "[unk]", ""])
def test_an_utterance_that_only_contains_a_seat_names_none(phrasebook: Phrasebook, text: str) -> None:
    assert understand(said(text), SEAT, phrasebook) == Unclear(Why.UNKNOWN)


@pytest.mark.parametrize("number", range(18))
def test_no_number_is_ever_taken_for_another(phrasebook: Phrasebook, number: int) -> None:
    """Cut, doubled or mixed with any other number, it means itself or nothing."""
    for other in range(18):
        for mine in phrasebook.numbers[number]:
            for its in phrasebook.numbers[other]:
                # Two numbers in one breath may make a third (十 and 一): then that one was said.
                meant = understand(said(f"{mine}{its}号"), SEAT, phrasebook)
                spelled: list[int | None] = [
                    value for value, forms in phrasebook.numbers.items() if mine + its in forms
                ]
                assert [getattr(meant, "value", None)] == (spelled or [None])


def test_an_answer_may_be_said_twice_in_one_breath(phrasebook: Phrasebook) -> None:
    assert understand(said("三号三号"), SEAT, phrasebook) == Answer(Kind.SEAT, 3, CLEAR)
    assert understand(said("三号四号"), SEAT, phrasebook) == Unclear(Why.UNKNOWN)
    assert understand(said("三三"), SEAT, phrasebook) == Unclear(Why.UNKNOWN)


def test_a_not_is_never_lost_or_added(phrasebook: Phrasebook) -> None:
    assert understand(said("不是的"), YESNO, phrasebook) == Answer(Kind.YESNO, False, CLEAR)
    assert understand(said("是"), YESNO, phrasebook) == Answer(Kind.YESNO, True, CLEAR)
    for text in ("不是[unk]", "不可以", "[unk]是"):
        assert understand(said(text), YESNO, phrasebook) == Unclear(Why.UNKNOWN)


@pytest.mark.parametrize("kind", [Kind.SEAT, Kind.VOTES, Kind.NUMBER, Kind.YESNO])
def test_the_surer_it_was_heard_the_surer_it_is_taken(phrasebook: Phrasebook, kind: Kind) -> None:
    expectation = Expectation(kind)
    policy = phrasebook.policy
    for phrase in phrasebook.phrases(expectation):
        sure = understand(said(phrase.text, 1.0), expectation, phrasebook)
        unsure = understand(said(phrase.text, policy.unsure - 0.01), expectation, phrasebook)
        middling = understand(said(phrase.text, policy.unsure + 0.01), expectation, phrasebook)
        assert isinstance(sure, Answer)
        assert isinstance(middling, Answer)
        assert (sure.certainty, middling.certainty) == (CLEAR, DOUBTFUL)
        assert unsure == Unclear(Why.UNSURE)


def test_a_bare_number_needs_more_than_one_with_its_unit(phrasebook: Phrasebook) -> None:
    assert understand(said("五号", 0.85), NUMBER, phrasebook) == Answer(Kind.NUMBER, 5, CLEAR)
    assert understand(said("五", 0.85), NUMBER, phrasebook) == Answer(Kind.NUMBER, 5, DOUBTFUL)


def test_eight_is_asked_about_sooner_than_five_because_two_sounds_like_it(phrasebook: Phrasebook) -> None:
    assert understand(said("八号", 0.85), NUMBER, phrasebook) == Answer(Kind.NUMBER, 8, DOUBTFUL)
    assert understand(said("五号", 0.85), NUMBER, phrasebook) == Answer(Kind.NUMBER, 5, CLEAR)


def test_a_yes_is_taken_sooner_than_a_number_and_so_is_nobody(phrasebook: Phrasebook) -> None:
    assert understand(said("对", 0.65), YESNO, phrasebook) == Answer(Kind.YESNO, True, CLEAR)
    votes = Expectation(Kind.VOTES)
    assert understand(said("没有", 0.65), votes, phrasebook) == Answer(Kind.VOTES, 0, CLEAR)
    assert understand(said("零票", 0.65), votes, phrasebook) == Answer(Kind.VOTES, 0, DOUBTFUL)


def test_close_to_the_noise_even_a_unit_must_be_surer(phrasebook: Phrasebook) -> None:
    near, far = replace(said("五号", 0.85), above=12.0), replace(said("五号", 0.85), above=25.0)
    assert understand(near, NUMBER, phrasebook) == Answer(Kind.NUMBER, 5, DOUBTFUL)
    assert understand(far, NUMBER, phrasebook) == Answer(Kind.NUMBER, 5, CLEAR)
    assert understand(replace(near, confidence=0.95), NUMBER, phrasebook) == Answer(Kind.NUMBER, 5, CLEAR)


def test_in_deep_noise_one_syllable_is_no_sure_end_of_a_speech(phrasebook: Phrasebook) -> None:
    speech = Expectation(Kind.PASS)
    for text, above, certainty in (("过", 12.4, DOUBTFUL), ("过", 12.5, CLEAR), ("完毕", 5.0, CLEAR)):
        heard = replace(said(text, 1.0), above=above)
        assert understand(heard, speech, phrasebook) == Answer(Kind.PASS, True, certainty)


def test_what_is_heard_again_as_something_else_is_asked_about(phrasebook: Phrasebook) -> None:
    assert understand(said("一号", 0.96, ("七号",)), SEAT, phrasebook) == Answer(Kind.SEAT, 1, DOUBTFUL)
    assert understand(said("一号", 0.96, ("一号玩家",)), SEAT, phrasebook) == Answer(Kind.SEAT, 1, CLEAR)
    assert understand(said("一号", 0.96, ("[unk]",)), SEAT, phrasebook) == Answer(Kind.SEAT, 1, DOUBTFUL)
    assert understand(said("一号", 0.96, ("",)), SEAT, phrasebook) == Answer(Kind.SEAT, 1, DOUBTFUL)


def test_a_hearing_in_which_nothing_was_understood_saves_no_weak_answer(phrasebook: Phrasebook) -> None:
    assert understand(said("一", 0.43, ("[unk]",)), SEAT, phrasebook) == Unclear(Why.UNSURE)


def test_a_doubt_between_two_known_answers_is_worth_a_question(phrasebook: Phrasebook) -> None:
    assert understand(said("一", 0.43, ("七",)), SEAT, phrasebook) == Answer(Kind.SEAT, 1, DOUBTFUL)
    assert understand(said("一", 0.43), SEAT, phrasebook) == Unclear(Why.UNSURE)
    assert understand(said("一", 0.1, ("七",)), SEAT, phrasebook) == Unclear(Why.UNSURE)


def test_the_judges_commands_need_their_prefix_when_spoken(phrasebook: Phrasebook) -> None:
    assert understand(said("法官暂停"), SEAT, phrasebook) == Command("pause")
    assert understand(said("暂停"), SEAT, phrasebook) == Unclear(Why.UNKNOWN)
    assert understand(said("法官三号出局"), SEAT, phrasebook) == Command("eject", seat=3)
    assert understand(said("法官警告十二号"), SEAT, phrasebook) == Command("warn", seat=12)


def test_a_command_that_is_not_legal_now_is_not_understood(phrasebook: Phrasebook) -> None:
    assert understand(said("法官撤销"), SEAT, phrasebook) == Unclear(Why.UNKNOWN)


def test_a_long_command_may_lose_a_syllable_but_never_its_seat(phrasebook: Phrasebook) -> None:
    assert understand(said("法官三号出"), SEAT, phrasebook) == Command("eject", 3, DOUBTFUL)
    assert understand(said("法官[unk]三号出局"), SEAT, phrasebook) == Command("eject", 3, DOUBTFUL)
    assert understand(said("法官号出局"), SEAT, phrasebook) == Unclear(Why.UNKNOWN)
    assert understand(said("法官三号出", 0.3), SEAT, phrasebook) == Unclear(Why.UNSURE)


def test_a_speech_is_never_ended_by_something_merely_like_it(phrasebook: Phrasebook) -> None:
    passing = Expectation(Kind.PASS, commands=("more_time",))
    assert understand(said("我说完了"), passing, phrasebook) == Answer(Kind.PASS, True)
    assert understand(said("我说了"), passing, phrasebook) == Unclear(Why.UNKNOWN)
    assert understand(said("法官加时"), passing, phrasebook) == Command("more_time")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("3", Answer(Kind.SEAT, 3)),
        (" 12号 ", Answer(Kind.SEAT, 12)),
        ("３号", Answer(Kind.SEAT, 3)),
        ("十二號", Answer(Kind.SEAT, 12)),
        ("03", Answer(Kind.SEAT, 3)),
        ("san hao", Answer(Kind.SEAT, 3)),
        ("-", Answer(Kind.SEAT, None)),
        ("沒有", Answer(Kind.SEAT, None)),
        ("法官，暂停", Command("pause")),
        ("暂停", Command("pause")),
        ("zanting", Command("pause")),
        ("3号出局", Command("eject", seat=3)),
        ("18", Unclear(Why.UNKNOWN)),
        ("3 4", Unclear(Why.UNKNOWN)),
        ("10 3", Unclear(Why.UNKNOWN)),
        ("-3", Unclear(Why.UNKNOWN)),
        ("3.5", Unclear(Why.UNKNOWN)),
        ("0x3", Unclear(Why.UNKNOWN)),
        ("", Unclear(Why.UNKNOWN)),
        ("九九九九九九九九九九九九", Unclear(Why.UNKNOWN)),
    ],
)
def test_the_keyboard_speaks_the_same_language(
    phrasebook: Phrasebook, text: str, meaning: Answer | Command | Unclear
) -> None:
    assert understand(typed(text), SEAT, phrasebook) == meaning


def test_what_is_typed_is_always_clear(phrasebook: Phrasebook) -> None:
    for text, value in (("8", 8), ("一", 1), ("七票", 7)):
        assert understand(typed(text), VOTES, phrasebook) == Answer(Kind.VOTES, value, CLEAR)


def test_yes_and_no_may_be_abbreviated(phrasebook: Phrasebook) -> None:
    for text, value in (("y", True), ("YES", True), ("n", False), ("不是", False), ("对", True)):
        assert understand(typed(text), YESNO, phrasebook) == Answer(Kind.YESNO, value)


def test_a_choice_is_one_of_those_on_offer(phrasebook: Phrasebook) -> None:
    expectation = Expectation(Kind.CHOICE, choices=("ruleset.standard", "ruleset.classic"))
    assert understand(said("经典版"), expectation, phrasebook) == Answer(Kind.CHOICE, "ruleset.classic")
    assert understand(said("标准"), expectation, phrasebook) == Answer(Kind.CHOICE, "ruleset.standard")
    assert understand(said("键盘"), expectation, phrasebook) == Unclear(Why.UNKNOWN)
