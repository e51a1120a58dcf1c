"""``narrator simulate``: many games without sound, for figures and invariants."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from narrator.cli.choice import add_set_option, chosen_rulesets, knobs_of, tell
from narrator.messages import message
from narrator.moderator.evening import Secrets
from narrator.rehearsal.simulate import simulate_many
from narrator.rules.library import library
from narrator.table.houserules import own_rules

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers

VIOLATED = 1


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("simulate", help=message("help_simulate"))
    parser.add_argument("--ruleset", metavar="ID", default="all", help=message("help_simulate_ruleset"))
    add_set_option(parser)
    parser.add_argument("--players", metavar="N", type=int, help=message("help_simulate_players"))
    parser.add_argument(
        "--secrets", choices=[way.value for way in Secrets], help=message("help_simulate_secrets")
    )
    parser.add_argument("--games", metavar="N", type=int, default=1000, help=message("help_simulate_games"))
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=message("help_rehearse_seed"))
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    return parser


def run(args: argparse.Namespace) -> int:
    """Simulate and print one line of figures per ruleset; exit code 1 if an invariant was violated."""
    own = own_rules(tell)
    wanted = None if args.ruleset == "all" else args.ruleset
    chosen = chosen_rulesets(wanted, args.players, knobs_of(args.set), library(own))
    secrets = Secrets(args.secrets) if args.secrets else None
    violated = False
    for figures in simulate_many(chosen, args.players, secrets, max(1, args.games), args.seed, own):
        violated |= figures["violation_count"] > 0
        print(json.dumps(figures, ensure_ascii=False) if args.json else message("simulated", **figures))
        if not args.json:
            for violation in figures["violations"]:
                print(f"  {violation}")
    return VIOLATED if violated else 0
