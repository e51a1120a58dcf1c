"""Which rulesets a command is about."""

from __future__ import annotations

from narrator.rules.ruleset import Ruleset, all_rulesets, load, playable


def chosen_rulesets(ruleset_id: str | None, players: int | None) -> tuple[Ruleset, ...]:
    """One ruleset, those that so many can play, or all; ``Fault`` for what can't be played."""
    if ruleset_id is not None:
        ruleset = load(ruleset_id)
        if players is not None:
            ruleset.deal(players)  # refuses a number that doesn't fit
        return (ruleset,)
    if players is None:
        return all_rulesets()
    return playable(players)
