"""``narrator room``: the room check by itself, with every microphone and every figure."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack, closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from narrator.cli.choice import tell
from narrator.cli.departure import departure
from narrator.cli.edges import open_ears, open_loudspeaker
from narrator.cli.parts import (
    add_model_option,
    add_voice_option,
    add_voices_option,
    open_pack,
    open_phrases,
    settings_for,
    voice_folder,
)
from narrator.cli.roomcheck import open_room_check, seek_devices
from narrator.cli.speaking import voices_for
from narrator.ears.preamplifier import Preamplifier
from narrator.faults import Fault
from narrator.messages import message
from narrator.mouth.clips import ClipCache
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.speech import Mouth
from narrator.mouth.standby import StandbyRenderer
from narrator.room.measured import Room
from narrator.room.survey import Survey
from narrator.table.host import Host
from narrator.table.keyboard import TerminalKeyboard
from narrator.table.notices import Notices
from narrator.table.performance import Performance
from narrator.table.roomcheck import RoomCheck
from narrator.table.roomfile import room_file
from narrator.table.screen import Screen
from narrator.table.session import Session
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.wallclock import WallClock
from narrator.table.witness import Witness

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("room", help=message("help_room"))
    parser.add_argument("--tone-only", action="store_true", help=message("help_room_tone_only"))
    parser.add_argument("--forget", action="store_true", help=message("help_room_forget"))
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    add_model_option(parser)
    add_voices_option(parser)
    add_voice_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Check the room and keep what was found; 0 = measured, 1 = the tone wasn't heard."""
    if args.forget:
        return _forget()
    settings = settings_for(args)
    folder = voice_folder(settings.locale, args.voices)
    pack, phrasebook = open_pack(folder), open_phrases(folder)
    ears = None if args.tone_only else open_ears(args.model or settings.model, phrasebook)
    notices = Notices()

    def write(line: str) -> None:
        # With --json standard output belongs to the figures.
        print(line, file=sys.stderr if args.json else sys.stdout, flush=True)

    with ExitStack() as stack:
        leaving = stack.enter_context(departure())
        loudspeaker = stack.enter_context(closing(open_loudspeaker(settings)))
        if isinstance(loudspeaker, SilentLoudspeaker):
            raise Fault("room_no_loudspeaker")
        voices = voices_for(pack, args.voice, settings)
        # A dozen lines aren't worth rendering the whole pack for.
        renderer = stack.enter_context(closing(StandbyRenderer(tell)))
        mouth = Mouth(pack, renderer, ClipCache(), loudspeaker.rate, voices, tell)
        screen = Screen(pack, phrasebook, keyboard=False, write=write)
        keyboard = TerminalKeyboard() if sys.stdin.isatty() and ears is not None else None
        if keyboard is not None:
            stack.enter_context(closing(keyboard))
        steady = SteadyMicrophone(
            WallClock(), WallClock, notices.tell, not_found=lambda: seek_devices(loudspeaker)
        )
        clock = stack.enter_context(closing(Preamplifier(steady)))
        performance = Performance(
            mouth,
            loudspeaker,
            (screen,),
            settings.pace,
            listening=ears is not None,
            volume=settings.volume,
            tempo=settings.tempo,
        )

        def converse(host: Host, witness: Witness) -> Session:
            return Session(
                host,
                clock,
                performance,
                pack,
                phrasebook,
                ears=ears,
                keyboard=keyboard,
                witnesses=(witness, screen),
                pace=settings.pace,
                notices=notices,
            )

        checking = open_room_check(
            settings, steady, clock, loudspeaker, performance, ears, converse, leaving, screen.told
        )
        room = checking()
        _report(checking.check, room, args.json, write)
    return leaving.exit_code or (0 if room is not None else 1)


def _forget() -> int:
    room_file().unlink(missing_ok=True)
    print(message("room_forgotten"))
    return 0


def _plain(room: Room | None) -> dict[str, Any] | None:
    """What was measured and what follows from it; times in seconds, levels in dB of full scale."""
    if room is None:
        return None
    follows = {"gain": room.gain, "tail": room.tail, "on": room.voicing.on, "verdict": room.verdict}
    return asdict(room) | follows


def _report(check: RoomCheck, room: Room | None, as_json: bool, write: Any) -> None:
    survey = check.survey or Survey((), None)
    if as_json:
        print(
            json.dumps({"trials": list(map(asdict, survey.trials)), "room": _plain(room)}, ensure_ascii=False)
        )
        return
    for trial in survey.trials:
        write(message(f"room_trial_{trial.state}", name=trial.name, floor=trial.floor, echo=trial.echo))
