"""Keeping what the table turned: volume, tempo and wording go into the settings, for the next evening."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from narrator.faults import Fault
from narrator.moderator.effects import Note
from narrator.table.settings import keep_setting
from narrator.table.witness import Witness


class KeptSettings(Witness):
    """Writes each new setting into ``file``; where that can't be, it is told once and lasts the evening."""

    def __init__(self, told: Callable[..., None], file: Path | None = None) -> None:
        self._told = told
        self._file = file
        self._lost = False

    def noted(self, note: Note) -> None:
        """A setting was changed by voice."""
        if note.what != "setting" or self._lost:
            return
        name, value = note.data["name"], note.data.get("step", note.data.get("value"))
        assert isinstance(name, str)
        assert isinstance(value, int | str)
        try:
            keep_setting(name, value, self._file)
        except Fault as fault:
            self._lost = True
            self._told(fault.key, **fault.params)
