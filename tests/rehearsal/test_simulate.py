"""Games without sound: they end as the players' choices mean, and a broken moderator does not get away."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from narrator.cli.main import main
from narrator.moderator import day, endgame, vote
from narrator.moderator.dialog import Dialog
from narrator.moderator.effects import Expect
from narrator.moderator.evening import Secrets
from narrator.moderator.inputs import Answer
from narrator.moderator.moderator import Moderator
from narrator.rehearsal.simulate import simulate, simulate_many
from narrator.rules import ruleset as rulesets
from narrator.rules.ballot import Leaves, Tally, Tied, outcome
from narrator.rules.night import end_night
from narrator.rules.order import speaking_order
from narrator.rules.victory import Verdict, verdict

TWO = ["showdown", "doctor"]

TABLES = [
    *(("standard", 8), ("standard", 15), ("classic", 11), ("showdown", 7)),
    *(("doctor", 9), ("butterfly", 13), ("werewolf", 12)),
]


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("secrets", list(Secrets))
@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_every_table_comes_to_its_verdict(ruleset: str, players: int, secrets: Secrets, noise: float) -> None:
    for seed in range(6):
        ended = simulate(rulesets.load(ruleset), players, secrets, seed, noise)
        assert ended.violations == []
        assert ended.winner in ("killers", "good", "draw")
        assert ended.rounds >= 1


def test_noise_costs_answers_but_changes_no_verdict() -> None:
    ruleset = rulesets.load("standard")
    more = 0
    for seed in range(15):
        calm = simulate(ruleset, 8, Secrets.KEYPAD, seed, noise=0.0)
        noisy = simulate(ruleset, 8, Secrets.KEYPAD, seed, noise=0.3)
        assert (calm.winner, calm.reason, calm.rounds) == (noisy.winner, noisy.reason, noisy.rounds)
        more += noisy.answers - calm.answers
    assert more > 15


def test_every_end_that_the_rules_know_is_met() -> None:
    (figures,) = simulate_many(["standard"], None, Secrets.KEYPAD, 60, seed=1)
    assert set(figures["winners"]) == {"killers", "good", "draw"}
    assert {"killers_out", "police_out", "civilians_out", "third_tie"} <= set(figures["reasons"])
    assert figures["violations"] == []


def test_the_dead_of_every_night_are_counted_and_the_shares_add_up() -> None:
    """001 §三: none to three; 002 §3.A; in ``showdown`` the only night has none."""
    figures = {each["ruleset"]: each for each in simulate_many(TWO, None, None, 12, seed=2)}
    assert figures["showdown"]["deaths_per_night"] == {"0": 12}
    assert {"0", "1"} <= set(figures["doctor"]["deaths_per_night"]) <= {"0", "1", "2", "3"}
    for each in figures.values():
        assert sum(each["win_shares"].values()) == pytest.approx(1, abs=0.002)
        assert each["violations"] == []


def test_the_same_seed_gives_the_same_figures() -> None:
    def figures(seed: int) -> list[dict[str, Any]]:
        found = [*simulate_many(["standard", "classic"], None, None, 8, seed)]
        for each in found:
            assert each.pop("games_per_second") > 1
            # How long the moderator took differs from run to run, how often it was told something doesn't.
            assert (
                0
                < each.pop("input_us") * each["inputs_mean"] / 1000
                == pytest.approx(each.pop("game_ms"), rel=0.05)
            )
            assert each["inputs_mean"] >= each["answers_mean"]
        return found

    assert figures(1) == figures(1)
    assert figures(1) != figures(2)


# Broken moderators


def wrong_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(game: Any) -> Verdict | None:
        found = verdict(game)
        swap = {"killers": "good", "good": "killers", "draw": "killers"}
        return None if found is None else replace(found, winner=swap[found.winner])

    monkeypatch.setattr(endgame, "verdict", turned)


def never_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgame, "verdict", lambda game: None)


def loser_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(tally: Tally) -> Any:
        found = outcome(tally)
        if isinstance(found, Leaves):
            return replace(found, seat=min(tally.votes, key=lambda seat: (tally.votes[seat], seat)))
        return found

    monkeypatch.setattr(vote, "outcome", turned)


def ties_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(tally: Tally) -> Any:
        found = outcome(tally)
        return Leaves(found.seats[0], found.votes) if isinstance(found, Tied) else found

    monkeypatch.setattr(vote, "outcome", turned)


def speakers_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(day, "speaking_order", lambda *given: tuple(reversed(speaking_order(*given))))


def the_dead_speak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(day, "speaking_order", lambda game, *_: tuple(range(1, game.players + 1)))
    monkeypatch.setattr(day.Day, "_skip_those_out", lambda self: None)


def nobody_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    def peaceful(game: Any, choices: Any) -> Any:
        ended, found = end_night(game, choices)
        return ended, replace(found, deaths=())

    monkeypatch.setattr(day, "end_night", peaceful)


def next_seat_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(game: Any, choices: Any) -> Any:
        ended, found = end_night(game, choices)
        deaths = tuple(next(s for s in game.living if s != seat) for seat in found.deaths)
        return ended, replace(found, deaths=deaths)

    monkeypatch.setattr(day, "end_night", turned)


def neither_doubts_nor_disputes(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Dialog.take
    monkeypatch.setattr(Dialog, "take", lambda self, answer: true(self, Answer(answer.kind, answer.value)))
    monkeypatch.setattr(vote.Vote, "disputed", lambda self: False)


def forgets_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Moderator.handle

    def deaf(self: Moderator, event: Any) -> tuple[Any, ...]:
        effects = true(self, event)
        return tuple(e for e in effects if not (isinstance(e, Expect) and e.about == "tally"))

    monkeypatch.setattr(Moderator, "handle", deaf)


def asks_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Moderator.handle

    def stutters(self: Moderator, event: Any) -> tuple[Any, ...]:
        effects = true(self, event)
        return (*effects, *(e for e in effects if isinstance(e, Expect) and e.about == "speech"))

    monkeypatch.setattr(Moderator, "handle", stutters)


@pytest.mark.parametrize(
    ("breaks", "complaint"),
    [
        (wrong_winner, "players' choices mean"),
        (never_over, "nobody knows"),
        (loser_leaves, ""),
        (ties_ignored, ""),
        (speakers_backwards, "speaks after"),
        (the_dead_speak, "speaks but is out"),
        (nobody_dies, ""),
        (next_seat_dies, ""),
        (neither_doubts_nor_disputes, ""),
        (forgets_to_ask, "nobody is asked"),
        (asks_twice, "two questions at once"),
    ],
)
def test_a_broken_moderator_is_caught(
    breaks: Callable[[pytest.MonkeyPatch], None], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks(monkeypatch)
    standard, found = rulesets.load("standard"), list[str]()
    for seed in range(12):
        found += simulate(standard, 8, Secrets.KEYPAD, seed, noise=0.3).violations
        if any(complaint in violation for violation in found):
            return
    raise AssertionError(f"not caught; all that was found is {found}")


def test_the_command_fails_when_an_invariant_was_violated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--games", "3", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ruleset"] for line in lines] == [ruleset.id for ruleset in rulesets.all_rulesets()]
    assert all(line["games"] == 3 and line["violation_count"] == 0 for line in lines)

    wrong_winner(monkeypatch)
    assert main(["simulate", "--ruleset", "standard", "--secrets", "keypad", "--games", "3"]) == 1
    shown = capsys.readouterr().out
    assert "3 games" in shown
    assert "players' choices mean" in shown
