"""The terminal of a game: a view that stays in place where there can be one, else plain lines."""

from __future__ import annotations

import os
import sys
from typing import Protocol

from numpy import int16
from numpy.typing import NDArray
from rich.console import Console

from narrator.cli.departure import show, terminal_lost
from narrator.ears.microphone import Microphone
from narrator.mouth.voicepack import VoicePack
from narrator.table.keyboard import Keyboard, TerminalKeyboard
from narrator.table.screen import Screen
from narrator.table.session import Session
from narrator.table.view.board import Board
from narrator.table.view.keys import EditedKeyboard
from narrator.table.view.panel import Panel
from narrator.table.view.view import View
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

    def close(self) -> None:
        """Leave the terminal as it was."""


def open_terminal(
    pack: VoicePack, phrasebook: Phrasebook, *, ears: bool, reveal: bool, plain: bool
) -> Terminal:
    """The terminal this process has; ``ears`` when answers can be spoken, ``plain`` to have lines only."""
    console = Console(highlight=False)
    if plain or not can_be_painted(console):
        return PlainTerminal(Screen(pack, phrasebook, keyboard=not ears, reveal=reveal, write=show))
    return LiveTerminal(console, pack, phrasebook, reveal)


def can_be_painted(console: Console) -> bool:
    """Whether standard output is a terminal that moves its cursor and shows Chinese."""
    if not sys.stdout.isatty() or not os.environ.get("TERM"):
        return False
    return not (console.is_dumb_terminal or console.options.ascii_only)


class PlainTerminal:
    """Lines, one after another."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.keyboard: Keyboard | None = TerminalKeyboard() if sys.stdin.isatty() else None

    @property
    def witnesses(self) -> tuple[Witness, ...]:
        """The screen."""
        return (self.screen,)

    def clock(self, microphone: Microphone, listening: bool) -> Microphone:
        """The microphone itself."""
        return microphone

    def follow(self, session: Session, phrasebook: Phrasebook) -> None:
        """Nothing to do: lines tell themselves."""

    def close(self) -> None:
        """Give the keyboard back."""
        if self.keyboard is not None:
            self.keyboard.close()


class LiveTerminal:
    """The view, with the lines above it and the line being typed in it."""

    def __init__(self, console: Console, pack: VoicePack, phrasebook: Phrasebook, reveal: bool) -> None:
        self._board = Board(phrasebook, reveal)
        self._view = view = View(self._board, Panel(pack), console, terminal_lost)
        # What may be answered stands in the view.
        self.screen = Screen(pack, phrasebook, keyboard=False, reveal=reveal, write=view.write)
        self.keyboard: Keyboard | None = None
        if sys.stdin.isatty():
            keys = EditedKeyboard(sys.stdin.fileno(), view.touch, lambda line: view.write(f"> {line}"))
            self.keyboard = view.keys = keys
        view.start()

    @property
    def witnesses(self) -> tuple[Witness, ...]:
        """The board first: a line is written when it is known."""
        return (self._board, self.screen)

    def clock(self, microphone: Microphone, listening: bool) -> Microphone:
        """The microphone, whose every block the view sees."""
        return _Seen(microphone, self._view, listening)

    def follow(self, session: Session, phrasebook: Phrasebook) -> None:
        """Show this session from now on."""
        self._board.follow(session, phrasebook)

    def close(self) -> None:
        """Take the view away and give the keyboard back."""
        self._view.close()
        if self.keyboard is not None:
            self.keyboard.close()


class _Seen:
    """A microphone that shows the view what it hears."""

    def __init__(self, microphone: Microphone, view: View, listening: bool) -> None:
        self._microphone = microphone
        self._view = view
        self._listening = listening

    def read(self) -> NDArray[int16]:
        """The next block."""
        block = self._microphone.read()
        self._view.tick(block, self._listening)
        return block

    def close(self) -> None:
        """Let the microphone go."""
        self._microphone.close()
