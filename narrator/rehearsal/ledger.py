"""The ledger of a synthetic table: one game's cards, choices and hands, and what the rules make of them."""

from __future__ import annotations

import random
from collections.abc import Mapping

from narrator.rehearsal.choices import name_aloud, pick, take_along
from narrator.rehearsal.hands import Ballot, raise_hands
from narrator.rules.ballot import Drawn, Leaves, Revote, Tally, Tied, after_tie, runoff
from narrator.rules.dawn import Dawn
from narrator.rules.game import Cause, Game, leave, next_round
from narrator.rules.night import end_night
from narrator.rules.order import speaking_order
from narrator.rules.ruleset import Ruleset
from narrator.rules.victory import Verdict, drawn, verdict


class Ledger:
    """Deals the cards by ``rng``, and goes on as it is asked: it never knows more than has been played.

    ``tie_bias`` is the chance that hands are split evenly between two.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: int,
        rng: random.Random,
        *,
        barred: int | None,
        right_hand: int,
        number: int,
        tie_bias: float,
    ) -> None:
        deck = [role for role, count in ruleset.deal(players).items() for _ in range(count)]
        rng.shuffle(deck)
        self.roles: Mapping[int, str] = dict(enumerate(deck, start=1))
        self.game = Game(
            ruleset=ruleset,
            players=players,
            roles=self.roles,
            right_hand=right_hand,
            barred=None if ruleset.repeat_first_victim else barred,
            number=number,
        )
        self.verdict: Verdict | None = None
        self.first_victim: int | None = None
        self.ruleset = ruleset
        self._rng = rng
        self._tie_bias = tie_bias
        self._choices: dict[str, int | None] = {}
        self._partings: dict[int, int | None] = {}
        self._order: tuple[int, ...] = ()
        self._acts: dict[tuple[int, str], int | None] = {}
        self._night_over = True
        self._ballots: dict[tuple[int, int], Ballot] = {}
        self._stage = 1
        self._candidates: tuple[int, ...] = ()
        self._ran_off: set[int] = set()

    def decide(self, role: str, act: str, night: int) -> int | None:
        """Whom a role chooses in a night; asked twice, the same."""
        self.begin_round(night)
        if (night, act) not in self._acts:
            if self._night_over:
                self._choices, self._night_over = {}, False
            step = next(s for s in self.ruleset.night if s.role == role and s.act == act)
            self._acts[night, act] = self._choices[act] = pick(self.game, step, self._choices, self._rng)
        return self._acts[night, act]

    def begin_round(self, round_: int) -> None:
        """Count on to a round, once it is asked about."""
        if self.game.round < round_:
            # Where nobody died, the next night may have followed at once.
            self.settle_night()
            self.game = next_round(self.game)
            self._stage, self._candidates = 1, ()
            self._order = speaking_order(self.game, None)

    def settle_night(self) -> Dawn:
        """Bring the night to its end, once; what it brought to those who were still in the game."""
        night = len(self.game.nights)
        if not self._night_over or not night:
            self._night_over = True
            self.game, dawn = end_night(self.game, self._choices)
            if self.game.round == 1:
                self.first_victim = dawn.victim
            self._leave(dawn.deaths, Cause.KILLED)
            self._order = speaking_order(self.game, dawn.victim)
        return self.game.nights[-1].dawn

    def taken_along(self, seat: int) -> int | None:
        """Whom a seat that leaves takes along, if anybody; asked twice, the same."""
        self.settle_night()
        if seat not in self._partings:
            taken = self._partings[seat] = take_along(self.game, seat, self._rng)
            if taken is not None:
                self._leave((taken,), Cause.SHOT)
        return self._partings[seat]

    def _leave(self, seats: tuple[int, ...], cause: Cause) -> None:
        self.game = leave(self.game, seats, cause)
        self.verdict = self.verdict or verdict(self.game)

    def ballot(self, round_: int, stage: int) -> Ballot:
        """The hands of a ballot, raised when it is first called."""
        key = round_, stage
        if key not in self._ballots:
            self.settle_night()
            self.begin_round(round_)
            self._ballots[key] = self._vote(self._candidates or self._living_order())
        return self._ballots[key]

    def _vote(self, candidates: tuple[int, ...]) -> Ballot:
        voters, tie_chance = len(self.game.living), self._tie_bias * self._stage
        if self.ruleset.day.ballot == "spoken" and not self._candidates:
            names = name_aloud(candidates, tie_chance, self._rng)
            votes = {seat: list(names.values()).count(seat) for seat in candidates}
            return Ballot(candidates, votes, voters, names)
        return Ballot(candidates, raise_hands(candidates, voters, tie_chance, self._rng), voters)

    def _living_order(self) -> tuple[int, ...]:
        return tuple(seat for seat in self._order if self.game.is_living(seat))

    @property
    def latest(self) -> Ballot:
        """The ballot that was called last."""
        return list(self._ballots.values())[-1]

    def agree_on(self, ballot: Ballot, round_: int) -> None:
        """The count was read back right: what it leads to, once."""
        if ballot.agreed:
            return
        result = ballot.result
        ballot.agreed = True
        final = runoff(self.game, Tally(ballot.votes, ballot.voters), ballot.candidates)
        if final is not None and round_ not in self._ran_off:
            self._ran_off.add(round_)
            self._candidates = final.candidates
        elif isinstance(result, Leaves):
            self._leave((result.seat,), Cause.VOTED)
        elif isinstance(result, Tied):
            step = after_tie(self.game, self._stage, result.seats, self._living_order())
            if isinstance(step, Drawn):
                self.verdict = self.verdict or drawn(self.ruleset.tie)
            elif isinstance(step, Revote):
                self._stage += 1
                self._candidates = step.candidates
