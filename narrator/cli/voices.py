"""``narrator voices``: which voice packs and voices there are; check, record and export them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from narrator.cli.choice import tell
from narrator.cli.edges import if_possible, open_loudspeaker
from narrator.cli.parts import (
    add_engine_options,
    add_model_option,
    add_voice_option,
    add_voices_option,
    locales,
    open_pack,
    settings_for,
    voice_folder,
)
from narrator.cli.speaking import voices_for, voices_of
from narrator.ears.model import find_model, load_model
from narrator.faults import Fault
from narrator.messages import message
from narrator.mouth.clips import Clip, ClipCache
from narrator.mouth.lines import load_pack
from narrator.mouth.packfile import PackFile
from narrator.mouth.recorded import INDEX
from narrator.mouth.speech import ClipSource
from narrator.mouth.standby import StandbyRenderer
from narrator.mouth.voicepack import VoicePack
from narrator.rehearsal.census import questions, segments_heard
from narrator.resources import voices_folder
from narrator.table.findings import State
from narrator.table.keyboard import TerminalKeyboard
from narrator.table.packcheck import PackCheck
from narrator.table.packexport import export_lines, export_sound
from narrator.table.required import REFERENCE
from narrator.table.settings import Settings
from narrator.table.studio import PERSON, Studio, prompts

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers

WRONG = 1
"""Exit code when something is wrong with a pack, or a recording was broken off."""

_MARKS = {State.FINE: "✓", State.NOTE: "–", State.WRONG: "✗"}


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("voices", help=message("help_voices"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help=message("help_voices_check"))
    what.add_argument("--record", metavar="DIR", type=Path, help=message("help_voices_record"))
    what.add_argument("--export", metavar="DIR", type=Path, help=message("help_voices_export"))
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    add_model_option(parser)
    add_voices_option(parser)
    add_voice_option(parser)
    add_engine_options(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """List by default; 1 when something is wrong with a pack, or a recording is not complete."""
    settings = settings_for(args)
    if args.check:
        return _check(args, settings)
    if args.record is not None:
        return _record(args.record, settings, args.voices)
    if args.export is not None:
        return _export(args, settings)
    return _list(args.json)


@dataclass(frozen=True, slots=True)
class Listed:
    """A voice of a pack; ``recorded`` of its ``pieces`` are there, ``None`` for the synthesiser."""

    locale: str
    pack: str
    voice: str
    name: str
    recorded: int | None
    pieces: int


def _list(as_json: bool) -> int:
    """The packs and their voices, and how much of each is recorded."""
    rows = [row for locale in locales() for row in _listed(load_pack(voices_folder() / locale))]
    if as_json:
        print(json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2))
        return 0
    table = Table(*(message(f"voices_column_{column}") for column in ("pack", "voice", "name", "recorded")))
    for row in rows:
        have = "–" if row.recorded is None else f"{row.recorded} / {row.pieces}"
        table.add_row(f"{row.locale} {row.pack}", row.voice, row.name, have)
    Console().print(table)
    return 0


def _listed(pack: VoicePack) -> Iterator[Listed]:
    said = pack.every_segment()
    for voice, open_ in voices_of(pack).items():
        recorded = if_possible(open_)
        if recorded is not None:
            have = sum(text in recorded for text in said)
            yield Listed(pack.locale, pack.name, voice, recorded.name, have, len(said))
    yield Listed(pack.locale, pack.name, pack.voice.id, message("voices_synthesiser"), None, len(said))


def _check(args: argparse.Namespace, settings: Settings) -> int:
    """Look at the pack that was asked for, or at all that come with the program."""
    chosen = args.voices is not None or args.locale is not None
    folders = [voice_folder(settings.locale, args.voices)]
    if not chosen:
        folders = [voices_folder() / locale for locale in locales()]
    asked = questions()
    found = [
        (folder.name, finding)
        for folder in folders
        for finding in PackCheck(folder, voices_folder() / REFERENCE).findings(
            asked, lambda: load_model(find_model(args.model or settings.model))
        )
    ]
    wrong = sum(finding.state is State.WRONG for _pack, finding in found)
    if args.json:
        print(
            json.dumps([{"pack": pack, **asdict(one)} for pack, one in found], ensure_ascii=False, indent=2)
        )
    else:
        table = Table(*(message(f"voices_column_{column}") for column in ("pack", "part", "found")))
        for pack, finding in found:
            table.add_row(
                pack, message(f"voices_part_{finding.part}"), f"{_MARKS[finding.state]} {finding.detail}"
            )
        Console().print(table)
        print(message("voices_verdict", wrong=wrong, packs=len(folders)))
    return WRONG if wrong else 0


def _export(args: argparse.Namespace, settings: Settings) -> int:
    """Write lines and sound of the pack, as the current voice speaks it."""
    pack = open_pack(voice_folder(settings.locale, args.voices), settings)
    count = export_lines(pack, args.export, segments_heard(pack))
    voices = voices_for(pack, args.voice, settings)
    with ExitStack() as stack:
        renderer = stack.enter_context(closing(StandbyRenderer(tell, engine=pack.engine)))
        source = ClipSource(renderer, ClipCache())

        def sound(text: str) -> Clip:
            if voices and text in voices[0]:
                try:
                    return voices[0].clip(text)
                except Fault as fault:
                    tell(fault)
            return source.clip(pack.spoken(text), pack.voice).result()

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        progress = stack.enter_context(Progress(*columns, transient=True))
        task = progress.add_task(message("voices_exporting"), total=count)
        silent = export_sound(pack, args.export, sound, lambda: progress.advance(task))
    print(message("voices_exported", folder=args.export, count=count - len(silent), silent=len(silent)))
    return 0


def _record(folder: Path, settings: Settings, voices: Path | None) -> int:
    """Walk whoever sits at the terminal through all there is to say."""
    from narrator.ears.fullband import SoundDeviceFullBand
    from narrator.ears.microphone import MicrophoneLost

    pack = open_pack(voice_folder(settings.locale, voices))
    wanted = prompts(pack.every_segment(), segments_heard(pack))
    clips = PackFile(folder.expanduser(), folder.expanduser().resolve().name)
    have = sum(clips.current(prompt.text, PERSON) is not None for prompt in wanted)
    print(message("record_begins", folder=folder, have=have, count=len(wanted)))
    with ExitStack() as stack:
        microphone = stack.enter_context(closing(SoundDeviceFullBand(settings.microphone)))
        loudspeaker = stack.enter_context(closing(open_loudspeaker(settings)))
        keyboard = stack.enter_context(closing(TerminalKeyboard()))
        studio = Studio(
            microphone, loudspeaker, keyboard, lambda key, **params: print(message(key, **params), flush=True)
        )
        try:
            complete = studio.walk(wanted, clips)
        except MicrophoneLost as error:
            raise Fault("no_microphone", device=settings.microphone or "default", why="…") from error
        except OSError as error:
            raise Fault("cannot_write", file=folder / INDEX, why=error.strerror or error) from error
    have = sum(clips.current(prompt.text, PERSON) is not None for prompt in wanted)
    print(message("record_ends", folder=folder, have=have, count=len(wanted)))
    return 0 if complete else WRONG
