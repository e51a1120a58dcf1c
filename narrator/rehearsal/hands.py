"""How a synthetic table votes: whose hands go up for whom, and what was read back of it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from narrator.rules.ballot import Outcome, Tally, outcome


@dataclass(slots=True)
class Ballot:
    """The hands of one vote, decided before anyone is called.

    ``names`` are the votes of a spoken ballot, voter to whom it names, ``heard_names`` as read back.
    """

    candidates: tuple[int, ...]
    votes: dict[int, int]
    voters: int
    names: dict[int, int] = field(default_factory=dict)
    heard_names: dict[int, int] = field(default_factory=dict)
    read_back: dict[int, int] = field(default_factory=dict)
    agreed: bool = False

    @property
    def result(self) -> Outcome:
        """Who leaves by these hands."""
        return outcome(Tally(votes=self.votes, voters=self.voters))

    @property
    def misread(self) -> list[int]:
        """The candidates whose count, or the voters whose spoken vote, was read back wrong."""
        if self.names:
            return [voter for voter, name in self.heard_names.items() if name != self.names[voter]]
        return [seat for seat, read in self.read_back.items() if read != self.votes.get(seat, 0)]


def raise_hands(
    candidates: tuple[int, ...], voters: int, tie_chance: float, rng: random.Random
) -> dict[int, int]:
    """Everybody's hand for one candidate or for none; sometimes two candidates share all the votes."""
    votes = dict.fromkeys(candidates, 0)
    if len(candidates) > 1 and rng.random() < tie_chance:
        pair = rng.sample(candidates, 2)
        for place in range(voters - voters % 2):
            votes[pair[place % 2]] += 1
        return votes
    favourite = rng.choice(candidates)
    for _ in range(voters):
        if rng.random() < 0.1:
            continue
        votes[favourite if rng.random() < 0.4 else rng.choice(candidates)] += 1
    return votes
