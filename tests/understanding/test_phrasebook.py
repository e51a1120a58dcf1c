"""The phrase file: complete, and refused with a reason when somebody breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.faults import Fault
from narrator.heard import Heard
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Command, Unclear, Why
from narrator.resources import voices_folder
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

FILE = voices_folder() / "zh-CN" / "phrases.toml"


def broken(tmp_path: Path, old: str, new: str) -> str:
    """Why the phrase file is refused after replacing ``old`` by ``new``."""
    text = FILE.read_text(encoding="utf-8")
    assert old in text
    changed = tmp_path / "phrases.toml"
    changed.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Fault) as caught:
        load_phrasebook(changed)
    assert caught.value.key == "broken_phrases"
    assert caught.value.params["file"] == changed
    return str(caught.value.params["why"])


def test_all_numbers_can_be_said_whatever_is_legal_now(phrasebook: Phrasebook) -> None:
    for kind in (Kind.SEAT, Kind.VOTES, Kind.NUMBER, Kind.PLAYERS):
        values = {phrase.meaning.value for phrase in phrasebook.phrases(Expectation(kind))}  # type: ignore[union-attr]
        assert values == set(range(18))


def test_a_number_that_was_never_meant_is_not_listened_for_in_any_form(phrasebook: Phrasebook) -> None:
    phrases = phrasebook.phrases(Expectation(Kind.SEAT, none=True, but=(2, 9)))
    values = {phrase.meaning.value for phrase in phrases}  # type: ignore[union-attr]
    assert values == {None, *range(18)} - {2, 9}
    assert not {"二号", "两号", "九号玩家"} & {phrase.text for phrase in phrases}


def test_a_question_offers_no_phrase_twice(phrasebook: Phrasebook) -> None:
    for kind in Kind:
        choices = tuple(phrasebook.choice) if kind is Kind.CHOICE else ()
        texts = [phrase.text for phrase in phrasebook.phrases(Expectation(kind, choices=choices))]
        assert len(texts) == len(set(texts))


def test_the_same_question_is_worked_out_once(phrasebook: Phrasebook) -> None:
    assert phrasebook.phrases(Expectation(Kind.SEAT)) is phrasebook.phrases(Expectation(Kind.SEAT))


def test_an_unknown_choice_or_command_is_a_mistake_of_the_program(phrasebook: Phrasebook) -> None:
    for expectation in (
        Expectation(Kind.CHOICE, choices=("tea",)),
        Expectation(Kind.PASS, commands=("tea",)),
    ):
        with pytest.raises(KeyError):
            phrasebook.phrases(expectation)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('17 = ["十七"]', "", "[numbers] 17 must be a list of phrases"),
        ('3 = ["三"]', "3 = []", "[numbers] 3 must be a list of phrases"),
        ('3 = ["三"]', '3 = ["四"]', "“四号” means two things for seat"),
        ('yes = ["是",', 'yes = ["不是",', "“不是” means two things for yesno"),
        ('seat = ["{n}号",', 'seat = ["号",', "[units] seat: every form needs {n} once"),
        ("[yesno]", "[yesnoo]", "[yesno] is missing or empty"),
        ("[zero]", '[zero]\ntea = ["茶"]', "[zero] tea is no kind of number"),
        ("unit = 0.75", "unit = 7", "[policy.clear] unit must be a number from 0 to 1"),
        ("near_noise = 16", "near_noise = -1", "[policy] near_noise must be a number from 0 to 60"),
        ("drowned = 12.5", "drowned = []", "[policy] drowned must be a number from 0 to 60"),
        ("unsure = ", "unsure = true #", "[policy] unsure must be a number from 0 to 1"),
        ('"號" = "号"', '"號" = 1', "[script] must hold texts only"),
        ("[confusable]", "[confusable]\n99 = 0.5", "[confusable] 99 is no number from 0 to 17"),
        ("syllables_per_edit = 4", "syllables_per_edit = 0", "must be a whole number above 0"),
        ("[numbers]", "[numbers", "Expected"),
    ],
)
def test_a_broken_file_is_refused_with_the_reason(tmp_path: Path, old: str, new: str, why: str) -> None:
    assert why in broken(tmp_path, old, new)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        load_phrasebook(tmp_path / "none.toml")
    assert caught.value.key == "broken_phrases"


def test_of_what_only_the_keypad_may_answer_nothing_but_commands_can_be_said(phrasebook: Phrasebook) -> None:
    keypad = Expectation(
        Kind.SEAT, none=True, voice=False, private=True, commands=("pause", "eject"), but=(3,)
    )
    aloud = keypad.aloud()
    assert (aloud.voice, aloud.private, aloud.only_commands) == (True, True, True)
    phrases = phrasebook.phrases(aloud)
    assert {phrase.meaning for phrase in phrases} == {
        Command("pause"),
        *(Command("eject", seat) for seat in range(18)),
    }
    assert all(phrase.text.startswith("法官") for phrase in phrases)
    assert understand(Heard("法官暂停"), aloud, phrasebook) == Command("pause")
    for secret in ("三号", "没有", "三"):
        assert understand(Heard(secret), aloud, phrasebook) == Unclear(Why.UNKNOWN)
    by_voice = Expectation(Kind.SEAT)
    assert by_voice.aloud() is by_voice
    assert not by_voice.only_commands
