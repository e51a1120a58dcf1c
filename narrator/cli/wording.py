"""The words that a table is spoken to in, exchanged for those of another region when it asks for them."""

from __future__ import annotations

from collections.abc import Callable

from narrator.cli.parts import open_pack, open_phrases, voice_folder
from narrator.cli.speaking import prepare_ahead, voices_for
from narrator.faults import Fault
from narrator.mouth.speech import Mouth
from narrator.mouth.voicepack import VoicePack
from narrator.table.houserules import Words
from narrator.table.listening import Ears
from narrator.table.settings import Settings
from narrator.understanding.phrasebook import Phrasebook


class Wordings:
    """Has mouth and ears use another voice pack whenever the table wants to.

    ``words`` are those of now. ``voice`` is the recorded voice asked for at this start, ``silent`` says that
    nothing is said aloud, and ``told`` takes what is wrong with a pack that can't be used.
    """

    def __init__(
        self,
        words: Words,
        settings: Settings,
        voice: str | None,
        mouth: Mouth,
        ears: Ears | None,
        told: Callable[..., None],
        silent: bool,
    ) -> None:
        self.words = words
        self._settings = settings
        self._voice = voice
        self._mouth = mouth
        self._ears = ears
        self._told = told
        self._silent = silent

    def change(self, locale: str) -> tuple[VoicePack, Phrasebook] | None:
        """Use the pack of a locale from now on; None, and all stays as it is, where that can't be."""
        try:
            folder = voice_folder(locale, None)
            words = self.words.in_other_words(open_pack(folder, self._settings), open_phrases(folder))
            voices = voices_for(words.pack, self._voice, self._settings)
        except Fault as fault:
            self._told(fault.key, **fault.params)
            return None
        self.words = words
        self._mouth.reword(words.pack, () if self._silent else voices)
        if not self._silent:
            prepare_ahead(self._mouth)
        if self._ears is not None:
            self._ears.learn(words.phrasebook)
        return words.pack, words.phrasebook
