"""What a terminal shows of a game: the lines as they are said, public answers, and never a secret."""

from __future__ import annotations

from collections.abc import Callable

from narrator.heard import Heard
from narrator.messages import message
from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.inputs import Input, Unclear
from narrator.mouth.voicepack import VoicePack
from narrator.table.examples import examples
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook


class Screen(Witness):
    """Prints the game. With ``reveal`` private answers are shown as well."""

    def __init__(
        self,
        pack: VoicePack,
        phrasebook: Phrasebook,
        keyboard: bool,
        reveal: bool = False,
        write: Callable[[str], None] = print,
    ) -> None:
        self._pack = pack
        self._phrasebook = phrasebook
        self._keyboard = keyboard
        self._reveal = reveal
        self._write = write
        self._private = False

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        """A line is said, or only shown."""
        self._write(f"🔊 {text}" if not silent else f"📖 {text}")

    def opened(self, expect: Expect) -> None:
        """An answer is expected; at a keyboard a few examples help."""
        self._private = expect.expectation.private
        if not self._keyboard:
            return
        given = examples(expect.expectation, self._phrasebook)
        self._write(message("screen_prompt", examples=" / ".join(given)))

    def heard(self, heard: Heard, event: Input) -> None:
        """What was heard or typed."""
        if self._private and not self._reveal:
            self._write("   ***")
        elif not heard.typed or self._private:
            unclear = " ?" if isinstance(event, Unclear) else ""
            self._write(f"   « {heard.text}{unclear} »")

    def noted(self, note: Note) -> None:
        """Nothing of the moderator's memory is shown but that a code sheet is ready."""

    def reworded(self, pack: VoicePack, phrasebook: Phrasebook) -> None:
        """Examples are given in the words that are understood."""
        self._phrasebook = phrasebook

    def told(self, key: str, **params: object) -> None:
        """Something about the devices."""
        self._write(message(key, **params))
