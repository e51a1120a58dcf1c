"""Every game that tiny tables can play, counted twice: by walking the rules, and by arithmetic.

The arithmetic is written from the text of the seeds and shares no code with the rules. It only knows
how many killers, police and civilians are living; the walk knows seats, departures and ballots.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import comb

import pytest
from game_tables import CHECK, KILL, tiny

from narrator.rules.ballot import Drawn, Leaves, Nobody, Revote, Tally, Tied, after_tie, outcome
from narrator.rules.game import Cause, Game, leave, next_round
from narrator.rules.night import may_choose, resolve
from narrator.rules.order import speaking_order
from narrator.rules.victory import drawn, verdict

Ends = Counter[str]
"""How many different games end for each reason; ``open`` are those the last round left undecided."""


# By walking the rules


def counts_of_hands(candidates: tuple[int, ...], voters: int) -> list[Tally]:
    tallies = [Tally({}, voters)]
    for candidate in candidates:
        tallies = [tally.add(candidate, hands) for tally in tallies for hands in range(tally.left + 1)]
    return tallies


class Walk:
    """Walks every choice and every count of hands; positions with the same living are walked once."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self._nights: dict[tuple[tuple[int, ...], int], Ends] = {}
        self._ballots: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Counter[int | str]] = {}

    def night(self, game: Game) -> Ends:
        if game.round > self.rounds:
            return Counter({"open": 1})
        key = (game.living, game.round)
        if key not in self._nights:
            ends: Ends = Counter()
            for victim in (None, *game.seats):
                if may_choose(game, KILL, victim) is not None:
                    continue
                for checked in (None, *game.seats):
                    if may_choose(game, CHECK, checked) is None:
                        dawn = resolve(game, {"kill": victim, "check": checked})
                        ends += self.day(leave(game, dawn.deaths, Cause.KILLED), victim)
            self._nights[key] = ends
        return self._nights[key]

    def day(self, game: Game, victim: int | None) -> Ends:
        if found := verdict(game):
            return Counter({found.reason: 1})
        order = speaking_order(game, victim)
        ends: Ends = Counter()
        for result, ways in self.ballot(game, 1, order, order).items():
            for reason, games in self.after(game, result).items():
                ends[reason] += ways * games
        return ends

    def after(self, game: Game, result: int | str) -> Ends:
        if result == "drawn":
            return Counter({drawn().reason: 1})
        if isinstance(result, int):
            game = leave(game, (result,), Cause.VOTED)
            if found := verdict(game):
                return Counter({found.reason: 1})
        return self.night(next_round(game))

    def ballot(
        self, game: Game, stage: int, candidates: tuple[int, ...], order: tuple[int, ...]
    ) -> Counter[int | str]:
        """In how many ways each seat leaves, ``nobody`` does, or the game is ``drawn``."""
        key = (stage, candidates, order)
        if key not in self._ballots:
            ways: Counter[int | str] = Counter()
            for tally in counts_of_hands(candidates, len(game.living)):
                match outcome(tally):
                    case Leaves(seat, _):
                        ways[seat] += 1
                    case Nobody():
                        ways["nobody"] += 1
                    case Tied(seats, _):
                        step = after_tie(game, stage, seats, order)
                        if isinstance(step, Drawn):
                            ways["drawn"] += 1
                        else:
                            assert isinstance(step, Revote)
                            ways += self.ballot(game, stage + 1, step.candidates, order)
            self._ballots[key] = ways
        return self._ballots[key]


# By arithmetic


@cache
def single_vote(candidates: int, voters: int) -> tuple[int, int, Counter[int]]:
    """Ways in which one *given* candidate wins, in which nobody votes, and in which so many tie."""
    wins, ties = 0, Counter[int]()
    for hands in product(range(voters + 1), repeat=candidates):
        if sum(hands) > voters or not any(hands):
            continue
        leaders = hands.count(max(hands))
        if leaders > 1:
            ties[leaders] += 1
        elif hands[0] == max(hands):
            wins += 1
    return wins, 1, ties


