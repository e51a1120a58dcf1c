"""``narrator stats``: who wins, how long it takes, who dies first, over all games of one or many tables."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from narrator.cli.choice import tell
from narrator.cli.parts import add_voices_option
from narrator.cli.recap import open_history, open_words
from narrator.faults import Fault
from narrator.messages import message
from narrator.table.history import History
from narrator.table.settings import database_file
from narrator.table.sheet import write_private
from narrator.table.statspage import stats_lines, stats_page
from narrator.table.tally import Figures, add_up

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers

SUFFIX = ".db"
"""How the names of journals end."""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("stats", help=message("help_stats"))
    parser.add_argument("--merge", metavar="FOLDER", type=Path, help=message("help_stats_merge"))
    parser.add_argument("--html", metavar="FILE", type=Path, help=message("help_stats_html"))
    parser.add_argument("--journal", metavar="FILE", type=Path, help=message("help_option_journal"))
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    add_voices_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Add up, and print or write a page."""
    words = open_words(args)
    own, folder = args.journal or database_file(), args.merge
    histories = [open_history(own)] if folder is None else _merged(own, folder)
    figures = add_up(history.games for history in histories)
    if args.html is not None:
        write_private(args.html, stats_page(figures, words))
        print(message("page_written", file=args.html))
    elif args.json:
        print(json.dumps(_plain(figures), ensure_ascii=False))
    else:
        print("\n".join(stats_lines(figures, words)))
    return 0


def _merged(own: Path, folder: Path) -> list[History]:
    """This table's journal, all those in ``folder`` and below; what can't be read is told and left out."""
    if not folder.is_dir():
        raise Fault("no_such_folder", folder=folder)
    found = sorted(file for file in folder.rglob(f"*{SUFFIX}") if file.is_file())
    if not found:
        raise Fault("no_journals_there", folder=folder)
    journals = [own, *found] if own.is_file() else found
    histories = []
    for journal in journals:
        try:
            histories.append(open_history(journal))
        except Fault as fault:
            tell(fault)
    return histories


def _plain(figures: Figures) -> dict[str, object]:
    given = asdict(figures)
    del given["rulesets"]
    return given
