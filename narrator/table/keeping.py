"""Keeping what the table turned: volume, tempo, wording and voice go into the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from narrator.faults import Fault
from narrator.moderator.effects import Note
from narrator.table.settings import keep_setting
from narrator.table.witness import Witness


class KeptSettings(Witness):
    """Writes each new setting into ``file``; where that can't be, it is told once and lasts the evening.

    ``voices`` gives what each recorded voice is asked for by, in the order of their turns. ``own_voice`` is
    the folder of the host's own among them, which is kept too: another one's name takes its place.
    """

    def __init__(
        self,
        told: Callable[..., None],
        file: Path | None = None,
        voices: Callable[[], Sequence[str]] = tuple,
        own_voice: Path | None = None,
    ) -> None:
        self._told = told
        self._file = file
        self._voices = voices
        self._own_voice = own_voice
        self._lost = False

    def noted(self, note: Note) -> None:
        """A setting was changed by voice."""
        if note.what != "setting":
            return
        name, value = note.data["name"], note.data.get("step", note.data.get("value"))
        turn, voices = note.data.get("turn"), self._voices()
        if isinstance(turn, int) and voices:
            value = voices[turn % len(voices)]
            if self._own_voice is not None:
                self._keep("own_voice", str(self._own_voice))
        if value is not None:
            assert isinstance(name, str)
            assert isinstance(value, int | str)
            self._keep(name, value)

    def _keep(self, name: str, value: int | str) -> None:
        if self._lost:
            return
        try:
            keep_setting(name, value, self._file)
        except Fault as fault:
            self._lost = True
            self._told(fault.key, **fault.params)
