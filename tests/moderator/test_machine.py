"""The tables of states and transitions: complete, connected, never stuck, and drawn as they are."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest
from anybody import evening
from table import Table

from narrator.moderator.diagram import mermaid
from narrator.moderator.evening import Agreement, Secrets, Setup
from narrator.moderator.machine import INITIAL, STATES, TRANSITIONS, Row
from narrator.moderator.moderator import Moderator
from narrator.rehearsal.script import Script
from narrator.rehearsal.simulate import _Play, simulate
from narrator.rules import ruleset as rulesets

SEEDS = range(12)


def names() -> set[str]:
    """Every chapter's method that a table names."""
    named = {entry for entry in STATES.values() if entry}
    for row in TRANSITIONS:
        named |= {row.when} if row.when else set()
        named |= set((row.then or "").split())
    return named


def test_every_name_in_the_tables_is_a_method_of_a_chapter() -> None:
    moderator = Moderator(Setup(1))
    for name in names():
        assert callable(moderator._resolve(name)), name


def test_every_row_leads_from_a_state_to_a_state() -> None:
    for row in TRANSITIONS:
        assert row.source == "*" or row.source in STATES
        assert row.dest in STATES


def test_every_state_can_be_reached_from_the_beginning() -> None:
    reached = {INITIAL}
    while True:
        further = {row.dest for row in TRANSITIONS if row.source == "*" or row.source in reached}
        if further <= reached:
            break
        reached |= further
    assert reached == set(STATES)


def test_without_the_judge_s_powers_every_state_but_the_pause_is_on_a_way_to_the_end() -> None:
    rows = [row for row in TRANSITIONS if row.source != "*"]
    ending = {"ended"}
    while True:
        earlier = {row.source for row in rows if row.dest in ending}
        if earlier <= ending:
            break
        ending |= earlier
    assert ending == set(STATES) - {"paused"}


def test_rows_of_one_state_are_tried_in_order_and_only_the_last_is_unconditional() -> None:
    key: Callable[[Row], tuple[str, str]] = lambda row: (row.source, row.trigger)  # noqa: E731
    for (source, trigger), group in itertools.groupby(sorted(TRANSITIONS, key=key), key=key):
        *conditional, last = group
        assert all(row.when for row in conditional), (source, trigger)
        assert last.when is None, (source, trigger)


class Watched(Moderator):
    """A moderator that keeps a list of what was entered, tested and done."""

    def __init__(self, setup: Setup) -> None:
        self.called: set[str] = set()
        super().__init__(setup)

    def _resolve(self, name: str) -> Callable[[], Any]:
        method = super()._resolve(name)

        def watched() -> Any:
            self.called.add(name)
            return method()

        return watched


def test_games_with_noise_pass_through_every_state_and_try_every_condition() -> None:
    called: set[str] = set()
    for seed, way, ruleset in itertools.product(range(4), Secrets, rulesets.all_rulesets()):
        players = random.Random(f"{seed}:players").randint(ruleset.fewest, ruleset.most)
        moderator = Watched(Setup(seed, previous=Agreement(ruleset.id, players, way)))
        script = Script(ruleset, players, way, seed, tie_bias=0.4)
        play = _Play(moderator, script, random.Random(f"{seed}:noise"), noise=0.2)
        outcome = play.run()
        assert outcome.violations == []
        assert moderator.ended
        called |= moderator.called
    for seed in SEEDS:
        _, table = evening(seed, moderated_by=Watched)
        assert isinstance(table.moderator, Watched)
        called |= table.moderator.called
    assert names() - called == set()


@pytest.mark.parametrize("way", list(Secrets))
@pytest.mark.parametrize("ruleset", rulesets.all_rulesets(), ids=lambda ruleset: ruleset.id)
def test_no_amount_of_noise_changes_what_the_players_meant(ruleset: rulesets.Ruleset, way: Secrets) -> None:
    for seed, noise in itertools.product(range(4), (0.0, 0.3)):
        players = random.Random(f"{seed}:players").randint(ruleset.fewest, ruleset.most)
        outcome = simulate(ruleset, players, way, seed, noise)
        assert outcome.violations == []
        assert outcome.winner in ("killers", "good", "draw")


def test_the_machine_waits_only_where_somebody_is_asked() -> None:
    table = Table(Setup(1, ruleset="standard", players=8, secrets=Secrets.KEYPAD))
    assert table.state == "lobby.agreeing"
    table.answer(True)
    assert table.state == "dealing"
    table.answer("ready")
    assert table.state == "night.identifying"


def test_before_the_beginning_nothing_is_heard() -> None:
    moderator = Moderator(Setup(1))
    assert moderator.state == INITIAL
    assert moderator.resume_question() == ()


# The drawing


def test_the_diagram_shows_every_state() -> None:
    drawing = mermaid()
    for state in STATES:
        parent, _, child = state.rpartition(".")
        assert f'state "{child}" as {state}' in drawing
        if parent:
            assert f"state {parent} {{" in drawing


def test_the_diagram_shows_every_transition_with_its_condition() -> None:
    lines = {line.strip() for line in mermaid().splitlines()}
    labels: dict[tuple[str, str], str] = {}
    for line in lines:
        if " --> " in line and ": " in line:
            source, _, rest = line.partition(" --> ")
            dest, _, label = rest.partition(": ")
            labels[source, dest] = labels.get((source, dest), "") + label
    for row in TRANSITIONS:
        if row.source == "*":
            assert f"{row.trigger} → {row.dest}" in mermaid()
            continue
        label = labels[row.source, row.dest]
        assert row.trigger in label
        if row.when:
            assert row.when.partition(".")[2] in label


def test_the_diagram_begins_as_mermaid_reads_it_and_is_the_same_every_time() -> None:
    assert mermaid().startswith("stateDiagram-v2\n")
    assert mermaid() == mermaid()
