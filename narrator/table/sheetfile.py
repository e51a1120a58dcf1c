"""The judge's code sheet of the game that begins: one file for the printer, one for a screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from narrator.faults import Fault
from narrator.moderator.effects import Note
from narrator.moderator.secrets import sheet_of
from narrator.mouth.voicepack import VoicePack
from narrator.table.sheet import as_html, as_text, load_titles, write_private
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook

NAME = "codes"


class SheetFile(Witness):
    """Writes every new code sheet to ``codes.html`` and ``codes.txt``, readable by their owner only."""

    def __init__(self, folder: Path, locale: str, told: Callable[..., None]) -> None:
        self._folder = folder
        self._locale = locale
        self._told = told

    def reworded(self, pack: VoicePack, phrasebook: Phrasebook) -> None:
        """The next sheet is written in the words that are spoken."""
        self._locale = pack.locale

    def noted(self, note: Note) -> None:
        """A game with a code sheet begins."""
        if note.what != "sheet":
            return
        sheet = sheet_of(note.data)
        titles = load_titles(self._locale)
        html, text = self._folder / f"{NAME}.html", self._folder / f"{NAME}.txt"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_private(html, as_html(sheet, titles))
            write_private(text, as_text(sheet, titles))
        except (OSError, Fault) as error:
            why = error.params["why"] if isinstance(error, Fault) else error
            self._told("sheet_unwritable", folder=self._folder, why=why)
            return
        self._told("sheet_ready", html=html, text=text)


def last_sheet(folder: Path) -> str:
    """The sheet of the game agreed last, as text; ``Fault("no_sheet")`` when there is none to read."""
    file = folder / f"{NAME}.txt"
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise Fault("no_sheet", file=file) from error
