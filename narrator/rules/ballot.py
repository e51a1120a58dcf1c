"""The ballot: hands per candidate, who has most, and what a tie leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from narrator.rules.game import Game
from narrator.rules.registry import TIES, register


@dataclass(frozen=True)
class Tally:
    """Hands counted so far: candidate to votes. ``voters`` is how many may vote, once each or not at all."""

    votes: Mapping[int, int]
    voters: int

    @property
    def left(self) -> int:
        """How many votes can still be given: one each, abstaining allowed (000 §3.16, 001 §二.3(13))."""
        return self.voters - sum(self.votes.values())

    def add(self, candidate: int, hands: int) -> Tally:
        """Count a candidate's hands; ``ValueError`` for more than are left or a candidate counted already.

        Late and changed votes are void (000 §5.11, 001 §二.5(10)), so nobody is counted twice.
        """
        if candidate in self.votes:
            raise ValueError(f"candidate {candidate} is counted already")
        if not 0 <= hands <= self.left:
            raise ValueError(f"{hands} votes where {self.left} are left")
        return Tally({**self.votes, candidate: hands}, self.voters)


def room(tally: Tally, but: int | None = None) -> int:
    """The most hands that can still be counted, as if candidate ``but`` had not been counted yet."""
    return tally.left + (0 if but is None else tally.votes.get(but, 0))


@dataclass(frozen=True, slots=True)
class Leaves:
    """One candidate has most votes and leaves."""

    seat: int
    votes: int


@dataclass(frozen=True, slots=True)
class Tied:
    """Several candidates have most votes, in the order they were called."""

    seats: tuple[int, ...]
    votes: int


@dataclass(frozen=True, slots=True)
class Nobody:
    """Nobody got a vote: nobody leaves and night falls (house decision)."""


Outcome = Leaves | Tied | Nobody


@dataclass(frozen=True, slots=True)
class Revote:
    """Who speaks before the next vote, and between whom it is."""

    speakers: tuple[int, ...]
    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The tie ends the game in a draw."""


def outcome(tally: Tally) -> Outcome:
    """Who leaves: the one with most votes (000 §3.17, 001 §二.3(13))."""
    most = max(tally.votes.values(), default=0)
    if most == 0:
        return Nobody()
    first = tuple(seat for seat, votes in tally.votes.items() if votes == most)
    return Leaves(first[0], most) if len(first) == 1 else Tied(first, most)


def after_tie(
    game: Game, stage: int, tied: tuple[int, ...], order: tuple[int, ...]
) -> Revote | Drawn | Nobody:
    """What follows the ``stage``-th tie (1, 2, 3) of a day; ``order`` is the day's speaking order."""
    result: Revote | Drawn | Nobody = TIES[game.ruleset.tie](game, stage, tied, order)
    return result


def runoff(game: Game, tally: Tally, order: tuple[int, ...]) -> Revote | None:
    """Who debates and stands in the second vote of a run-off; None where the first vote decides.

    The one with most votes and the ``runners_up`` behind it, all who have as many votes as the last of
    them included (house decision); nobody without a vote stands. With a single candidate left, or with
    ``runners_up`` = 0, most votes decide at once.
    """
    if not game.ruleset.runners_up:
        return None
    ranked = sorted((votes for votes in tally.votes.values() if votes), reverse=True)
    if len(ranked) < 2:
        return None
    least = ranked[min(game.ruleset.runners_up, len(ranked) - 1)]
    finalists = tuple(seat for seat in order if tally.votes.get(seat, 0) >= least)
    return Revote(finalists, finalists)


@register(TIES, "three_step")
def _three_step(game: Game, stage: int, tied: tuple[int, ...], order: tuple[int, ...]) -> Revote | Drawn:
    """The tied speak; tied again, all others speak; tied a third time, a draw (000 §4.5, 001 §二.4)."""
    if stage not in (1, 2, 3):
        raise ValueError(f"tie number {stage} of one day")
    candidates = tuple(seat for seat in order if seat in tied)
    if stage == 1:
        return Revote(candidates, candidates)
    if stage == 2:
        return Revote(tuple(seat for seat in order if seat not in tied), candidates)
    return Drawn()


@register(TIES, "nobody_leaves")
def _nobody_leaves(game: Game, stage: int, tied: tuple[int, ...], order: tuple[int, ...]) -> Nobody:
    """Nobody leaves today (002 §3.D)."""
    return Nobody()


@register(TIES, "once_more")
def _once_more(game: Game, stage: int, tied: tuple[int, ...], order: tuple[int, ...]) -> Revote | Nobody:
    """The tied speak and are voted on again; tied again, nobody leaves (house decision: ``werewolf``)."""
    if stage > 1:
        return Nobody()
    candidates = tuple(seat for seat in order if seat in tied)
    return Revote(candidates, candidates)


@register(TIES, "draw")
def _draw(game: Game, stage: int, tied: tuple[int, ...], order: tuple[int, ...]) -> Drawn:
    """The first tie is a draw (a table's own rule)."""
    return Drawn()
