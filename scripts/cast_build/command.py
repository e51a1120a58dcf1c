"""The command line of the cast's build."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

PROJECT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the cast; 0 on success, 2 when something needed is missing."""
    options = _options(arguments)
    # Idle numeric threads slow small machines down; the libraries read this when they are loaded.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        return _build(options)
    except (ImportError, FileNotFoundError, ValueError) as error:
        print(f"scripts/build_cast: {error}; see scripts/speech_engines/requirements.txt", file=sys.stderr)
        return 2


def _build(options: argparse.Namespace) -> int:
    from speech_engines.kokoro import Kokoro

    from cast_build.casting import Casting
    from cast_build.listening import Listener
    from cast_build.voices import cast_voices
    from narrator.understanding.phrasebook import load_phrasebook

    phrasebook = load_phrasebook(options.phrases)

    @cache
    def engine() -> Kokoro:
        return Kokoro(options.work, options.kokoro)

    casting = Casting(
        phrasebook,
        cast_voices(),
        options.work / "clips",
        options.out,
        None if options.kokoro is None else engine,
        Listener(options.model, phrasebook) if options.model else None,
    )
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        task = progress.add_task("clips", total=casting.wanted())
        count = casting.run(lambda: progress.advance(task))
    size = sum(file.stat().st_size for file in options.out.iterdir())
    print(f"{count} clips by {len(casting.voices)} voices in {options.out}: {size / 1e6:.2f} MB")
    for dropped in casting.dropped:
        print(f"dropped, for nobody could make it out: {dropped}")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="build_cast",
        description="Build the natural voices of rehearsals: what players say is rendered, listened to, and "
        "packed. A build that was broken off goes on where it stopped; only what has changed is made again.",
    )
    parser.add_argument(
        "--kokoro",
        type=Path,
        help="the npm package kokoro-js as packed (.tgz), or its voices (without: pack what is rendered)",
    )
    parser.add_argument(
        "--model", type=Path, help="recogniser's model to listen with (default: clips are not listened to)"
    )
    parser.add_argument("--phrases", type=Path, default=PROJECT / "voices" / "zh-CN" / "phrases.toml")
    parser.add_argument("--work", type=Path, default=PROJECT / "build" / "cast", help="where clips are kept")
    parser.add_argument(
        "--out", type=Path, default=PROJECT / "narrator" / "rehearsal" / "cast" / "clips", help="the cast"
    )
    return parser.parse_args(arguments)
