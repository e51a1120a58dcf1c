"""The terminal of a game that can be painted: a view that stays in place below the lines."""

from __future__ import annotations

import os
import sys

from numpy import int16
from numpy.typing import NDArray
from rich.console import Console

from narrator.cli.departure import terminal_lost
from narrator.ears.microphone import Microphone
from narrator.mouth.voicepack import VoicePack
from narrator.table.keyboard import Keyboard
from narrator.table.screen import Screen
from narrator.table.session import Session
from narrator.table.view.board import Board
from narrator.table.view.keys import EditedKeyboard
from narrator.table.view.panel import Panel
from narrator.table.view.stray import StrayLines
from narrator.table.view.view import View
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook


def console_to_paint() -> Console | None:
    """Standard output, where it is a terminal that moves its cursor and shows Chinese."""
    # A size in the environment (some shells export it) would hold on when the window becomes another one.
    sizeless = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    console = Console(highlight=False, _environ=sizeless)
    return None if console.is_dumb_terminal or console.options.ascii_only else console


class LiveTerminal:
    """The view, with the lines above it and the line being typed in it."""

    def __init__(self, console: Console, pack: VoicePack, phrasebook: Phrasebook, reveal: bool) -> None:
        self._board = Board(phrasebook, reveal)
        self._panel = Panel(pack)
        self._view = view = View(self._board, self._panel, console, terminal_lost)
        # What may be answered stands in the view.
        self.screen = Screen(pack, phrasebook, keyboard=False, reveal=reveal, write=view.write)
        self._stray = StrayLines(view.write) if sys.stderr.isatty() else None
        self._keys: EditedKeyboard | None = None
        if sys.stdin.isatty():
            self._keys = EditedKeyboard(sys.stdin.fileno(), view.touch, lambda line: view.write(f"> {line}"))
        self.keyboard: Keyboard | None = self._keys
        view.keys = self._keys
        view.start()

    @property
    def witnesses(self) -> tuple[Witness, ...]:
        """The board first: a line is written when it is known."""
        return (self._board, self._panel, self.screen)

    def clock(self, microphone: Microphone, listening: bool) -> Microphone:
        """The microphone, whose every block the view sees."""
        return _Seen(microphone, self._view, listening)

    def follow(self, session: Session, phrasebook: Phrasebook) -> None:
        """Show this session from now on."""
        self._board.follow(session, phrasebook)

    def again(self) -> None:
        """Take the keys again, and paint below what the shell has written."""
        if self._keys is not None:
            self._keys.again()
        self._view.again()

    def close(self) -> None:
        """Take the view away and give the keyboard back."""
        if self._stray is not None:
            self._stray.close()
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
