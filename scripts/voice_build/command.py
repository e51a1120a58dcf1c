"""The command line of a voice's recording."""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
LIMIT = 0.5
"""How far a clip may be heard astray before it is taken again: half of what it says.
``--separation`` measures what it lets through."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Record the voices; 0 on success, 1 when clips were misheard to the end, 2 when something is missing."""
    options = _options(arguments)
    if options.separation and options.model is None:
        print("scripts/build_voice: --separation needs --model", file=sys.stderr)
        return 2
    # Idle numeric threads slow small machines down; the libraries read this when they are loaded.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        return max(_voice(options, voice, settings) for voice, settings in _voices(options).items())
    except (ImportError, OSError, ValueError) as error:
        print(f"scripts/build_voice: {error}; see scripts/voice_build/requirements.txt", file=sys.stderr)
        return 2


def _voices(options: argparse.Namespace) -> dict[str, Any]:
    from narrator.mouth.lines import load_pack

    own, lender = options.voices / "voices.toml", load_pack(options.voices).lender_folder
    file = own if lender is None or own.is_file() else lender / own.name
    known = tomllib.loads(file.read_text(encoding="utf-8"))
    unknown = set(options.voice) - set(known)
    if unknown:
        raise ValueError(f"no such voice: {', '.join(sorted(unknown))} ({', '.join(known)})")
    return {voice: known[voice] for voice in options.voice or known}


def _voice(options: argparse.Namespace, voice: str, settings: dict[str, Any]) -> int:
    from narrator.mouth.lines import load_pack
    from narrator.mouth.packfile import PackFile
    from narrator.mouth.reading import Readings
    from narrator.mouth.recorded import FOLDER
    from voice_build.engines import engine
    from voice_build.recording import Recording
    from voice_build.report import report

    said = load_pack(options.voices)
    readings = Readings.load(said.readings_file)
    lent = set() if said.lender_folder is None else set(load_pack(said.lender_folder).every_segment())
    texts = [text for text in said.every_segment() if said.lent(text) not in lent]
    pack = PackFile(options.voices / FOLDER / voice, settings["name"])
    known, unreadable = readings.read_all(texts, said.lent)
    recording = Recording(engine(settings, options.work, options.kokoro), pack, known)
    if options.separation:
        from voice_build.listening import Listener
        from voice_build.separation import separation

        with Listener(options.model) as listener:
            print(separation(voice, recording, listener))
        return 0
    if not options.report:
        _work(options, voice, recording)
    print(report(voice, recording, LIMIT))
    for text in unreadable:
        print(f"  no reading, left to the synthesiser: {text}")
    return 1 if options.model and recording.misheard(LIMIT) else 0


def _work(options: argparse.Namespace, voice: str, recording: Any) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        due = recording.due()
        task = progress.add_task(f"{voice}: recording", total=len(due))
        recording.record(due, lambda: progress.advance(task))
        if options.model is not None:
            from voice_build.listening import Listener

            texts = list(recording.readings) if options.again else recording.unheard()
            if options.retry:
                texts += [text for text, _share in recording.misheard(LIMIT)]
            task = progress.add_task(f"{voice}: listening", total=len(texts))
            with Listener(options.model) as listener:
                recording.listen(texts, listener, LIMIT, lambda: progress.advance(task))
    recording.finish()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="build_voice",
        description="Record everything the narrator can say: each text is synthesised, cut, levelled, coded "
        "and listened to. A build that was broken off goes on where it stopped.",
    )
    parser.add_argument(
        "--voices",
        type=Path,
        default=PROJECT / "voices" / "zh-CN",
        help="folder of lines.toml, readings.toml and voices.toml (default: %(default)s)",
    )
    parser.add_argument("--voice", action="append", default=[], metavar="ID", help="only this voice")
    parser.add_argument(
        "--kokoro", type=Path, help="the npm package kokoro-js as packed (.tgz), or its voices"
    )
    parser.add_argument(
        "--model", type=Path, help="recogniser's model to listen with (default: clips are not listened to)"
    )
    parser.add_argument("--again", action="store_true", help="listen to every clip, not only to new ones")
    parser.add_argument(
        "--retry", action="store_true", help="take again what was misheard to the end last time"
    )
    parser.add_argument(
        "--separation",
        action="store_true",
        help="record nothing, but measure with --model how well listening back tells right from wrong texts",
    )
    parser.add_argument("--report", action="store_true", help="record nothing, only tell the figures")
    parser.add_argument(
        "--work", type=Path, default=PROJECT / "build" / "voice", help="for the synthesiser's network"
    )
    return parser.parse_args(arguments)
