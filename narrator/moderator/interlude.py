"""A few questions that belong to no evening: what may be said at each of them, whoever asks them."""

from __future__ import annotations

from narrator.moderator.dialog import ANYWHERE, Dialog
from narrator.moderator.effects import Effect, Say
from narrator.moderator.help import help_now
from narrator.moderator.inputs import Answer, Command, Input, Unclear
from narrator.moderator.pauses import PAUSED, pause
from narrator.moderator.sounds import is_turn, turned

COMMANDS = ("repeat", "pause")
"""What every question of an interlude lets the table say, beside what can be said anywhere."""


class Interlude:
    """Asks questions, as a moderator would, whose answers no game remembers: nothing can be taken back.

    Whoever derives from it puts the first question in ``_ask``, and the next one, or ``End``, when one is
    answered; and carries out commands of its own in ``_command``.
    """

    def __init__(self) -> None:
        self._effects: list[Effect] = []
        self._dialog = Dialog(self._effects.append, ANYWHERE)

    def begin(self) -> tuple[Effect, ...]:
        """Put the first question."""
        self._ask()
        return self._flush()

    def handle(self, event: Input) -> tuple[Effect, ...]:
        """Take what was said; nothing more comes after the last answer."""
        if not self._dialog.waiting:
            return ()
        match event:
            case Answer():
                self._dialog.take(event)
            case Unclear() if self._dialog.about == PAUSED:
                self._dialog.miss(event)
            case Unclear():
                self._miss(event)
            case Command():
                self._carry_out(event)
        return self._flush()

    def _carry_out(self, command: Command) -> None:
        dialog = self._dialog
        assert dialog.expectation is not None
        match command.name:
            case name if name not in dialog.expectation.commands:
                dialog.again()
            case "pause":
                dialog.ask(pause(("resume",), lambda _: self._go_on()))
            case "resume" if dialog.about == PAUSED:
                dialog.drop_top()
                self._go_on()
            case "repeat":
                dialog.repeat()
            case "help":
                self._effects.append(help_now(dialog.expectation))
                dialog.reopen()
            case _ if is_turn(command):
                self._effects.extend(turned(command))
                dialog.reopen()
            case name:
                self._command(name)

    def _go_on(self) -> None:
        self._effects.append(Say("pause.ends"))
        self._dialog.repeat()

    def _ask(self) -> None:
        raise NotImplementedError

    def _command(self, name: str) -> None:
        raise NotImplementedError

    def _miss(self, unclear: Unclear) -> None:
        self._dialog.miss(unclear)

    def _flush(self) -> tuple[Effect, ...]:
        done = tuple(self._effects)
        self._effects.clear()
        return done
