"""试音 sounds almost like 十一, and both may be said when the lobby asks how many there are."""

from __future__ import annotations

import pytest
from quiet_room import Speak, after, feed, hush

from narrator.ears.model import RecogniserModel
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command
from narrator.moderator.lobby import LOBBY_COMMANDS
from narrator.table.listening import listener
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Phrasebook

pytestmark = pytest.mark.audio

PLAYERS = Expectation(Kind.PLAYERS, commands=LOBBY_COMMANDS, at_ease=True)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("试音", "sound_check"),
        ("法官试音", "sound_check"),
        ("试一下音", "sound_check"),
        ("十一", 11),
        ("十一个人", 11),
        ("十个人", 10),
        ("四个人", 4),
    ],
)
def test_the_wish_for_a_check_and_eleven_players_are_told_apart(
    model: RecogniserModel, phrasebook: Phrasebook, speak: Speak, text: str, meaning: str | int
) -> None:
    ears = listener(PLAYERS, model, phrasebook)
    ((_, heard),) = feed(ears, after(hush(0.5), speak(text), hush(0.9)))
    event = understand(heard, PLAYERS, phrasebook)
    assert isinstance(event, Answer | Command)
    assert (event.name if isinstance(event, Command) else event.value) == meaning
