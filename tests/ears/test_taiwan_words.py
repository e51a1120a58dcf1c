"""A table in Taiwan is heard by the same model: its characters are spelled by sound."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quiet_room import Speak, after, feed, hush

from narrator.ears.endpoint import AnswerListener
from narrator.ears.model import RecogniserModel
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command
from narrator.resources import voices_folder
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

pytestmark = pytest.mark.audio

YESNO = Expectation(
    Kind.YESNO, commands=("undo", "repeat", "pause", "resume", "own_rules", "guide"), at_ease=True
)


@pytest.fixture(scope="module")
def taiwan() -> Phrasebook:
    return load_phrasebook(voices_folder() / "zh-TW" / "phrases.toml")


@pytest.mark.parametrize(
    ("text", "asked", "meaning"),
    [
        ("三號", Expectation(Kind.SEAT), Answer(Kind.SEAT, 3)),
        ("沒有票", Expectation(Kind.VOTES), Answer(Kind.VOTES, 0)),
        ("確認", YESNO, Answer(Kind.YESNO, True)),
        ("法官收回", YESNO, Command("undo")),
        ("法官重複", YESNO, Command("repeat")),
        ("自訂", YESNO, Command("own_rules")),
        ("新手教學", YESNO, Command("guide")),
        ("平手", Expectation(Kind.CHOICE, ("winner.killers", "winner.good", "winner.draw")), None),
        ("跟殺手一樣多", Expectation(Kind.COUNT, ("last_words.killers", "last_words.all")), None),
    ],
)
def test_what_only_this_table_says_is_understood(
    model: RecogniserModel,
    taiwan: Phrasebook,
    speak: Speak,
    text: str,
    asked: Expectation,
    meaning: Answer | Command | None,
) -> None:
    phrases = taiwan.phrases(asked)
    wanted = meaning or next(phrase.meaning for phrase in phrases if phrase.text == text)
    listener = AnswerListener(model, [phrase.text for phrase in phrases])
    heard = feed(listener, after(hush(0.5), speak(text), hush(0.8)))
    assert heard
    understood = understand(heard[0][1], asked, taiwan)
    assert isinstance(understood, Answer | Command), heard
    assert replace(understood, certainty=wanted.certainty) == wanted
