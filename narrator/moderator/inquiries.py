"""What anybody may ask in the middle of a game, answered by what everybody knows."""

from __future__ import annotations

from collections.abc import Callable

from narrator.moderator.desk import Desk
from narrator.moderator.dialog import TAKE_BACK
from narrator.moderator.help import help_now
from narrator.moderator.inputs import Command

FEW = 3
"""As long as no more are out, they are named rather than all the others."""

SECONDS = (90, 60, 50, 40, 30, 20, 15, 10)
"""How exactly the rest of a speech is told below two minutes: the next of these that is not too much."""

MINUTES = (10, 5, 4, 3, 2)
"""The same, of a long one."""


class Inquiries:
    """Answers and listens on; nothing changes, and the clock of whoever speaks stands still meanwhile.

    ``at_night`` tells whether the table's eyes are closed, ``takes_back`` whether 撤销 or 更正, by its
    command's name, would take anything back.
    """

    def __init__(self, desk: Desk, at_night: Callable[[], bool], takes_back: Callable[[str], bool]) -> None:
        self.desk = desk
        self.at_night = at_night
        self.takes_back = takes_back

    def help(self, command: Command) -> None:
        """What can be said now."""
        dialog = self.desk.dialog
        assert dialog.expectation is not None
        idle = [name for name in TAKE_BACK if not self.takes_back(name)]
        self.desk.effects.append(help_now(dialog.expectation, idle))
        dialog.reopen()

    def living(self, command: Command) -> None:
        """Who is still in the game; a few who are out are quicker to name."""
        evening = self.desk.evening
        # Whom the judge has told to be dead is known to be, though the night isn't at its end yet.
        living = tuple(seat for seat in evening.game.living if seat not in evening.night.dead)
        out = tuple(seat for seat in evening.game.seats if seat not in living)
        if not out:
            self.desk.say("living.all")
        elif len(out) <= min(FEW, len(living)):
            self.desk.say("living.but", seats=out)
        else:
            self.desk.say("living.are", seats=living)
        self.desk.dialog.reopen()

    def day(self, command: Command) -> None:
        """Which day or night it is, and how many are left."""
        evening = self.desk.evening
        people = len([seat for seat in evening.game.living if seat not in evening.night.dead])
        if self.at_night():
            self.desk.say("when.night", night=evening.game.round, people=people)
        else:
            self.desk.say("when.day", day=evening.game.round, people=people)
        self.desk.dialog.reopen()

    def time_left(self, command: Command) -> None:
        """How long whoever has the floor may still speak."""
        left = command.reading
        if left is None:
            self.desk.say("refuse.not_now")
        elif self.desk.evening.day.overtime:
            self.desk.say("speech.time_up")
        elif left >= min(MINUTES) * 60:
            self.desk.say("left.minutes", minutes=next(m for m in MINUTES if m * 60 <= left))
        elif left >= min(SECONDS):
            self.desk.say("left.seconds", left=next(s for s in SECONDS if s <= left))
        else:
            self.desk.say("left.nearly")
        self.desk.dialog.reopen()
