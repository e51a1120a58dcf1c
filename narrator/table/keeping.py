"""Keeping what the table turned: volume and tempo go into the settings, and are there the next evening."""

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
        name, step = note.data["name"], note.data["step"]
        assert isinstance(name, str)
        assert isinstance(step, int)
        try:
            keep_setting(name, step, self._file)
        except Fault as fault:
            self._lost = True
            self._told(fault.key, **fault.params)
