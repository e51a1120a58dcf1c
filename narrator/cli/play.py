"""``narrator play``: moderate a game at this table, or rehearse one where nobody can answer."""

from __future__ import annotations

import argparse
import secrets as random_bits
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from narrator.cli.parts import (
    add_model_option,
    add_voices_option,
    open_pack,
    open_phrases,
    prepare_with_progress,
    spoken_segments,
    voice_folder,
)
from narrator.cli.rehearse import print_figures, rehearse_into
from narrator.ears.microphone import Microphone, SoundDeviceMicrophone
from narrator.ears.model import find_model, load_model
from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.moderator import Moderator
from narrator.mouth.clips import ClipCache
from narrator.mouth.loudspeaker import Loudspeaker, SilentLoudspeaker, SoundDeviceLoudspeaker
from narrator.mouth.renderer import Renderer
from narrator.mouth.selftest import check_voice
from narrator.mouth.speech import Mouth
from narrator.rehearsal.rehearse import Plan
from narrator.resources import data_folder
from narrator.rules import ruleset as rulesets
from narrator.table.devices import quiet_alsa
from narrator.table.journal import Journal
from narrator.table.keyboard import TerminalKeyboard
from narrator.table.listening import Ears
from narrator.table.performance import Performance
from narrator.table.screen import Screen
from narrator.table.session import Session
from narrator.table.settings import Settings, database_file, load_settings
from narrator.table.sheetfile import SheetFile
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.wallclock import WallClock
from narrator.understanding.phrasebook import Phrasebook

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers

_Part = TypeVar("_Part")


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("play", help=message("help_play"))
    parser.add_argument("--ruleset", metavar="ID", help=message("help_play_ruleset"))
    parser.add_argument("--players", metavar="N", type=int, help=message("help_play_players"))
    parser.add_argument(
        "--secrets", choices=[way.value for way in Secrets], help=message("help_option_secrets")
    )
    parser.add_argument("--keyboard", action="store_true", help=message("help_play_keyboard"))
    parser.add_argument("--mute", action="store_true", help=message("help_play_mute"))
    parser.add_argument("--reveal", action="store_true", help=message("help_option_reveal"))
    add_model_option(parser)
    add_voices_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Open what there is, say what is missing once, and play."""
    settings = load_settings()
    setup = _setup(args, settings)
    voice = voice_folder(settings.locale, args.voices)
    pack, phrasebook = open_pack(voice), open_phrases(voice)
    if args.model is not None:
        find_model(args.model)  # a wrong path is worth a word even where nobody listens
    microphone = None if args.keyboard else _if_possible(lambda: _open_microphone(settings))
    ears = _ears(args.model or settings.model, phrasebook) if microphone is not None else None
    if microphone is not None and ears is None:
        microphone.close()  # nobody reads from it, and its blocks would pile up
    if ears is None and not sys.stdin.isatty():
        return _rehearse(args, settings, setup)
    journal = _journal()
    with ExitStack() as stack:
        stack.enter_context(closing(journal))
        signal.signal(signal.SIGTERM, _leave)
        loudspeaker: Loudspeaker = SilentLoudspeaker() if args.mute else _loudspeaker(settings)
        stack.enter_context(closing(loudspeaker))
        keyboard = TerminalKeyboard() if sys.stdin.isatty() else None
        if keyboard is not None:
            stack.enter_context(closing(keyboard))
        screen = Screen(pack, phrasebook, keyboard=ears is None, reveal=args.reveal)
        silent = isinstance(loudspeaker, SilentLoudspeaker)
        renderer = None if silent else _renderer(pack.voice.id)
        if renderer is not None:
            stack.enter_context(closing(renderer))
        mouth = Mouth(pack, renderer, None if silent else ClipCache(), loudspeaker.rate)
        if renderer is not None:
            prepare_with_progress(mouth, spoken_segments(pack, setup.players or 16))
        clock: Microphone = WallClock()
        if microphone is not None and ears is not None:
            clock = SteadyMicrophone(microphone, lambda: _open_microphone(settings), screen.told)
        stack.enter_context(closing(clock))
        setup = _with_memory(setup, journal)
        journal.open_evening(setup)
        sheets = SheetFile(data_folder(), settings.locale, screen.told)
        witnesses = (journal, sheets, screen)
        session = Session(
            Moderator(setup),
            clock,
            Performance(mouth, loudspeaker, witnesses, settings.pace, listening=ears is not None),
            pack,
            phrasebook,
            ears=ears,
            keyboard=keyboard,
            witnesses=witnesses,
            pace=settings.pace,
        )
        session.begin()
        session.run()
        if session.over:
            journal.close_evening()
    return 0


def _setup(args: argparse.Namespace, settings: Settings) -> Setup:
    """What is fixed before the first word; ``Fault`` for what can't be played."""
    ruleset, secrets = args.ruleset or settings.ruleset, args.secrets or settings.secrets
    players = settings.players if args.players is None else args.players
    if ruleset is not None:
        chosen = rulesets.load(ruleset)
        if players is not None:
            chosen.deal(players)
    elif players is not None:
        rulesets.playable(players)
    return Setup(
        seed=random_bits.randbits(63),
        ruleset=ruleset,
        players=players,
        secrets=Secrets(secrets) if secrets else None,
        right_hand=settings.right_hand,
        speech_seconds=round(settings.speech_seconds),
    )


