"""The moderator's states and transitions as tables, and the machine built from them.

Every state's entry is one method of a chapter. A state either asks a question, and then waits for an
answer, or only says something, and then ``next`` follows at once. Rows with the same trigger and source
are tried in order; the first whose condition holds is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from transitions.extensions.nesting import HierarchicalMachine, NestedState


class State(NestedState):
    """A state whose full name reads ``night.choosing``."""

    separator = "."


class Row(NamedTuple):
    """One transition; ``when`` names a condition, ``then`` what is done on the way."""

    trigger: str
    source: str
    dest: str
    when: str | None = None
    then: str | None = None


INITIAL = "waiting"

# state → what its entry does
STATES: Mapping[str, str | None] = {
    "waiting": None,
    "lobby.offering": "lobby.offer_previous",
    "lobby.players": "lobby.ask_players",
    "lobby.ruleset": "lobby.ask_ruleset",
    "lobby.customising": "ownrules.ask_knob",
    "lobby.secrets": "lobby.ask_secrets",
    "lobby.agreeing": "lobby.ask_agreement",
    "dealing": "lobby.deal",
    "night.falling": "night.fall",
    "night.waking": "night.wake",
    "night.identifying": "night.ask_holder",
    "night.choosing": "night.ask_choice",
    "night.hinting": "night.give_hint",
    "night.sleeping": "night.sleep",
    "dawn.breaking": "day.break_",
    "dawn.reporting": "day.ask_result",
    "dawn.announcing": "day.announce",
    "round": "day.open_round",
    "showing": "departures.show_card",
    "judging": "endgame.ask_over",
    "parting": "departures.ask_parting",
    "words": "day.hear_words",
    "lap": "day.open_lap",
    "speeches": "day.call_speaker",
    "naming": "spoken.ask_name",
    "ballot.opening": "vote.open",
    "ballot.counting": "vote.call_candidate",
    "ballot.agreeing": "vote.ask_agreement",
    "ballot.amending": "vote.ask_amendment",
    "ballot.recounting": "vote.recount",
    "tie.opening": "vote.open_debate",
    "tie.speeches": "day.call_speaker",
    "leaving": "vote.leave",
    "verdict": "endgame.announce",
    "review": "endgame.review",
    "paused": "pauses.ask_resume",
    "ended": "endgame.goodbye",
}


def _after_departure(source: str) -> tuple[Row, ...]:
    """Where the game goes once somebody has left (or nobody has)."""
    return (
        Row("next", source, "showing", "departures.card_due"),
        Row("next", source, "verdict", "endgame.is_over"),
        Row("next", source, "judging", "endgame.judge_must_say"),
        Row("next", source, "parting", "departures.parting_due"),
        Row("next", source, "words", "day.words_due"),
        Row("next", source, "night.falling", "day.night_follows", "day.remind_the_dead endgame.next_night"),
        Row("next", source, "round", "day.day_follows", "day.remind_the_dead endgame.next_night"),
        Row("next", source, "lap", "day.lap_left", "day.remind_the_dead"),
        Row("next", source, "ballot.opening", None, "day.remind_the_dead"),
    )


def _after_speech(source: str) -> tuple[Row, ...]:
    """Where the game goes once somebody has spoken, and voted where that is done at once."""
    return (
        Row("next", source, "speeches", "day.speaker_left"),
        Row("next", source, "lap", "day.lap_left"),
        Row("next", source, "ballot.opening"),
    )


TRANSITIONS: Sequence[Row] = (
    Row("open", "waiting", "lobby.offering", "lobby.has_previous"),
    Row("open", "waiting", "lobby.players"),
    Row("next", "lobby.offering", "lobby.customising", "ownrules.wanted", "ownrules.begin"),
    Row("next", "lobby.offering", "lobby.agreeing", "lobby.taken_over"),
    Row("next", "lobby.offering", "lobby.players"),
    Row("next", "lobby.players", "lobby.ruleset"),
    Row("next", "lobby.ruleset", "lobby.customising", "ownrules.wanted", "ownrules.begin"),
    Row("next", "lobby.ruleset", "lobby.secrets"),
    Row("next", "lobby.customising", "lobby.customising", "ownrules.knob_left"),
    Row("next", "lobby.customising", "lobby.secrets"),
    Row("next", "lobby.secrets", "lobby.customising", "ownrules.wanted", "ownrules.begin"),
    Row("next", "lobby.secrets", "lobby.agreeing"),
    Row("next", "lobby.agreeing", "lobby.customising", "ownrules.wanted", "ownrules.begin"),
    Row("next", "lobby.agreeing", "dealing", "lobby.agreed"),
    Row("next", "lobby.agreeing", "lobby.players"),
    Row("next", "dealing", "night.falling"),
    Row("next", "night.falling", "night.waking"),
    Row("next", "night.waking", "night.identifying", "night.roles_to_learn"),
    Row("next", "night.waking", "night.choosing", "night.step_has_act"),
    Row("next", "night.waking", "night.sleeping"),
    Row("next", "night.identifying", "night.identifying", "night.roles_to_learn"),
    Row("next", "night.identifying", "night.choosing", "night.step_has_act"),
    Row("next", "night.identifying", "night.sleeping"),
    Row("next", "night.choosing", "night.hinting", "night.step_has_hint"),
    Row("next", "night.choosing", "night.choosing", "night.role_acts_again", "night.next_act"),
    Row("next", "night.choosing", "night.sleeping"),
    Row("next", "night.hinting", "night.choosing", "night.role_acts_again", "night.next_act"),
    Row("next", "night.hinting", "night.sleeping"),
    Row("next", "night.sleeping", "night.waking", "night.step_left"),
    Row("next", "night.sleeping", "dawn.breaking"),
    Row("next", "dawn.breaking", "dawn.reporting", "day.judge_reports"),
    Row("next", "dawn.breaking", "dawn.announcing"),
    Row("next", "dawn.reporting", "dawn.reporting", "day.more_to_report"),
    Row("next", "dawn.reporting", "dawn.announcing"),
    *_after_departure("dawn.announcing"),
    *_after_departure("showing"),
    *_after_departure("judging"),
    *_after_departure("parting"),
    *_after_departure("words"),
    *_after_departure("leaving"),
    Row("next", "round", "lap"),
    Row("next", "lap", "speeches", "day.speaker_left"),
    Row("next", "lap", "ballot.opening"),
    Row("next", "speeches", "naming", "spoken.name_due"),
    *_after_speech("speeches"),
    *_after_speech("naming"),
    Row("next", "ballot.opening", "ballot.counting", "vote.candidate_left"),
    Row("next", "ballot.opening", "ballot.agreeing"),
    Row("next", "ballot.counting", "ballot.amending", "vote.disputed"),
    Row("next", "ballot.counting", "ballot.counting", "vote.candidate_left"),
    Row("next", "ballot.counting", "ballot.agreeing"),
    Row("next", "ballot.agreeing", "ballot.amending", "vote.disputed"),
    Row("next", "ballot.agreeing", "tie.opening", "vote.runs_off"),
    Row("next", "ballot.agreeing", "leaving", "vote.leaves"),
    Row("next", "ballot.agreeing", "verdict", "vote.tie_is_final", "vote.draw"),
    Row("next", "ballot.agreeing", "tie.opening", "vote.tied"),
    Row(
        "next",
        "ballot.agreeing",
        "night.falling",
        "day.another_night",
        "vote.nobody_leaves endgame.next_night",
    ),
    Row("next", "ballot.agreeing", "round", None, "vote.nobody_leaves endgame.next_night"),
    Row("next", "ballot.amending", "ballot.recounting"),
    Row("next", "ballot.recounting", "ballot.amending", "vote.disputed"),
    Row("next", "ballot.recounting", "ballot.counting", "vote.candidate_left"),
    Row("next", "ballot.recounting", "ballot.agreeing"),
    Row("next", "tie.opening", "tie.speeches", "day.speaker_left"),
    Row("next", "tie.opening", "ballot.opening"),
    Row("next", "tie.speeches", "tie.speeches", "day.speaker_left"),
    Row("next", "tie.speeches", "ballot.opening"),
    Row("next", "verdict", "review"),
    Row("next", "review", "dealing", "endgame.wants_again"),
    Row("next", "review", "lobby.customising", "ownrules.wanted", "ownrules.begin"),
    Row("next", "review", "lobby.players", "endgame.wants_change"),
    Row("next", "review", "ended"),
    *(
        Row("recall", f"ballot.{part}", "ballot.opening")
        for part in ("counting", "agreeing", "amending", "recounting")
    ),
    Row("recall", "naming", "naming", "spoken.name_due"),
    Row("recall", "naming", "speeches", "day.speaker_left"),
    Row("recall", "naming", "lap", "day.lap_left"),
    Row("recall", "naming", "ballot.opening"),
    Row("hold", "*", "paused"),
    Row("finish", "*", "verdict"),
    Row("quit", "*", "ended"),
)


def nested(
    states: Mapping[str, str | None], enter: Callable[[str], Callable[[], None]]
) -> list[dict[str, Any]]:
    """The flat table of states as the nested definitions that ``transitions`` reads."""
    tree: dict[str, dict[str, Any]] = {}
    for full, entry in states.items():
        parent, _, child = full.partition(".")
        hooks: dict[str, Any] = {"on_enter": [enter(entry)]} if entry else {}
        if not child:
            tree[parent] = {"name": parent, **hooks}
            continue
        group = tree.setdefault(parent, {"name": parent, "children": []})
        group["children"].append({"name": child, **hooks})
    return list(tree.values())


def build(
    model: object,
    resolve: Callable[[str], Callable[[], Any]],
    machine_class: type[HierarchicalMachine] = HierarchicalMachine,
    rows: Sequence[Row] = TRANSITIONS,
    **options: Any,
) -> HierarchicalMachine:
    """Build the machine on ``model``; ``resolve("chapter.method")`` gives the bound method."""

    class Machine(machine_class):  # type: ignore[valid-type, misc]
        state_cls = State

    transitions = [
        {
            "trigger": row.trigger,
            "source": row.source,
            "dest": row.dest,
            "conditions": [resolve(row.when)] if row.when else [],
            "before": [resolve(name) for name in (row.then or "").split()],
        }
        for row in rows
    ]
    return Machine(
        model=model,
        states=nested(STATES, resolve),
        transitions=transitions,
        initial=INITIAL,
        auto_transitions=False,
        **options,
    )
