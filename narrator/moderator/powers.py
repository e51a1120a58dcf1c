"""The judge's powers: pausing, warning, sending out, accepting a surrender, stopping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from narrator.moderator.day import Day
from narrator.moderator.desk import Desk
from narrator.moderator.effects import Say
from narrator.moderator.endgame import winner_question
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Certainty, Command
from narrator.moderator.question import Question
from narrator.rules.penalties import eject, warn
from narrator.rules.victory import Verdict, could_be_over, may_surrender, surrender, verdict


class Course(Protocol):
    """How a power changes the course of the game; the moderator's machine provides it."""

    def pause(self, unsaid: int) -> None:
        """Stop everything until the judge says 继续; the last ``unsaid`` lines are said again then."""

    def finish(self) -> None:
        """Go to the verdict at once."""

    def recall(self) -> None:
        """Begin the ballot that is going on once more."""

    def quit(self) -> None:
        """End the evening."""


class Powers:
    """One method a command; those that can't be undone ask first.

    ``requests`` carry out what is no power but may be asked for or about.
    """

    def __init__(
        self, desk: Desk, day: Day, course: Course, requests: Mapping[str, Callable[[Command], None]]
    ) -> None:
        self.desk = desk
        self.day = day
        self.course = course
        self.requests = requests

    def command(self, command: Command) -> None:
        """Carry out a judge's command, or say that it can't be done now."""
        expectation = self.desk.dialog.expectation
        if expectation is None:
            return
        if command.name not in expectation.commands:
            self.desk.say("refuse.not_now")
            self.desk.dialog.reopen()
            return
        self.desk.note("command", name=command.name, seat=command.seat)
        act = self.requests.get(command.name) or getattr(self, f"_{command.name}")
        act(command)

    # Harmless ones

    def _pause(self, command: Command) -> None:
        self.course.pause(command.unsaid)

    def _repeat(self, command: Command) -> None:
        self.desk.dialog.repeat()

    def _remind(self, command: Command) -> None:
        self.desk.say("remind.dead")
        self.desk.dialog.reopen()

    def _next(self, command: Command) -> None:
        self.day.yield_floor()

    def _more_time(self, command: Command) -> None:
        self.day.more_time(command.reading or 0)
        self.desk.dialog.reopen()

    def _vote_now(self, command: Command) -> None:
        self.day.cut_speeches()

    def _warn(self, command: Command) -> None:
        seat = self._seated(command)
        if seat is None:
            return

        def count() -> None:
            evening = self.desk.evening
            evening.warnings = warn(evening.game, evening.warnings, seat)
            times = evening.warnings[seat]
            self.desk.note("warned", seat=seat, times=times)
            self.desk.say("warn.seat", seat=seat, nth=times)

        if command.certainty is Certainty.CLEAR:
            count()
            self.desk.dialog.reopen()
        else:
            self._ask("warn", Say("warn.sure", {"seat": seat}), count, seat=seat)

    # Those that can't be taken back

    def _eject(self, command: Command) -> None:
        seat = self._seated(command)
        if seat is not None:
            self._ask("eject", Say("eject.sure", {"seat": seat}), lambda: self._sent_out(seat), seat=seat)

    def _surrender_killer(self, command: Command) -> None:
        self._surrender("killer")

    def _surrender_police(self, command: Command) -> None:
        self._surrender("police")

    def _stop(self, command: Command) -> None:
        self._ask("stop", Say("stop.sure"), self.course.quit)

    # How they are done

    def _surrender(self, role: str) -> None:
        game = self.desk.evening.game
        if not may_surrender(game, role):
            self.desk.say("refuse.surrender", role=role)
            self.desk.dialog.reopen()
            return

        def accept() -> None:
            self.desk.evening.verdict = surrender(game, role)
            self.course.finish()

        self._ask("surrender", Say("surrender.sure", {"role": role}), accept, role=role)

    def _sent_out(self, seat: int) -> None:
        desk, evening = self.desk, self.desk.evening
        spoke = desk.dialog.floor == seat
        evening.game = eject(evening.game, seat)
        desk.note("ejected", round=evening.game.round, seat=seat)
        desk.say("eject.done", seat=seat)
        if evening.table.secrets is Secrets.JUDGE:
            if could_be_over(evening.game):
                self._ask("over", Say("end.over"), self._ask_winner, lambda: self._go_on(spoke))
                return
        else:
            evening.verdict = verdict(evening.game)
        if evening.verdict is not None:
            self.course.finish()
        else:
            self._go_on(spoke)

    def _go_on(self, spoke: bool) -> None:
        """After somebody was sent out: the floor passes on, or a ballot that is going on begins again."""
        if spoke:
            self.day.yield_floor()
        else:
            self.course.recall()

    def _ask_winner(self) -> None:
        def settle(decided: Verdict) -> None:
            self.desk.evening.verdict = decided
            self.course.finish()

        self.desk.dialog.ask(winner_question(settle, ("pause", "repeat")))

    def _seated(self, command: Command) -> int | None:
        """The living seat a command names; otherwise the reason is said and None comes back."""
        evening, seat = self.desk.evening, command.seat
        if evening.game_ is None or seat is None:
            self.desk.say("refuse.not_now")
        elif seat not in range(1, evening.game.players + 1):
            self.desk.say("refuse.no_such_seat", seat=seat)
        elif not evening.game.is_living(seat):
            self.desk.say("refuse.out", seat=seat)
        else:
            return seat
        self.desk.dialog.reopen()
        return None

    def _ask(
        self,
        about: str,
        prompt: Say,
        yes: Callable[[], None],
        no: Callable[[], None] = lambda: None,
        **params: str | int,
    ) -> None:
        self.desk.dialog.ask(
            Question(
                about,
                Expectation(Kind.YESNO, commands=("pause", "repeat")),
                (prompt,),
                lambda agreed: yes() if agreed else no(),
                params=params,
                help=Say("help.yesno"),
            )
        )
