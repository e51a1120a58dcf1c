"""How answers reach the program: through ears where the table has any, else typed."""

from __future__ import annotations

from functools import cache

from noticed import Keyboard, Room, phrasebook

from narrator.heard import Heard
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command

Value = int | str | bool | None


class WayIn:
    """Says or types; what is secret and has no voice is typed at every table."""

    def __init__(self, room: Room, keyboard: Keyboard, hears: bool) -> None:
        self._room = room
        self._keyboard = keyboard
        self._hears = hears

    def say(self, expectation: Expectation, value: Value, doubtful: bool = False) -> None:
        """Answer so that it is understood, if perhaps with a doubt."""
        if self._by_voice(expectation):
            text = phrase_for(expectation, value)
            self._room.coming = Heard(text, confidence=0.6 if doubtful else 1.0)
        elif expectation.kind is Kind.SEAT:
            self._keyboard.line = "-" if value is None else str(value)
        else:
            self._keyboard.line = phrase_for(expectation, value)

    def mumble(self, expectation: Expectation) -> None:
        """Say something that can't be understood."""
        if self._by_voice(expectation):
            self._room.coming = Heard("[unk]", confidence=0.4)
        else:
            self._keyboard.line = "恐龙"

    def command(self, expectation: Expectation, name: str, seat: int | None) -> None:
        """Give a judge's command."""
        wanted = Command(name, seat)
        text = next(phrase.text for phrase in phrasebook().commands([name]) if phrase.meaning == wanted)
        if self._by_voice(expectation):
            self._room.coming = Heard(text)
        else:
            self._keyboard.line = text

    def _by_voice(self, expectation: Expectation) -> bool:
        return self._hears and expectation.voice


@cache
def phrase_for(expectation: Expectation, value: Value) -> str:
    """A phrase that means ``value``; digits where there is none."""
    wanted = Answer(expectation.kind, value)
    phrases = phrasebook().phrases(expectation)
    found = next((phrase.text for phrase in phrases if phrase.meaning == wanted), None)
    return str(value) if found is None else found
