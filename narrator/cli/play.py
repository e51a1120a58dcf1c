"""``narrator play``: moderate a game at this table, or rehearse one where nobody can answer."""

from __future__ import annotations

import argparse
import secrets as random_bits
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from narrator.cli.choice import add_set_option, chosen_rulesets, knobs_of, tell
from narrator.cli.departure import coming_back, departure
from narrator.cli.edges import (
    if_possible,
    interrupted_evening,
    open_ears,
    open_journal,
    open_loudspeaker,
    open_microphone,
)
from narrator.cli.firstword import OPTION, FirstWord
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
from narrator.cli.poweron import wait_for_sound
from narrator.cli.roomcheck import attune, in_room, open_room_check, recalled, seek_devices
from narrator.cli.speaking import open_mouth, own_folder, voices_for
from narrator.cli.terminal import open_terminal
from narrator.cli.wording import Wordings
from narrator.ears.microphone import Microphone
from narrator.ears.model import find_model
from narrator.ears.preamplifier import Preamplifier
from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.moderator import Moderator
from narrator.moderator.offer import Offer
from narrator.mouth.loudspeaker import Loudspeaker, SilentLoudspeaker
from narrator.mouth.speech import Mouth
from narrator.resources import data_folder
from narrator.rules.library import OwnRules, library
from narrator.table.host import Host
from narrator.table.houserules import Words, own_rules
from narrator.table.journal import Journal
from narrator.table.keeping import KeptSettings
from narrator.table.notices import MissingVoice, Notices
from narrator.table.performance import Performance
from narrator.table.recording import RecordingMicrophone
from narrator.table.resume import Interrupted
from narrator.table.session import Session
from narrator.table.settings import Settings, keep_setting
from narrator.table.sheetfile import SheetFile
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.wallclock import WallClock
from narrator.table.witness import Witness

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
    settings = settings_for(args)
    if args.locale is not None:
        if_possible(lambda: keep_setting("locale", settings.locale))
    voice = voice_folder(settings.locale, args.voices)
    words = Words(open_pack(voice, settings), open_phrases(voice))
    own = own_rules(tell, words)
    pack, phrasebook = words.pack, words.phrasebook
    voices = voices_for(words.pack, args.voice, settings)
    setup = replace(_setup(args, settings, own), rhythm=pack.rhythm, backdrop=settings.backdrop)
    if args.model is not None:
        find_model(args.model)  # a wrong path is worth a word even where nobody listens
    model = args.model or settings.model
    room = None if args.keyboard else recalled(settings)
    asked, settings = settings, in_room(settings, room)
    sound = None
    if args.speaker:
        if args.keyboard or args.mute:
            raise Fault("speaker_has_no_keyboard")
        model = find_model(model)  # without it nobody can answer, ever
        sound = wait_for_sound(settings, words, voices)
        if sound.waited:
            # Only now is there what this room may be known by.
            sound.close()
            room = recalled(asked)
            settings = in_room(asked, room)
            sound = wait_for_sound(settings, words, voices)
        microphone: Microphone | None = sound.microphone
    else:
        microphone = None if args.keyboard else if_possible(lambda: open_microphone(settings))
    deaf = microphone is None
    if args.first_word and not args.keyboard:
        microphone = microphone or WallClock()
    ears = open_ears(model, phrasebook) if microphone is not None else None
    if microphone is not None and ears is None:
        microphone.close()  # nobody reads from it, and its blocks would pile up
    if args.record is not None and ears is None:
        raise Fault("record_needs_microphone")
    if ears is None and not sys.stdin.isatty() and not args.first_word:
        # Imported late: it is much, and a table that can answer needs none of it.
        from narrator.cli.rehearse import rehearse_instead

        return rehearse_instead(args, settings, setup)
    notices = Notices()
    with ExitStack() as stack:
        leaving = stack.enter_context(departure())
        journal = stack.enter_context(closing(open_journal(notices.tell)))
        before = None if args.new else interrupted_evening(journal, args.resume)
        if before is not None:
            # Its own rulesets are those of then, whatever their files say now.
            for ruleset in before.moderator.evening.setup.library.own:
                words.learn(ruleset)
            pack, phrasebook = words.pack, words.phrasebook
            if ears is not None:
                ears.learn(phrasebook)
        loudspeaker: Loudspeaker
        if sound is not None:
            loudspeaker = sound.loudspeaker
        else:
            loudspeaker = SilentLoudspeaker() if args.mute else open_loudspeaker(settings)
        stack.enter_context(closing(loudspeaker))
        mute = isinstance(loudspeaker, SilentLoudspeaker)
        silent = mute and not args.first_word
        mouth = Mouth(pack, None, None, loudspeaker.rate)
        if not silent:
            mouth = open_mouth(
                stack,
                pack,
                voices,
                loudspeaker.rate,
                lambda fault: notices.tell(fault.key, **fault.params),
                settings.tempo,
            )
        # From here on the terminal may be painted: nothing else writes to it.
        terminal = stack.enter_context(
            closing(
                open_terminal(pack, phrasebook, ears=ears is not None, reveal=args.reveal, plain=args.plain)
            )
        )
        stack.enter_context(coming_back(terminal.again))
        keyboard = terminal.keyboard
        clock: Microphone = WallClock()
        if microphone is not None and ears is not None:
            steady = SteadyMicrophone(
                microphone,
                lambda: open_microphone(settings),
                notices.tell,
                not_found=lambda: seek_devices(loudspeaker),
            )
            clock = preamplifier = Preamplifier(steady)
        recording = None
        if args.record is not None:
            if silent:
                raise Fault("record_needs_loudspeaker")
            clock = recording = RecordingMicrophone(clock, args.record, notices.tell)
            notices.tell("recording_begins", file=recording.file)
        clock = stack.enter_context(closing(terminal.clock(clock, listening=ears is not None)))
        voice_watch = Witness() if silent else MissingVoice(notices)
        if args.first_word:
            voice_watch = FirstWord(microphone=not deaf, loudspeaker=not mute)
        performance = Performance(
            mouth,
            loudspeaker,
            (*terminal.witnesses, voice_watch),
            settings.pace,
            listening=ears is not None,
            with_backdrop=settings.backdrop,
            volume=settings.volume,
            tempo=settings.tempo,
        )
        kept = KeptSettings(
            notices.tell,
            voices=lambda: mouth.voices,
            own_voice=own_folder(words.pack, args.voice or settings.voice),
        )
        wordings = Wordings(words, settings, args.voice, mouth, ears, notices.tell, silent)

        def session(host: Host, *witnesses: Witness) -> Session:
            leaving.session = Session(
                host,
                clock,
                performance,
                wordings.words.pack,
                wordings.words.phrasebook,
                ears=ears,
                keyboard=keyboard,
                witnesses=(*witnesses, *terminal.witnesses, kept),
                pace=settings.pace,
                notices=notices,
                check_room=check_room,
                reword=wordings.change,
            )
            terminal.follow(leaving.session, wordings.words.phrasebook)
            return leaving.session

        checking = None
        if microphone is not None and ears is not None:
            checking = open_room_check(
                asked,
                steady,
                preamplifier,
                loudspeaker,
                performance,
                ears,
                session,
                leaving,
                terminal.screen.told,
            )
            if room is not None:
                attune(room, preamplifier, performance, ears)

        def check_room() -> None:
            outer = leaving.session
            if checking is None:
                terminal.screen.told("room_no_microphone", tried="-")
            else:
                checking()
            if isinstance(outer, Session):
                terminal.follow(outer, wordings.words.phrasebook)

        if before is not None and not args.resume and not _wanted(before, session):
            before = None
        if leaving.signal or (keyboard is not None and keyboard.closed and ears is None):
            return leaving.exit_code
        unwanted = silent or args.no_room_check or args.first_word
        if checking is not None and before is None and room is None and not unwanted:
            check_room()
            if leaving.signal:
                return leaving.exit_code
        sheets = SheetFile(data_folder(), settings.locale, terminal.screen.told)
        if before is None:
            setup = replace(_with_memory(setup, journal), keyboard=keyboard is not None)
            journal.open_evening(setup)
            moderator = Moderator(setup)
            playing = session(moderator, journal, sheets)
            playing.begin()
        else:
            before.go_on(journal)
            if before.sheet is not None:
                sheets.noted(before.sheet)
            moderator = before.moderator
            playing = session(moderator, journal, sheets)
            playing.begin(moderator.resume_question())
        if recording is not None:
            recording.hushed = lambda: moderator.phase.startswith("night")
        playing.run()
        if playing.finished:
            journal.close_evening()
        elif args.speaker and not leaving.signal:
            tell(Fault("speaker_deaf"))
            return DEAF
    return leaving.exit_code


def _wanted(before: Interrupted, session: Callable[[Offer], Session]) -> bool:
    """Ask whether to go on with an interrupted evening."""
    moderator = before.moderator
    offer = Offer(moderator.phase, moderator.evening.game.round)
    asking = session(offer)
    asking.begin()
    asking.run()
    return offer.accepted is True


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
