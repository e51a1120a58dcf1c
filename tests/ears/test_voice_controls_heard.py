"""The host's voice controls through the real recogniser: none is taken for another, nor for an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quiet_room import Speak, after, feed, hush

from narrator.ears.model import RecogniserModel
from narrator.moderator.desk import AT_NIGHT, ON_THE_FLOOR
from narrator.moderator.dialog import EVER
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command
from narrator.moderator.lobby import LOBBY_COMMANDS
from narrator.table.listening import listener
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrase, Phrasebook

pytestmark = pytest.mark.audio

CONTROLS = ("help", "louder", "softer", "faster", "slower", "living", "day", "time_left", "more_time", "next")

SPEECH = Expectation(Kind.PASS, commands=(*ON_THE_FLOOR, *EVER))
CODE = Expectation(Kind.NUMBER, private=True, commands=(*AT_NIGHT, *EVER))
LOBBY = Expectation(Kind.YESNO, commands=(*LOBBY_COMMANDS, *EVER), at_ease=True)


def misheard(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, asked: Expectation, said: list[Phrase]
) -> list[str]:
    """Phrases that are not understood as they are meant, whether or not they would be asked back."""
    wrong = []
    for phrase in said:
        sound = after(hush(0.8), speak(phrase.text), hush(0.8))
        heard = feed(listener(asked, model, phrasebook), sound)
        meant = understand(heard[0][1], asked, phrasebook) if heard else None
        if not isinstance(meant, Answer | Command):
            wrong.append(phrase.text)
        elif replace(meant, certainty=phrase.meaning.certainty) != phrase.meaning:
            wrong.append(f"{phrase.text} → {heard[0][1].text}")
    return wrong


def controls(phrasebook: Phrasebook, asked: Expectation, *, bare: bool) -> list[Phrase]:
    """What may be said of the controls, with or without the prefix."""
    return [
        phrase
        for phrase in phrasebook.phrases(asked)
        if isinstance(phrase.meaning, Command) and phrase.meaning.name in CONTROLS and phrase.bare == bare
    ]


@pytest.mark.parametrize("asked", [SPEECH, CODE], ids=["speech", "code"])
def test_with_the_prefix_at_any_question(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, asked: Expectation
) -> None:
    said = controls(phrasebook, asked, bare=False)
    assert len(said) > 12
    assert misheard(model, phrasebook, speak, asked, said) == []


def test_without_it_in_the_lobby(model: RecogniserModel, phrasebook: Phrasebook, speak: Speak) -> None:
    said = controls(phrasebook, LOBBY, bare=True)
    assert len(said) > 12
    assert misheard(model, phrasebook, speak, LOBBY, said) == []


def test_yes_and_no_stay_yes_and_no(model: RecogniserModel, phrasebook: Phrasebook, speak: Speak) -> None:
    plain = Expectation(Kind.YESNO)
    said = [*phrasebook.phrases(plain)]
    alone = set(misheard(model, phrasebook, speak, plain, said))
    among = {text.split(" ")[0] for text in misheard(model, phrasebook, speak, LOBBY, said)}
    assert among <= {text.split(" ")[0] for text in alone}


@pytest.mark.parametrize(
    "text",
    [
        "你说慢一点",
        "他还活着吗",
        "大声说话的人",
        "今天是第几天了",
        "法官他说得快一点好",
        "法官几号出局了呀",
        "法官我还活着呢",
    ],
)
def test_talk_that_sounds_like_it_is_just_talk(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, text: str
) -> None:
    sound = after(hush(0.8), speak(text), hush(0.8), speak(text), hush(0.8))
    assert feed(listener(SPEECH, model, phrasebook), sound) == []
