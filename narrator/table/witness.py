"""Those who watch a game: the screen, the journal, the players of a rehearsal."""

from __future__ import annotations

from narrator.heard import Heard
from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.inputs import Input
from narrator.mouth.voicepack import VoicePack
from narrator.understanding.phrasebook import Phrasebook


class Witness:
    """Does nothing at every event; subclass and override what matters. Never changes the game."""

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        """A line begins; ``silent`` when its sound is missing and only the text can be shown."""

    def opened(self, expect: Expect) -> None:
        """The microphone (or keypad) has just opened for an answer."""

    def heard(self, heard: Heard, event: Input) -> None:
        """Something was heard or typed, and this is what it was taken for."""

    def taken(self, event: Input) -> None:
        """An input goes to the moderator; it has not taken effect yet."""

    def noted(self, note: Note) -> None:
        """The moderator wants something remembered."""

    def reworded(self, pack: VoicePack, phrasebook: Phrasebook) -> None:
        """From here on another voice pack is spoken, and its phrases are understood."""

    def told(self, key: str, **params: object) -> None:
        """Something about the devices that people should know, as a key of the messages."""
