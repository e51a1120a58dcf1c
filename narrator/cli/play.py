"""``narrator play``: moderate a game at this table, or rehearse one where nobody can answer."""

from __future__ import annotations

import argparse
import secrets as random_bits
import sys
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from narrator.cli.choice import add_set_option, chosen_rulesets, knobs_of, tell
from narrator.cli.departure import departure
from narrator.cli.edges import if_possible, interrupted_evening, open_journal
from narrator.cli.firstword import OPTION
from narrator.cli.opentable import OpenTable
from narrator.cli.parts import (
    add_engine_options,
    add_model_option,
    add_voice_option,
    add_voices_option,
    open_pack,
    open_phrases,
    settings_for,
    voice_folder,
)
from narrator.cli.senses import Senses, open_senses
from narrator.cli.speaking import voices_for
from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.moderator import Moderator
from narrator.moderator.offer import Offer
from narrator.resources import data_folder
from narrator.rules.library import OwnRules, library
from narrator.table.houserules import Words, own_rules
from narrator.table.journal import Journal
from narrator.table.notices import Notices
from narrator.table.resume import Interrupted
from narrator.table.session import Session
from narrator.table.settings import Settings, keep_setting
from narrator.table.sheetfile import SheetFile

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers


DEAF = 1
"""Exit code of a speaker that can't hear any more: whoever supervises it starts it anew."""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("play", help=message("help_play"))
    parser.add_argument("--ruleset", metavar="ID", help=message("help_play_ruleset"))
    add_set_option(parser)
    parser.add_argument("--players", metavar="N", type=int, help=message("help_play_players"))
    parser.add_argument(
        "--secrets", choices=[way.value for way in Secrets], help=message("help_option_secrets")
    )
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help=message("help_play_resume"))
    again.add_argument("--new", action="store_true", help=message("help_play_new"))
    parser.add_argument("--keyboard", action="store_true", help=message("help_play_keyboard"))
    parser.add_argument("--mute", action="store_true", help=message("help_play_mute"))
    parser.add_argument("--speaker", action="store_true", help=message("help_play_speaker"))
    parser.add_argument("--plain", action="store_true", help=message("help_play_plain"))
    parser.add_argument("--no-room-check", action="store_true", help=message("help_play_no_room_check"))
    parser.add_argument("--reveal", action="store_true", help=message("help_option_reveal"))
    parser.add_argument(OPTION, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--record", metavar="DIR", type=Path, help=message("help_play_record"))
    add_model_option(parser)
    add_voices_option(parser)
    add_voice_option(parser)
    add_engine_options(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Open what there is, say what is missing once, and play."""
    _check_resume(args)
    settings = settings_for(args)
    if args.locale is not None:
        if_possible(lambda: keep_setting("locale", settings.locale))
    folder = voice_folder(settings.locale, args.voices)
    words = Words(open_pack(folder, settings), open_phrases(folder))
    own = own_rules(tell, words)
    voices = voices_for(words.pack, args.voice, settings)
    setup = replace(_setup(args, settings, own), rhythm=words.pack.rhythm, backdrop=settings.backdrop)
    senses = open_senses(args, settings, words, voices)
    if senses.ears is None and not sys.stdin.isatty() and not args.first_word:
        # Imported late: it is much, and a table that can answer needs none of it.
        from narrator.cli.rehearse import rehearse_instead

        return rehearse_instead(args, senses.settings, setup)
    notices = Notices()
    with ExitStack() as stack:
        # Also when the table can't be opened: the last word needs the loudspeaker.
        stack.callback(senses.close)
        leaving = stack.enter_context(departure())
        journal = stack.enter_context(closing(open_journal(notices.tell)))
        before = None if args.new else _before(journal, args.resume, words, senses)
        table = OpenTable(stack, args, senses, words, voices, leaving, notices)
        if before is not None and not args.resume and not _wanted(before, table):
            before = None
        if leaving.signal or table.deserted:
            return leaving.exit_code
        if before is None and senses.room is None and _may_check_room(args, table):
            table.check_room()
            if leaving.signal:
                return leaving.exit_code
        playing = _begun(
            table, journal, setup, SheetFile(data_folder(), settings.locale, notices.tell), before
        )
        playing.run()
        if playing.finished:
            journal.close_evening()
        elif args.speaker and not leaving.signal:
            tell(Fault("speaker_deaf"))
            return DEAF
    return leaving.exit_code


def _check_resume(args: argparse.Namespace) -> None:
    """A game that is gone on with stays what was agreed: ``Fault`` for options that would change it.

    They are refused rather than left out: whoever has written both expects a game that this isn't.
    """
    given = {
        "--ruleset": args.ruleset,
        "--set": args.set,
        "--players": args.players,
        "--secrets": args.secrets,
    }
    wanted = [option for option, value in given.items() if value not in (None, [])]
    if args.resume and wanted:
        raise Fault("resume_with_options", options=", ".join(wanted))


def _before(journal: Journal, resume: bool, words: Words, senses: Senses) -> Interrupted | None:
    """The evening that was interrupted, if any; its own rulesets are understood from now on."""
    before = interrupted_evening(journal, resume)
    if before is not None:
        # They are those of then, whatever their files say now.
        for ruleset in before.moderator.evening.setup.library.own:
            words.learn(ruleset)
        if senses.ears is not None:
            senses.ears.learn(words.phrasebook)
    return before


def _wanted(before: Interrupted, table: OpenTable) -> bool:
    """Ask whether to go on with an interrupted evening."""
    moderator = before.moderator
    offer = Offer(moderator.phase, moderator.evening.game.round)
    asking = table.session(offer)
    asking.begin()
    asking.run()
    return offer.accepted is True


def _may_check_room(args: argparse.Namespace, table: OpenTable) -> bool:
    """Whether a room that isn't known yet is listened to before the first question."""
    return table.can_check_room and not (table.silent or args.no_room_check or args.first_word)


def _begun(
    table: OpenTable, journal: Journal, setup: Setup, sheets: SheetFile, before: Interrupted | None
) -> Session:
    """A new evening's session, or that of the one ``before``; its first effects are under way."""
    if before is None:
        setup = replace(_with_memory(setup, journal), keyboard=table.keyboard is not None)
        journal.open_evening(setup)
        moderator, effects = Moderator(setup), None
    else:
        before.go_on(journal)
        if before.sheet is not None:
            sheets.noted(before.sheet)
        moderator = before.moderator
        effects = moderator.resume_question()
    playing = table.session(moderator, journal, sheets)
    playing.begin(effects)
    if table.recording is not None:
        table.recording.hushed = lambda: moderator.phase.startswith("night")
    return playing


def _setup(args: argparse.Namespace, settings: Settings, own: tuple[OwnRules, ...]) -> Setup:
    """What is fixed before the first word; ``Fault`` for what can't be played."""
    ruleset, secrets = args.ruleset or settings.ruleset, args.secrets or settings.secrets
    players = settings.players if args.players is None else args.players
    knobs = knobs_of(args.set)
    chosen = chosen_rulesets(ruleset, players, knobs, library(own))
    if knobs:
        ruleset = chosen[0].id
    return Setup(
        seed=random_bits.randbits(63),
        ruleset=ruleset,
        players=players,
        secrets=Secrets(secrets) if secrets else None,
        right_hand=settings.right_hand,
        speech_seconds=round(settings.speech_seconds),
        knobs=knobs,
        own=own,
    )


def _with_memory(setup: Setup, journal: Journal) -> Setup:
    return replace(setup, previous=journal.last_table(setup.library), barred=journal.last_first_victim())
