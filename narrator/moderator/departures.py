"""What leaving brings with it: cards are shown, and somebody may be taken along."""

from __future__ import annotations

from narrator.moderator.day import Day
from narrator.moderator.desk import ANY_TIME, Desk
from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.question import Confirm, Question
from narrator.rules.game import Cause, show
from narrator.rules.leaving import asks_parting, cards_due, may_take_along


class Departures:
    """Asks everybody who leaves the same, so that the question itself tells nothing."""

    def __init__(self, desk: Desk, day: Day) -> None:
        self.desk = desk
        self.day = day

    # Conditions

    def card_due(self) -> bool:
        """Somebody's card has to be shown to everybody."""
        return bool(cards_due(self.desk.evening.game))

    def parting_due(self) -> bool:
        """Somebody who left has not been asked yet whom to take along."""
        day, game = self.desk.evening.day, self.desk.evening.game
        day.parting = [seat for seat in day.parting if asks_parting(game, seat)]
        return bool(day.parting)

    # States

    def show_card(self) -> None:
        """Say on which side a card is; where only the judge knows the cards, he reads it out."""
        game = self.desk.evening.game
        seat = cards_due(game)[0]
        killer = game.is_killer(seat)
        if killer is not None:
            self._shown(seat, killer)
            return
        self.desk.dialog.ask(
            Question(
                "shown",
                Expectation(Kind.YESNO, commands=ANY_TIME),
                (Say("shown.ask", {"seat": seat}),),
                lambda yes: self._shown(seat, yes),
                params={"seat": seat, "round": game.round},
                confirm=Confirm.ALWAYS,
                help=Say("help.yesno"),
            )
        )

    def ask_parting(self) -> None:
        """Whom does the seat that left take along, if anybody."""
        desk, evening = self.desk, self.desk.evening
        leaving = evening.day.parting.pop(0)

        def refuse(seat: int | None) -> Say | None:
            if seat is None:
                return None
            if seat not in evening.game.seats:
                return Say("refuse.no_such_seat", {"seat": seat})
            if not evening.game.is_living(seat):
                return Say("refuse.out", {"seat": seat})
            return None if may_take_along(evening.game, leaving) else Say("again")

        def take(seat: int | None) -> None:
            if seat is None:
                return
            self.day.depart((seat,), Cause.SHOT)
            desk.note("shot", round=evening.game.round, seat=seat, by=leaving)
            desk.say("parting.taken", seat=leaving, taken=seat)

        desk.dialog.ask(
            Question(
                "parting",
                Expectation(Kind.SEAT, none=True, commands=ANY_TIME),
                (Say("parting.ask", {"seat": leaving}),),
                take,
                params={"seat": leaving, "round": evening.game.round},
                refuse=refuse,
                confirm=Confirm.ALWAYS,
                help=Say("help.parting"),
            )
        )

    def _shown(self, seat: int, killer: bool) -> None:
        evening = self.desk.evening
        evening.game = show(evening.game, seat, killer)
        self.desk.note("shown", round=evening.game.round, seat=seat, killer=killer)
        self.desk.say("shown.killer" if killer else "shown.good", seat=seat)
