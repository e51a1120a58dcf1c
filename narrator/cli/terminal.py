"""The terminal of a game: a view that stays in place where there can be one, else plain lines."""

from __future__ import annotations

import os
import sys
from typing import Protocol

from narrator.cli.departure import show
from narrator.ears.microphone import Microphone
from narrator.mouth.voicepack import VoicePack
from narrator.table.keyboard import Keyboard, TerminalKeyboard
from narrator.table.screen import Screen
from narrator.table.session import Session
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook


class Terminal(Protocol):
    """Where a game is shown and answers are typed; there may be neither."""

    keyboard: Keyboard | None
    screen: Screen

    @property
    def witnesses(self) -> tuple[Witness, ...]:
        """Whoever has to see what happens at the table."""

    def clock(self, microphone: Microphone, listening: bool) -> Microphone:
        """The session's clock, looked at; ``listening`` when it really hears."""

    def follow(self, session: Session, phrasebook: Phrasebook) -> None:
        """Show this session from now on."""

    def again(self) -> None:
        """Come back from the background, where a shell had the terminal."""

    def close(self) -> None:
        """Leave the terminal as it was."""


def open_terminal(
    pack: VoicePack, phrasebook: Phrasebook, *, ears: bool, reveal: bool, plain: bool
) -> Terminal:
    """The terminal this process has; ``ears`` when answers can be spoken, ``plain`` to have lines only."""
    if not plain and sys.stdout.isatty() and os.environ.get("TERM"):
        # Imported late: a speaker without a terminal greets sooner without it.
        from narrator.cli.liveterminal import LiveTerminal, console_to_paint

        console = console_to_paint()
        if console is not None:
            return LiveTerminal(console, pack, phrasebook, reveal)
    return PlainTerminal(Screen(pack, phrasebook, keyboard=not ears, reveal=reveal, write=show))


class PlainTerminal:
    """Lines, one after another."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self._keyboard = TerminalKeyboard() if sys.stdin.isatty() else None
        self.keyboard: Keyboard | None = self._keyboard

    @property
    def witnesses(self) -> tuple[Witness, ...]:
        """The screen."""
        return (self.screen,)

    def clock(self, microphone: Microphone, listening: bool) -> Microphone:
        """The microphone itself."""
        return microphone

    def follow(self, session: Session, phrasebook: Phrasebook) -> None:
        """Nothing to do: lines tell themselves."""

    def again(self) -> None:
        """Hide what is typed, if that is due."""
        if self._keyboard is not None:
            self._keyboard.again()

    def close(self) -> None:
        """Give the keyboard back."""
        if self.keyboard is not None:
            self.keyboard.close()