@cache
def whole_vote(candidates: int, voters: int, votes_left: int) -> tuple[int, int, int]:
    """Ways in which one given candidate leaves, nobody leaves, the game is drawn; ties voted on again."""
    wins, nobody, ties = single_vote(candidates, voters)
    drawn_ways = 0
    for tied, ways in ties.items():
        if votes_left == 1:
            drawn_ways += ways
            continue
        again = whole_vote(tied, voters, votes_left - 1)
        # Of all ties of this size, the given candidate is in tied/candidates.
        wins += ways * tied * again[0] // candidates
        nobody += ways * again[1]
        drawn_ways += ways * again[2]
    return wins, nobody, drawn_ways


def ended(killers: int, police: int, civilians: int) -> str | None:
    if killers == 0:
        return "killers_out"
    if police == 0:
        return "police_out"
    return "civilians_out" if civilians == 0 else None


@cache
def games(killers: int, police: int, civilians: int, nights: int) -> Ends:
    """Every game from a nightfall on: nobody or one is killed, nobody or one is checked, then the vote."""
    if nights == 0:
        return Counter({"open": 1})
    living = killers + police + civilians
    checks = living + 1
    ends: Ends = Counter()
    for seats, after in ((1, (killers, police, civilians)), *one_fewer(killers, police, civilians)):
        for reason, ways in days(*after, nights).items():
            ends[reason] += checks * seats * ways
    return ends


@cache
def days(killers: int, police: int, civilians: int, nights: int) -> Ends:
    if reason := ended(killers, police, civilians):
        return Counter({reason: 1})
    living = killers + police + civilians
    wins, nobody, drawn_ways = whole_vote(living, living, 3)
    ends: Ends = Counter({"third_tie": drawn_ways})
    for reason, ways in games(killers, police, civilians, nights - 1).items():
        ends[reason] += nobody * ways
    for seats, after in one_fewer(killers, police, civilians):
        reason_now = ended(*after)
        following = Counter({reason_now: 1}) if reason_now else games(*after, nights - 1)
        for reason, ways in following.items():
            ends[reason] += wins * seats * ways
    return ends


def one_fewer(killers: int, police: int, civilians: int) -> list[tuple[int, tuple[int, int, int]]]:
    return [
        (killers, (killers - 1, police, civilians)),
        (police, (killers, police - 1, civilians)),
        (civilians, (killers, police, civilians - 1)),
    ]


# The comparison


@pytest.mark.parametrize("voters", [1, 2, 3, 4, 5])
def test_every_count_of_hands_is_possible_once(voters: int) -> None:
    """Abstaining is allowed (000 §3.16, 001 §二.3(13)): one more heap of votes, stars and bars."""
    candidates = tuple(range(1, voters + 1))
    tallies = counts_of_hands(candidates, voters)
    assert len({tuple(tally.votes.items()) for tally in tallies}) == len(tallies) == comb(2 * voters, voters)


@pytest.mark.parametrize(("players", "rounds"), [(4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 3)])
def test_the_rules_play_exactly_the_games_the_arithmetic_counts(players: int, rounds: int) -> None:
    walked = Walk(rounds).night(tiny(players))
    assert +walked == +games(1, 1, players - 2, rounds)


PINNED = {
    4: {
        "killers_out": 1_461_500,
        "police_out": 1_461_500,
        "civilians_out": 726_840,
        "third_tie": 603_540,
        "open": 1_870_065,
    },
    5: {
        "killers_out": 149_415_036,
        "police_out": 149_415_036,
        "civilians_out": 18_867_600,
        "third_tie": 82_096_650,
        "open": 337_988_088,
    },
}


@pytest.mark.parametrize("players", PINNED)
def test_the_number_of_games_of_two_rounds_stays_what_it_was(players: int) -> None:
    assert Walk(2).night(tiny(players)) == PINNED[players]


def test_a_killer_and_the_police_are_as_likely_to_go_as_anybody() -> None:
    """One killer, one police: every choice that ends it for one has its twin that ends it for the other."""
    ends = Walk(2).night(tiny(5))
    assert ends["killers_out"] == ends["police_out"]


def test_three_kinds_at_a_table_of_four_are_soon_decided() -> None:
    """Two civilians can leave in the first round: killed at night and voted out by day."""
    assert Walk(1).night(tiny(4))["civilians_out"] > 0
    assert Walk(1).night(tiny(5))["civilians_out"] == 0
