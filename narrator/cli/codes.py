"""``narrator codes``: draw a one-time code sheet for the judge."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from narrator.cli.parts import add_locale_option, settings_for
from narrator.messages import message
from narrator.moderator.secrets import sheet_for
from narrator.resources import data_folder
from narrator.table.sheet import as_html, as_text, load_titles, write_private
from narrator.table.sheetfile import last_sheet

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers

_PLAYERS = 12


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("codes", help=message("help_codes"))
    parser.add_argument("--ruleset", metavar="ID", help=message("help_codes_ruleset"))
    parser.add_argument("--players", metavar="N", type=int, help=message("help_codes_players"))
    parser.add_argument("--seed", metavar="N", type=int, help=message("help_codes_seed"))
    parser.add_argument("--last", action="store_true", help=message("help_codes_last"))
    parser.add_argument("--html", metavar="FILE", type=Path, help=message("help_codes_html"))
    add_locale_option(parser)
    parser.add_argument("--text", action="store_true", help=message("help_codes_text"))
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the sheet, or write it as a page for the printer."""
    settings = settings_for(args)
    if args.last:
        print(last_sheet(data_folder()), end="")
        return 0
    seed = secrets.randbits(63) if args.seed is None else args.seed
    ruleset = args.ruleset or settings.ruleset or "standard"
    players = args.players if args.players is not None else settings.players or _PLAYERS
    sheet = sheet_for(seed, ruleset, players)
    titles = load_titles(settings.locale)
    if args.html is not None:
        write_private(args.html, as_html(sheet, titles))
        print(message("codes_written", file=args.html, seed=seed, ruleset=ruleset, players=players))
    if args.text or args.html is None:
        print(message("codes_drawn", seed=seed, ruleset=ruleset, players=players))
        print(as_text(sheet, titles), end="")
    return 0
