"""The words of own rules and of the guide, through the real recogniser: none is taken for another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quiet_room import Speak, after, feed, hush

from narrator.ears.endpoint import AnswerListener
from narrator.ears.model import RecogniserModel
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.guide import NEXT, SKIP
from narrator.moderator.inputs import Answer, Command
from narrator.moderator.lobby import LOBBY_COMMANDS
from narrator.moderator.ownrules import knob_expectation
from narrator.moderator.sounds import WORDING_COMMANDS, WORDINGS
from narrator.resources import voices_folder
from narrator.rules.custom import knob_of
from narrator.rules.ruleset import load
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrase, Phrasebook, load_phrasebook

pytestmark = pytest.mark.audio

KNOBS = ("killers", "last_words", "checks", "vote", "tie", "speech", "cards", "peaceful")


def misheard(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, asked: Expectation, said: list[Phrase]
) -> list[str]:
    """Phrases that are not understood as they are meant, whether or not they would be asked back."""
    wrong = []
    texts = [phrase.text for phrase in phrasebook.phrases(asked)]
    for phrase in said:
        heard = feed(AnswerListener(model, texts), after(hush(0.5), speak(phrase.text), hush(0.8)))
        meant = understand(heard[0][1], asked, phrasebook) if heard else None
        if not isinstance(meant, Answer | Command):
            wrong.append(phrase.text)
        elif replace(meant, certainty=phrase.meaning.certainty) != phrase.meaning:
            wrong.append(f"{phrase.text} → {heard[0][1].text}")
    return wrong


@pytest.mark.parametrize("name", KNOBS)
def test_every_setting_of_a_knob_is_told_from_the_others(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, name: str
) -> None:
    asked = knob_expectation(knob_of(load("standard"), name))
    words = [
        phrase
        for phrase in phrasebook.phrases(asked)
        if isinstance(phrase.meaning, Answer) and phrase.meaning.kind is Kind.CHOICE
    ]
    assert words
    assert misheard(model, phrasebook, speak, asked, words) == []


def test_own_rules_and_the_guide_are_heard_among_yes_and_no(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    asked = Expectation(Kind.YESNO, commands=LOBBY_COMMANDS, at_ease=True)
    wanted = {"自定义", "新手提示", "改规则", "怎么玩", "确认", "不对"}
    said = [phrase for phrase in phrasebook.phrases(asked) if phrase.text in wanted]
    assert len(said) == len(wanted)
    assert misheard(model, phrasebook, speak, asked, said) == []


@pytest.mark.parametrize("kind", [Kind.YESNO, Kind.PLAYERS])
@pytest.mark.parametrize("locale", WORDINGS)
def test_a_wording_is_asked_for_in_the_words_of_either(
    model: RecogniserModel, speak: Speak, locale: str, kind: Kind
) -> None:
    phrases = load_phrasebook(voices_folder() / locale / "phrases.toml")
    asked = Expectation(kind, commands=LOBBY_COMMANDS, at_ease=True)
    said = [
        phrase
        for phrase in phrases.phrases(asked)
        if phrase.bare and isinstance(phrase.meaning, Command) and phrase.meaning.name in WORDING_COMMANDS
    ]
    assert len(said) == 6
    assert misheard(model, phrases, speak, asked, said) == []


def test_the_guide_is_skipped_by_a_word(model: RecogniserModel, phrasebook: Phrasebook, speak: Speak) -> None:
    asked = Expectation(Kind.CHOICE, (NEXT, SKIP))
    assert misheard(model, phrasebook, speak, asked, list(phrasebook.phrases(asked))) == []


def test_the_name_of_a_host_s_own_ruleset_is_heard(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak
) -> None:
    grown = replace(phrasebook, choice={**phrasebook.choice, "ruleset.friday": ("周五版",)})
    asked = Expectation(Kind.CHOICE, ("ruleset.standard", "ruleset.doctor", "ruleset.friday"))
    said = [phrase for phrase in grown.phrases(asked) if phrase.text == "周五版"]
    assert misheard(model, grown, speak, asked, said) == []
