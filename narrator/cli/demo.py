"""``narrator demo``: a night and a dawn to listen to, and what speaking costs the processor."""

from __future__ import annotations

import argparse
import json
import resource
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from narrator.cli.edges import open_loudspeaker
from narrator.cli.parts import (
    add_engine_options,
    add_voice_option,
    add_voices_option,
    open_pack,
    settings_for,
    voice_folder,
)
from narrator.cli.speaking import open_mouth, voices_for
from narrator.faults import Fault
from narrator.messages import message
from narrator.mouth.clips import Clip, write_wav
from narrator.mouth.loudspeaker import Loudspeaker, SilentLoudspeaker
from narrator.mouth.speech import Mouth
from narrator.rehearsal.demo import Tape, night_and_dawn
from narrator.table.wallclock import WallClock

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers

WAV_RATE = 24_000
"""Samples a second of the file."""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("demo", help=message("help_demo"))
    parser.add_argument("--wav", metavar="FILE", type=Path, help=message("help_demo_wav"))
    parser.add_argument("--minutes", metavar="N", type=float, default=0.0, help=message("help_demo_minutes"))
    parser.add_argument("--backdrop", action="store_true", help=message("help_demo_backdrop"))
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    add_voices_option(parser)
    add_voice_option(parser)
    add_engine_options(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Write the night to a file, or play it aloud for as long as asked and tell what that took."""
    settings = settings_for(args)
    folder = voice_folder(settings.locale, args.voices)
    pack = open_pack(folder, settings)
    voices = voices_for(pack, args.voice, settings)
    told: list[Fault] = []
    with ExitStack() as stack:
        if args.wav is not None:
            tape = Tape(WAV_RATE)
            mouth = open_mouth(stack, pack, voices, tape.rate, told.append)
            night_and_dawn(mouth, tape, with_backdrop=args.backdrop)
            _write(args.wav, tape)
        else:
            loudspeaker = stack.enter_context(closing(open_loudspeaker(settings)))
            if isinstance(loudspeaker, SilentLoudspeaker):
                raise Fault("demo_needs_loudspeaker")
            mouth = open_mouth(stack, pack, voices, loudspeaker.rate, told.append)
            _show(_aloud(mouth, loudspeaker, args.minutes * 60, args.backdrop), args.json)
    for fault in told:
        print(message(fault.key, **fault.params))
    return 0


def _write(file: Path, tape: Tape) -> None:
    try:
        file.write_bytes(write_wav(Clip(tape.samples, tape.rate)))
    except OSError as error:
        raise Fault("cannot_write", file=file, why=error.strerror) from error
    print(message("demo_written", file=file, seconds=f"{len(tape.samples) / tape.rate:.0f}"))


def _aloud(mouth: Mouth, loudspeaker: Loudspeaker, least: float, with_backdrop: bool) -> dict[str, Any]:
    """Play nights in real time until ``least`` seconds are over; at least one."""
    clock = WallClock()
    began, spent, seed = time.monotonic(), time.process_time(), 1
    while True:
        night_and_dawn(mouth, loudspeaker, seed=seed, with_backdrop=with_backdrop, tick=lambda: _wait(clock))
        seed += 1
        seconds = time.monotonic() - began
        if seconds >= least:
            break
    return {
        "seconds": round(seconds, 1),
        "processor_percent": round(100 * (time.process_time() - spent) / seconds, 2),
        "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "synthesised": mouth.synthesised,
    }


def _wait(clock: WallClock) -> None:
    clock.read()


def _show(figures: dict[str, Any], as_json: bool) -> None:
    print(json.dumps(figures) if as_json else message("demo_figures", **figures))
