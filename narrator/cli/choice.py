"""Which rulesets a command is about, with which of a table's own rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.evening import Knobs
from narrator.rules.custom import parse
from narrator.rules.library import Library
from narrator.rules.ruleset import Ruleset
from narrator.table.houserules import own_library


def add_set_option(parser: argparse.ArgumentParser) -> None:
    """``--set NAME=VALUE``: a rule of the table's own, given once for each."""
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], help=message("help_option_set")
    )


def knobs_of(settings: Sequence[str]) -> Knobs:
    """What ``--set`` was given, each name once, the last value for it; ``Fault("bad_setting")``."""
    return tuple(dict(map(parse, settings)).items())


def tell(fault: Fault) -> None:
    """Say a fault that the command goes on without."""
    print(message(fault.key, **fault.params), file=sys.stderr)


def chosen_rulesets(
    ruleset_id: str | None, players: int | None, knobs: Knobs = (), known: Library | None = None
) -> tuple[Ruleset, ...]:
    """One ruleset, those that so many can play, or all; ``Fault`` for what can't be played.

    Own rules without a ruleset are those of the default one.
    """
    known = known or own_library(tell)
    if ruleset_id is None and knobs:
        ruleset_id = known.all()[0].id
    if ruleset_id is not None:
        return (known.chosen(ruleset_id, knobs, players),)
    return known.all() if players is None else known.playable(players)
