"""``narrator recap``: a past game round by round, on the screen or as a page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from narrator.cli.parts import add_voices_option, open_pack, settings_for, voice_folder
from narrator.faults import Fault
from narrator.messages import message
from narrator.table.history import History, PastGame, read_history
from narrator.table.recappage import recap_lines, recap_page
from narrator.table.settings import database_file
from narrator.table.sheet import write_private
from narrator.table.timeline import timeline
from narrator.table.words import Words, load_words

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("recap", help=message("help_recap"))
    parser.add_argument(
        "game", metavar=message("recap_metavar"), type=int, nargs="?", help=message("help_recap_game")
    )
    parser.add_argument("--html", metavar="FILE", type=Path, help=message("help_recap_html"))
    parser.add_argument("--list", action="store_true", help=message("help_recap_list"))
    parser.add_argument("--journal", metavar="FILE", type=Path, help=message("help_option_journal"))
    parser.add_argument("--reveal", action="store_true", help=message("help_option_reveal"))
    add_voices_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Tell the game that was asked for, or list all."""
    words = open_words(args)
    history = open_history(args.journal or database_file())
    if args.list:
        for number, past in enumerate(history.games, start=1):
            told = timeline(past, words)
            print(f"{number:3d}  {' · '.join(told.facts)}  {told.title}  {told.verdict}")
        return 0
    told = timeline(_chosen(history.games, args.game), words, args.reveal)
    if args.html is not None:
        write_private(args.html, recap_page(told, words))
        print(message("page_written", file=args.html))
    else:
        print("\n".join(recap_lines(told, words)))
    return 0


def open_words(args: argparse.Namespace) -> Words:
    """The words to tell it in: those of the locale, or of a host's own voice pack."""
    folder = voice_folder(settings_for(args).locale, args.voices)
    return load_words(folder, open_pack(folder))


def open_history(journal: Path) -> History:
    """The games of a journal; evenings that can't be read are told."""
    history = read_history(journal)
    if history.unreadable:
        print(message("evenings_unreadable", file=journal, count=len(history.unreadable)), file=sys.stderr)
    return history


def _chosen(games: Sequence[PastGame], number: int | None) -> PastGame:
    """The game of that number from the beginning; by default the latest that was finished."""
    if number is not None:
        if not 1 <= number <= len(games):
            raise Fault("no_such_game", number=number, games=len(games))
        return games[number - 1]
    finished = [past for past in games if past.verdict is not None]
    if not finished:
        raise Fault("no_finished_game")
    return finished[-1]
