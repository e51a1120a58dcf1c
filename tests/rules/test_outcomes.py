"""Every way in which small games can come out, seat by seat: found by playing, and listed without the rules.

An outcome is who left in which order, why, with or without last words, and what decided the game. There
are finitely many, however many peaceful nights and empty ballots lie between two departures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations, product

import pytest
from game_tables import CHECK, KILL, TINY, dealt

from narrator.rules.ballot import Drawn, Leaves, Nobody, Revote, Tally, Tied, after_tie, outcome
from narrator.rules.game import Cause, Game, leave, next_round
from narrator.rules.lastwords import has_last_words
from narrator.rules.night import may_choose, resolve
from narrator.rules.order import speaking_order
from narrator.rules.penalties import eject
from narrator.rules.ruleset import Ruleset, read_ruleset
from narrator.rules.victory import drawn, may_surrender, surrender, verdict

Left = tuple[int, str, bool]
"""A seat, why it left, and whether it had last words."""

Outcome = tuple[tuple[Left, ...], str]
"""Who left, in order, and what decided the game."""

PAIRS = TINY.replace("[4, 5], killer = 1, police = 1", "[6, 6], killer = 2, police = 2")


def small(players: int) -> Ruleset:
    """One killer and one police for four or five, two and two for six."""
    text = PAIRS if players == 6 else TINY
    return read_ruleset("small", text.encode(), "small.toml")


# By playing


def story(game: Game) -> tuple[Left, ...]:
    return tuple((gone.seat, gone.cause.value, has_last_words(game, gone.seat)) for gone in game.departures)


class Ballots:
    """What a ballot can lead to, found by counting every possible number of hands for every candidate."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, frozenset[int], frozenset[int]], frozenset[int | str]] = {}

    def results(
        self, game: Game, order: tuple[int, ...], stage: int = 1, candidates: tuple[int, ...] = ()
    ) -> frozenset[int | str]:
        """The seats that can leave, ``nobody`` and ``drawn``."""
        candidates = candidates or order
        voters = len(game.living)
        # Who can leave doesn't depend on who is called first.
        key = (stage, frozenset(order), frozenset(candidates))
        if key not in self._known:
            tallies = [Tally({}, voters)]
            for seat in candidates:
                tallies = [tally.add(seat, hands) for tally in tallies for hands in range(tally.left + 1)]
            found: set[int | str] = set()
            for result in {outcome(tally) for tally in tallies}:
                match result:
                    case Leaves(seat, _):
                        found.add(seat)
                    case Nobody():
                        found.add("nobody")
                    case Tied(seats, _):
                        step = after_tie(game, stage, seats, order)
                        if isinstance(step, Drawn):
                            found.add("drawn")
                        else:
                            assert isinstance(step, Revote)
                            found |= self.results(game, order, stage + 1, step.candidates)
            self._known[key] = frozenset(found)
        return self._known[key]


def played(game: Game) -> set[Outcome]:
    """Play every choice of every night, every ballot and every power of the judge, each position once."""
    ballots, found = Ballots(), set[Outcome]()
    seen = set[tuple[str, tuple[tuple[int, Cause], ...]]]()
    open_: list[tuple[str, Game, int | None]] = [("night", game, None)]
    while open_:
        phase, now, victim = open_.pop()
        past = tuple((gone.seat, gone.cause) for gone in now.departures)
        if {("over", past), (phase, past)} & seen:
            continue
        over = verdict(now)
        seen.add(("over" if over else phase, past))
        told = story(now)
        if over:
            found.add((told, over.reason))
            continue
        found |= {
            (told, surrender(now, role).reason) for role in dealt_roles(now) if may_surrender(now, role)
        }
        open_ += [(phase, eject(now, seat), victim) for seat in now.living]
        if phase == "night":
            for choice in (None, *now.seats):
                if may_choose(now, KILL, choice) is None:
                    assert may_choose(now, CHECK, choice) is None
                    dawn = resolve(now, {"kill": choice, "check": choice})
                    open_.append(("day", leave(now, dawn.deaths, Cause.KILLED), choice))
            continue
        for result in ballots.results(now, speaking_order(now, victim)):
            if result == "drawn":
                found.add((told, drawn().reason))
            else:
                voted = (result,) if isinstance(result, int) else ()
                open_.append(("night", next_round(leave(now, voted, Cause.VOTED)), None))
    return found


def dealt_roles(game: Game) -> Mapping[str, int]:
    return game.ruleset.deal(game.players)


# By listing, from the text of the rules alone


def listed(roles: Mapping[int, str]) -> Iterator[Outcome]:
    """Leaving goes on until one kind is out; a third tie or a surrender may end it at any time before."""
    killers = sum(role == "killer" for role in roles.values())
    for gone in range(len(roles) + 1):
        for seats in permutations(roles, gone):
            kinds = [Counter(roles[seat] for seat in roles if seat not in seats[:n]) for n in range(gone + 1)]
            over = [not all(kind[role] for role in ("killer", "police", "civilian")) for kind in kinds]
            if any(over[:-1]):
                continue
            for causes in product(("killed", "voted", "ejected"), repeat=gone):
                heard = [cause != "ejected" for cause in causes]
                left = tuple(
                    (seat, causes[n], heard[n] and sum(heard[:n]) < killers) for n, seat in enumerate(seats)
                )
                yield from ((left, reason) for reason in endings(kinds[-1], over[-1]))


def endings(living: Mapping[str, int], over: bool) -> Iterator[str]:
    if over:
        yield next(f"{plural}_out" for role, plural in PLURALS.items() if living[role] == 0)
        return
    yield "third_tie"
    if living["killer"] == 1:
        yield "surrender_killers"
    if living["police"] == 1:
        yield "surrender_police"


PLURALS = {"killer": "killers", "police": "police", "civilian": "civilians"}


# The comparison

NUMBERS = {
    4: {
        "killers_out": 21,
        "police_out": 21,
        "civilians_out": 18,
        "third_tie": 7,
        "surrender_killers": 7,
        "surrender_police": 7,
    },
    5: {
        "killers_out": 192,
        "police_out": 192,
        "civilians_out": 162,
        "third_tie": 64,
        "surrender_killers": 64,
        "surrender_police": 64,
    },
    6: {
        "killers_out": 4338,
        "police_out": 4338,
        "civilians_out": 4338,
        "third_tie": 1531,
        "surrender_killers": 1446,
        "surrender_police": 1446,
    },
}
"""For each number of players, in how many ways each ending comes about."""


@pytest.mark.parametrize("players", [4, 5, 6])
def test_playing_comes_out_exactly_as_listed(players: int) -> None:
    """000 §3-5, 001 §二.3-5: the night, the vote, the ties, last words, ejections and surrenders together."""
    game = Game(small(players), players, dealt(small(players), players))
    assert game.roles is not None
    expected = list(listed(game.roles))
    assert len(set(expected)) == len(expected)
    found = played(game)
    assert found == set(expected)
    assert Counter(reason for _, reason in found) == NUMBERS[players]