def _with_memory(setup: Setup, journal: Journal) -> Setup:
    return replace(setup, previous=journal.last_table(), barred=journal.last_first_victim())


def _rehearse(args: argparse.Namespace, settings: Settings, setup: Setup) -> int:
    """Nobody can answer here: play a game with synthetic players instead."""
    print(message("play_rehearses"))
    plan = Plan(setup.ruleset or "standard", setup.players or _fitting_players(setup), Secrets.CODES, 1, 20.0)
    figures = rehearse_into(plan, settings, args.model, args.voices, None, quiet=False, reveal=args.reveal)
    print_figures(figures)
    return 0 if figures["completed"] else 1


def _fitting_players(setup: Setup) -> int:
    chosen = rulesets.load(setup.ruleset or "standard")
    return min(max(12, chosen.fewest), chosen.most)


def _journal() -> Journal:
    """The journal; a damaged one is set aside, said, and a new one begun."""
    try:
        return Journal(database_file())
    except Fault as fault:
        if fault.key != "journal_damaged":
            raise
        _tell(fault)
        return Journal(database_file())


def _tell(fault: Fault) -> None:
    print(message(fault.key, **fault.params), file=sys.stderr)


def _if_possible(open_: Callable[[], _Part]) -> _Part | None:
    """A part the game can do without: what is wrong with it is said, and None comes back."""
    try:
        return open_()
    except Fault as fault:
        _tell(fault)
        return None


def _open_microphone(settings: Settings) -> Microphone:
    with quiet_alsa():
        return SoundDeviceMicrophone(settings.microphone)


def _ears(model: Path | None, phrasebook: Phrasebook) -> Ears | None:
    def load() -> Ears:
        return Ears(load_model(find_model(model)), phrasebook)

    # A model that was asked for by name must be there; one that merely lies ready may be missing.
    return load() if model is not None else _if_possible(load)


def _loudspeaker(settings: Settings) -> Loudspeaker:
    def open_() -> Loudspeaker:
        with quiet_alsa():
            return SoundDeviceLoudspeaker(settings.loudspeaker)

    return _if_possible(open_) or SilentLoudspeaker()


def _renderer(voice: str) -> Renderer | None:
    def start() -> Renderer:
        check_voice(voice)
        return Renderer()

    return _if_possible(start)


def _leave(signum: int, frame: object) -> None:
    """SIGTERM ends like Ctrl-C: devices and terminal are given back on the way out."""
    raise KeyboardInterrupt
