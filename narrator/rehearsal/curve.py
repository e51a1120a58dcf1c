"""The curve of a confidence policy: the same utterances when more or fewer are asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from narrator.moderator.expectations import Kind
from narrator.rehearsal.bench import Outcome, Verdict, judged
from narrator.table.hearing import question
from narrator.understanding.matching import understand
from narrator.understanding.phrasebook import Manner, Phrasebook, Policy

COSTS: Mapping[Verdict, float] = {
    Verdict.RIGHT: 0.0,
    Verdict.ASKED_RIGHT: 1.0,
    Verdict.NOTHING: 2.0,
    Verdict.ASKED_WRONG: 3.0,
    Verdict.WRONG: 50.0,
}
"""What an answer costs the table, in questions; something wrong acted upon may cost it the game."""

FOREIGN_COSTS: Mapping[Verdict, float] = {**COSTS, Verdict.NOTHING: 0.0, Verdict.ASKED_WRONG: 1.0}
"""The same for sounds that are no answer."""

MOST_WRONG = 0.005
"""The largest share of answers that may be acted upon though they are wrong."""

FOREIGN = "foreign"
"""In place of a manner: sounds that must give nothing."""

THRESHOLDS = tuple(step / 1000 for step in (*range(300, 900, 50), *range(880, 1000, 10), 995))


def curves(outcomes: Sequence[Outcome], phrasebook: Phrasebook) -> dict[str, Any]:
    """For each manner of answering: the shares of every verdict and the mean cost, threshold by threshold.

    ``clear``: an answer this sure is acted upon. ``ask``: one less sure counts as nothing understood.
    ``policy`` is the file's own, ``best`` the cheapest threshold with at most ``MOST_WRONG`` wrong
    (``None``: there is none). Speeches and their ends have no such thresholds and are left out.
    """
    grouped: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.trial.kind != Kind.PASS:
            grouped.setdefault(_manner(outcome, phrasebook), []).append(outcome)
    return {name: _curve(grouped[name], phrasebook, name) for name in (*Manner, FOREIGN) if name in grouped}


def _curve(outcomes: Sequence[Outcome], phrasebook: Phrasebook, name: str) -> dict[str, Any]:
    policy, costs = phrasebook.policy, FOREIGN_COSTS if name == FOREIGN else COSTS

    def point(changed: Phrasebook) -> dict[str, Any]:
        return _point(outcomes, changed, costs)

    # One threshold for all numbers: those that are easily mistaken have their own only in the file.
    plain = replace(phrasebook, confusable={})
    clear = [{"clear": each, **point(replace(plain, policy=_acting(policy, each)))} for each in THRESHOLDS]
    ask = [
        {"ask": each, **point(replace(phrasebook, policy=_asking(policy, each)))}
        for each in THRESHOLDS
        if each <= min(policy.clear.values())
    ]
    return {
        "trials": len(outcomes),
        "policy": point(phrasebook),
        "clear": clear,
        "ask": ask,
        "best": _best(clear),
    }


def _manner(outcome: Outcome, phrasebook: Phrasebook) -> str:
    trial = outcome.trial
    if trial.meaning is None:
        return FOREIGN
    phrases = phrasebook.phrases(question(trial.kind, phrasebook))
    return next(phrasebook.manner(phrase).value for phrase in phrases if phrase.text == trial.text)


def _acting(policy: Policy, threshold: float) -> Policy:
    return replace(policy, clear=dict.fromkeys(Manner, threshold))


def _asking(policy: Policy, threshold: float) -> Policy:
    return replace(policy, unsure=threshold, unsure_rivalled=min(threshold, policy.unsure_rivalled))


def _point(
    outcomes: Iterable[Outcome], phrasebook: Phrasebook, costs: Mapping[Verdict, float]
) -> dict[str, Any]:
    counts = Counter(_verdict(outcome, phrasebook) for outcome in outcomes)
    total = counts.total()
    shares = {verdict.value: round(counts[verdict] / total, 4) for verdict in Verdict}
    return {**shares, "cost": round(sum(costs[verdict] * counts[verdict] for verdict in counts) / total, 3)}


def _verdict(outcome: Outcome, phrasebook: Phrasebook) -> Verdict:
    heard, trial = outcome.hearing.heard, outcome.trial
    if heard is None:
        return Verdict.NOTHING
    return judged(trial, understand(heard, question(trial.kind, phrasebook), phrasebook))


def _best(points: Sequence[Mapping[str, Any]]) -> float | None:
    allowed = [point for point in points if point[Verdict.WRONG] <= MOST_WRONG]
    # Of equally cheap ones the strictest.
    best = min(allowed, key=lambda point: (point["cost"], -point["clear"]), default=None)
    return None if best is None else best["clear"]
