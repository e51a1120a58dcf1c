"""The ballot: hands are counted seat by seat, the count is read back, ties are spoken out and voted again."""

from __future__ import annotations

from narrator.moderator.day import Day
from narrator.moderator.desk import ANY_TIME, Desk
from narrator.moderator.effects import Say, Wait
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.question import Confirm, Question
from narrator.moderator.spoken import Spoken
from narrator.rules.ballot import (
    Drawn,
    Leaves,
    Nobody,
    Outcome,
    Revote,
    Tally,
    Tied,
    after_tie,
    outcome,
    runoff,
)
from narrator.rules.game import Cause
from narrator.rules.victory import drawn


class Vote:
    """Counts hands as the judge calls them; late or changed votes are void because nobody is asked twice."""

    def __init__(self, desk: Desk, day: Day, spoken: Spoken) -> None:
        self.desk = desk
        self.day = day
        self.spoken = spoken

    # Conditions

    def candidate_left(self) -> bool:
        """A candidate is still to be called, and there are hands left to raise."""
        return bool(self._uncounted()) and self._tally().left > 0

    def disputed(self) -> bool:
        """The judge said the count is not right."""
        return self.desk.evening.day.disputed

    def runs_off(self) -> bool:
        """The first vote has only named who stands in the second."""
        return self._runoff() is not None

    def leaves(self) -> bool:
        """One candidate has most votes."""
        return isinstance(self._outcome(), Leaves)

    def tie_is_final(self) -> bool:
        """The tie rule ends the game here."""
        return isinstance(self._outcome(), Tied) and isinstance(self._after_tie(), Drawn)

    def tied(self) -> bool:
        """Several candidates have most votes and will be voted on again."""
        return isinstance(self._outcome(), Tied) and isinstance(self._after_tie(), Revote)

    # States

    def open(self) -> None:
        """Open a ballot among the day's speaking order, or among the tied."""
        desk, evening = self.desk, self.desk.evening
        day, game = evening.day, evening.game
        second = day.ties > 0 or day.runoff
        pool = day.candidates if second else day.order
        day.candidates = tuple(seat for seat in pool if game.is_living(seat))
        day.disputed, day.amending = False, None
        day.tally = Tally(votes={}, voters=len(game.living))
        if self._is_spoken():
            # Everybody has named a seat already; the votes only have to be added up.
            day.tally = self.spoken.tally()
            desk.say("ballot.all_named")
            return
        desk.say("ballot.again" if second else "ballot.now" if day.cut else "ballot.opens")
        day.cut = False

    def call_candidate(self) -> None:
        """Hands up for the next candidate."""
        seat = self._uncounted()[0]
        self._ask_votes(seat, (Say("ballot.hands", {"seat": seat}), Wait("hands")))

    def ask_agreement(self) -> None:
        """Read the result back; nothing happens before the judge agrees."""
        day = self.desk.evening.day
        tally = self._tally()
        day.disputed, day.amending = False, None
        result = self._outcome()
        if isinstance(result, Leaves):
            line = Say("ballot.result", {"seat": result.seat, "votes": result.votes})
            result_params: dict[str, int | tuple[int, ...]] = {"seats": (result.seat,), "votes": result.votes}
        elif isinstance(result, Tied):
            line = Say("ballot.tie", {"seats": result.seats, "votes": result.votes})
            result_params = {"seats": result.seats, "votes": result.votes}
        else:
            line, result_params = Say("ballot.nobody"), {"seats": (), "votes": 0}

        def take(yes: bool) -> None:
            day.disputed = not yes
            if not yes:
                return
            self.desk.note(
                "ballot",
                round=self.desk.evening.game.round,
                stage=self._stage(),
                votes=tuple((str(seat), tally.votes.get(seat, 0)) for seat in day.candidates),
            )
            if isinstance(result, Nobody):
                day.voted = True

        self.desk.dialog.ask(
            Question(
                "tally",
                Expectation(Kind.YESNO, commands=ANY_TIME),
                (line,),
                take,
                params={**result_params, **self._which()},
                help=Say("help.yesno"),
            )
        )

    def ask_amendment(self) -> None:
        """Which candidate's count is wrong, or whose spoken vote."""
        day = self.desk.evening.day
        spoken = self._is_spoken()

        def refuse(seat: int) -> Say | None:
            if spoken:
                return None if seat in day.named else Say("ballot.not_voter", {"seat": seat})
            return None if seat in day.candidates else Say("ballot.not_candidate", {"seat": seat})

        def take(seat: int) -> None:
            day.amending, day.amended = seat, True

        self.desk.dialog.ask(
            Question(
                "amend",
                Expectation(Kind.SEAT, commands=ANY_TIME),
                (Say("ballot.amend_name" if spoken else "ballot.amend"),),
                take,
                params=self._which(),
                refuse=refuse,
                # Once again on the same day: then it may have been this number that was misheard.
                confirm=Confirm.ALWAYS if day.amended else Confirm.DOUBTFUL,
            )
        )

    def recount(self) -> None:
        """Count one candidate's hands once more, or ask one voter again."""
        day = self.desk.evening.day
        seat = day.amending
        assert seat is not None
        if self._is_spoken():
            day.disputed = False
            self.spoken.ask_again(seat)
            return
        votes = dict(self._tally().votes)
        votes.pop(seat, None)
        day.disputed = False
        day.tally = Tally(votes=votes, voters=self._tally().voters)
        self._ask_votes(seat, (Say("ballot.recount", {"seat": seat}),))

    def open_debate(self) -> None:
        """Those who speak before the next vote, and who stands in it."""
        day, final = self.desk.evening.day, self._runoff()
        if final is not None:
            day.runoff, day.candidates, day.speakers = True, final.candidates, list(final.speakers)
            self.desk.say("runoff.opens", seats=final.candidates)
            return
        result, step = self._outcome(), self._after_tie()
        assert isinstance(result, Tied)
        assert isinstance(step, Revote)
        day.ties += 1
        day.candidates = step.candidates
        day.speakers = list(step.speakers)
        if day.ties == 1:
            self.desk.say("tie.first", seats=result.seats)
        elif day.speakers:
            self.desk.say("tie.second", seats=result.seats)
        else:
            self.desk.say("tie.nobody_else")

    def leave(self) -> None:
        """The one with most votes leaves."""
        desk, evening = self.desk, self.desk.evening
        result = self._outcome()
        assert isinstance(result, Leaves)
        evening.day.voted = True
        self.day.depart((result.seat,), Cause.VOTED)
        desk.note("voted_out", round=evening.game.round, seat=result.seat)
        desk.say("ballot.leaves", seat=result.seat)

    def draw(self) -> None:
        """The tie ends the game in a draw."""
        self.desk.evening.verdict = drawn(self.desk.evening.ruleset.tie)

    def nobody_leaves(self) -> None:
        """Nobody was voted for: night falls."""
        self.desk.say("ballot.nobody_leaves")

    # Helpers

    def _tally(self) -> Tally:
        tally = self.desk.evening.day.tally
        assert tally is not None
        return tally

    def _uncounted(self) -> tuple[int, ...]:
        """Candidates without a count: not called yet, or taken back because a count was wrong."""
        votes = self._tally().votes
        return tuple(seat for seat in self.desk.evening.day.candidates if seat not in votes)

    def _which(self) -> dict[str, int]:
        """Which of the game's ballots this is."""
        return {"round": self.desk.evening.game.round, "stage": self._stage()}

    def _stage(self) -> int:
        """Which of the day's ballots this is: the first, a run-off, those after ties."""
        day = self.desk.evening.day
        return 1 + day.runoff + day.ties

    def _runoff(self) -> Revote | None:
        """Who stands in the second vote of a run-off; None where there is none, or it has been."""
        day, game = self.desk.evening.day, self.desk.evening.game
        return None if day.runoff else runoff(game, self._tally(), day.candidates)

    def _outcome(self) -> Outcome:
        tally = self._tally()
        # In the order of the candidates, also where one was counted again at the end.
        votes = {seat: tally.votes[seat] for seat in self.desk.evening.day.candidates if seat in tally.votes}
        return outcome(Tally(votes=votes, voters=tally.voters))

    def _is_spoken(self) -> bool:
        """The day's first ballot was spoken; one among the tied is by hands."""
        return self.desk.evening.ruleset.day.ballot == "spoken" and self._stage() == 1

    def _after_tie(self) -> Revote | Drawn | Nobody:
        day, game = self.desk.evening.day, self.desk.evening.game
        result = self._outcome()
        assert isinstance(result, Tied)
        order = tuple(seat for seat in day.order if game.is_living(seat))
        return after_tie(game, day.ties + 1, result.seats, order)

    def _ask_votes(self, seat: int, prompt: tuple[Say | Wait, ...]) -> None:
        day = self.desk.evening.day
        left = self._tally().left

        refused: list[int] = []

        def refuse(votes: int) -> Say | None:
            # The same count a second time: then an earlier one must be wrong.
            if votes <= left or votes in refused:
                return None
            refused.append(votes)
            return Say("ballot.too_many", {"count": left})

        def take(votes: int) -> None:
            if votes <= left:
                day.tally = self._tally().add(seat, votes)
                return
            day.disputed = True

        self.desk.dialog.ask(
            Question(
                "votes",
                Expectation(Kind.VOTES, commands=ANY_TIME),
                prompt,
                take,
                params={"seat": seat, **self._which()},
                short=(Say("ballot.how_many", {"seat": seat}),),
                refuse=refuse,
                confirm=Confirm.DOUBTFUL,
                readback="ballot.read",
                help=Say("help.votes"),
            )
        )
