"""The spoken ballot: each speaker names one seat right after speaking."""

from __future__ import annotations

from collections import Counter

from narrator.moderator.desk import ANY_TIME, Desk
from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind, never_meant
from narrator.moderator.question import Question
from narrator.rules.ballot import Tally


class Spoken:
    """Asks each speaker for a name; everybody living must name somebody living (002 §3.C)."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    # Conditions

    def name_due(self) -> bool:
        """Whoever had the floor, in the last lap of speeches, has still to vote."""
        evening = self.desk.evening
        day = evening.day
        return (
            evening.ruleset.day.ballot == "spoken"
            and not day.laps
            and day.speaking is not None
            and day.speaking not in day.named
            and evening.game.is_living(day.speaking)
        )

    # States

    def ask_name(self) -> None:
        """Whom the last speaker votes for."""
        voter = self.desk.evening.day.speaking
        assert voter is not None
        self.ask(voter, Say("ballot.name", {"seat": voter}))

    # For the count

    def ask(self, voter: int, prompt: Say) -> None:
        """Ask a voter for the seat voted for."""
        evening = self.desk.evening

        def refuse(seat: int) -> Say | None:
            if seat not in evening.game.seats:
                return Say("refuse.no_such_seat", {"seat": seat})
            return None if evening.game.is_living(seat) else Say("refuse.out", {"seat": seat})

        def take(seat: int) -> None:
            evening.day.named[voter] = seat
            if evening.day.tally is not None:
                evening.day.tally = self.tally()

        misheard = (seat for who, seat in evening.day.misheard if who == voter)
        self.desk.dialog.ask(
            Question(
                "name",
                Expectation(Kind.SEAT, commands=ANY_TIME, but=never_meant(misheard)),
                (prompt,),
                take,
                params={"voter": voter, "round": evening.game.round, "stage": 1},
                refuse=refuse,
                readback="ballot.named",
                help=Say("help.name"),
            )
        )

    def ask_again(self, voter: int) -> None:
        """Ask a voter anew: what was heard was not what was said."""
        day = self.desk.evening.day
        day.misheard.append((voter, day.named[voter]))
        self.ask(voter, Say("ballot.name", {"seat": voter}))

    def tally(self) -> Tally:
        """The votes that count: of the living, for the living (house decision)."""
        evening = self.desk.evening
        living = evening.game.living
        named = Counter(
            seat for voter, seat in evening.day.named.items() if voter in living and seat in living
        )
        return Tally({seat: named[seat] for seat in evening.day.candidates}, voters=len(living))
