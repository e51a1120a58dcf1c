"""Whatever a table does, some things always hold: random games from the deal to the verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game_tables import KILL, dealt, living_counts
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.rules.ballot import Drawn, Leaves, Nobody, Revote, Tally, Tied, after_tie, outcome, room
from narrator.rules.game import Cause, Game, leave, next_round
from narrator.rules.lastwords import has_last_words, quota
from narrator.rules.night import may_choose, resolve
from narrator.rules.order import speaking_order
from narrator.rules.roles import Side
from narrator.rules.ruleset import load
from narrator.rules.victory import Verdict, could_be_over, drawn, verdict

# The same games every time; a failure is shown with its smallest example.
story = settings(max_examples=80, deadline=None, derandomize=True, database=None)

Watch = Callable[[Game, Game], None]


@st.composite
def tables(draw: st.DrawFn) -> Game:
    ruleset = draw(st.sampled_from((load("standard"), load("classic"))))
    players = draw(st.integers(ruleset.fewest, ruleset.most))
    cards = draw(st.permutations(list(dealt(ruleset, players).values())))
    return Game(
        ruleset,
        players,
        dict(enumerate(cards, start=1)),
        right_hand=draw(st.sampled_from((1, -1))),
        barred=draw(st.none() | st.integers(1, players)),
    )


def count_hands(data: Any, candidates: tuple[int, ...], voters: int) -> Tally:
    tally = Tally({}, voters)
    for candidate in candidates:
        tally = tally.add(candidate, data.draw(st.integers(0, tally.left), label=f"hands for {candidate}"))
        assert sum(tally.votes.values()) <= voters
        assert 0 <= tally.left <= voters
        assert room(tally, but=candidate) == tally.left + tally.votes[candidate]
    return tally


def vote(data: Any, game: Game, order: tuple[int, ...]) -> int | Drawn | None:
    """The seat that leaves, nobody, or the draw after a third tie."""
    candidates = order
    for stage in (1, 2, 3):
        tally = count_hands(data, candidates, len(game.living))
        result = outcome(tally)
        if isinstance(result, Nobody):
            assert set(tally.votes.values()) <= {0}
            return None
        if isinstance(result, Leaves):
            assert all(votes < result.votes for seat, votes in tally.votes.items() if seat != result.seat)
            return result.seat
        assert isinstance(result, Tied)
        assert len(result.seats) > 1
        step = after_tie(game, stage, result.seats, order)
        if isinstance(step, Drawn):
            assert stage == 3
            return step
        assert isinstance(step, Revote)
        assert set(step.candidates) == set(result.seats) <= set(candidates)
        assert set(step.speakers) == (
            set(step.candidates) if stage == 1 else set(game.living) - set(step.candidates)
        )
        candidates = step.candidates
    raise AssertionError("a fourth vote")


def play(data: Any, game: Game, watch: Watch) -> tuple[Game, Verdict | None]:
    """Play until a verdict or, where nobody wants to kill or vote, for twenty rounds."""
    while game.round <= 20:
        allowed = [seat for seat in game.living if may_choose(game, KILL, seat) is None]
        victim = data.draw(st.none() | st.sampled_from(allowed), label="victim")
        before = game
        game = leave(game, resolve(game, {"kill": victim, "check": None}).deaths, Cause.KILLED)
        watch(before, game)
        if data.draw(st.integers(0, 9), label="sent out") == 0 and verdict(game) is None:
            before = game
            game = leave(game, (data.draw(st.sampled_from(game.living)),), Cause.EJECTED)
            watch(before, game)
        if found := verdict(game):
            return game, found
        order = speaking_order(game, victim)
        assert sorted(order) == list(game.living)
        leaves = vote(data, game, order)
        if isinstance(leaves, Drawn):
            return game, drawn()
        before = game
        game = leave(game, () if leaves is None else (leaves,), Cause.VOTED)
        watch(before, game)
        if found := verdict(game):
            return game, found
        game = next_round(game)
    return game, None


@story
@given(game=tables(), data=st.data())
def test_nobody_comes_back_to_life(game: Game, data: Any) -> None:
    """000 §3.14, 001 §二.3(11)."""

    def watch(before: Game, after: Game) -> None:
        assert set(after.living) <= set(before.living)
        counts, earlier = living_counts(after), living_counts(before)
        assert all(counts[role] <= earlier[role] for role in counts)
        assert sum(counts.values()) == len(after.living)
        assert len(after.living) + len(after.departures) == after.players

    play(data, game, watch)


@story
@given(game=tables(), data=st.data())
def test_the_verdict_says_what_the_counts_say(game: Game, data: Any) -> None:
    """000 §4, 001 §二.4."""
    end, found = play(data, game, lambda before, after: None)
    counts = living_counts(end)
    if found is None or found.reason == "third_tie":
        assert min(counts.values()) > 0
        return
    gone = {"killers_out": "killer", "police_out": "police", "civilians_out": "civilian"}[found.reason]
    assert counts[gone] == 0
    assert found.winner == {"killer": Side.GOOD, "police": Side.KILLERS, "civilian": "draw"}[gone]
    assert found.winner != Side.KILLERS or counts["killer"] > 0


@story
@given(game=tables(), data=st.data())
def test_the_judge_is_never_asked_too_late(game: Game, data: Any) -> None:
    """House decision on secrets kept by the judge: whoever ends the game, he is asked at that moment."""

    def watch(before: Game, after: Game) -> None:
        blind = Game(after.ruleset, after.players, None, after.departures, after.round)
        if after != before and verdict(after) is not None:
            assert could_be_over(blind)

    play(data, game, watch)


@story
@given(game=tables(), data=st.data())
def test_last_words_are_settled_once_and_within_the_quota(game: Game, data: Any) -> None:
    """000 §3.13, §3.17; 001 §二.3 注释."""
    told: dict[int, bool] = {}

    def watch(before: Game, after: Game) -> None:
        for departure in after.departures[len(before.departures) :]:
            told[departure.seat] = has_last_words(after, departure.seat)
        assert all(has_last_words(after, seat) == may for seat, may in told.items())

    end, _ = play(data, game, watch)
    assert sum(told.values()) <= quota(end)
    unheard = [d for d in end.departures if d.cause is not Cause.EJECTED and not told[d.seat]]
    assert not unheard or sum(told.values()) == quota(end)
