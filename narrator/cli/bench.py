"""``narrator bench``: how well a model hears recordings, how soon it speaks, how fast a game is kept."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from narrator.cli.curvetable import curve_table
from narrator.cli.firstword import start_figures
from narrator.cli.parts import add_model_option, add_voices_option, open_phrases, settings_for, voice_folder
from narrator.ears.model import find_model, load_model
from narrator.messages import message
from narrator.rehearsal.bench import Noise, Verdict, listen_to
from narrator.rehearsal.curve import curves
from narrator.rehearsal.endurance import journal_figures
from narrator.rehearsal.figures import hearing_figures, speed_figures
from narrator.rehearsal.trials import Trial, collect
from narrator.resources import data_folder
from narrator.table.hearing import KINDS

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers

MISUNDERSTOOD = 1
"""Exit code when a wrong answer would have been acted upon without a question."""

SHOWN = 20
"""Mistakes listed for a reader; JSON has all of them."""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("bench", help=message("help_bench"))
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help=message("help_bench_folder"))
    parser.add_argument("--start", action="store_true", help=message("help_bench_start"))
    parser.add_argument("--expect", choices=KINDS, metavar="KIND", help=message("help_bench_expect"))
    parser.add_argument("--snr", metavar="DB", type=float, help=message("help_bench_snr"))
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=message("help_bench_seed"))
    parser.add_argument("--curve", action="store_true", help=message("help_bench_curve"))
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    add_model_option(parser)
    add_voices_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Listen to every recording and print the figures; 1 when something wrong would have been acted upon."""
    if args.start or args.folder is None:
        return _bench_machine(args)
    settings = settings_for(args)
    phrasebook = open_phrases(voice_folder(settings.locale, args.voices))
    trials = collect(args.folder, phrasebook, args.expect)
    path = find_model(args.model or settings.model)
    began = time.perf_counter()
    model = load_model(path)
    loading = time.perf_counter() - began
    noise = None if args.snr is None else Noise(args.snr, args.seed)
    outcomes = [listen_to(trial, model, phrasebook, noise) for trial in _with_progress(trials)]
    report = {
        "folder": str(args.folder),
        "model": str(path),
        "snr": args.snr,
        "seed": args.seed if noise else None,
        **hearing_figures(outcomes),
        "speed": speed_figures(outcomes, loading),
    }
    if args.curve:
        report["curve"] = curves(outcomes, phrasebook)
    if args.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        _show(report)
    return MISUNDERSTOOD if any(outcome.verdict is Verdict.WRONG for outcome in outcomes) else 0


def _bench_machine(args: argparse.Namespace) -> int:
    """Without recordings: how soon it speaks here, and how fast this disk keeps a game and brings it back."""
    # The pack's folder, not --locale, which play would remember.
    options = [f"--voices={voice_folder(settings_for(args).locale, args.voices)}"]
    if args.model is not None:
        options.append(f"--model={args.model}")
    figures: dict[str, Any] = {"start": start_figures(options)}
    if not args.start:
        figures["journal"] = journal_figures(data_folder())
    if args.json:
        print(json.dumps(figures))
        return 0
    if "journal" in figures:
        kept = figures["journal"]
        print(message("bench_journal", **kept["write_ms"], **kept))
    print(_start_line(figures["start"]))
    return 0


def _start_line(start: dict[str, Any]) -> str:
    missing = [message(f"bench_without_{part}") for part in ("microphone", "loudspeaker") if not start[part]]
    line = message("bench_start", **start["first_word_s"], cpu=start["cpu_s"]["p50"], runs=start["runs"])
    return " ".join([line, *missing])


def _with_progress(trials: Sequence[Trial]) -> Iterator[Trial]:
    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(trials, description=message("bench_listening"))


def _show(report: dict[str, Any]) -> None:
    console = Console(highlight=False)
    if report["kinds"]:
        console.print(_answer_table(report["kinds"]))
    if report["oov"]:
        console.print(_foreign_table(report["oov"]))
    for manner, curve in report.get("curve", {}).items():
        console.print(curve_table(manner, curve))
    for line in _lines(report):
        # File names may hold brackets, which would be taken for markup.
        console.print(Text(line), soft_wrap=True)


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield from map(_mistake_line, report["mistakes"][:SHOWN])
    left = len(report["mistakes"]) - SHOWN
    if left > 0:
        yield message("bench_more", count=left)
    yield message("bench_waiting", **_printable(report["latency_ms"]))
    yield message("bench_speed", audio_s=report["audio_s"], **_printable(report["speed"]))
    yield message("bench_model", model=report["model"], recordings=report["recordings"])


def _printable(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: "–" if value is None else value for name, value in figures.items()}


def _answer_table(kinds: dict[str, dict[str, Any]]) -> Table:
    table = _table("kind", "trials", *(verdict.value for verdict in Verdict), "p50", "p95")
    for kind, figures in kinds.items():
        cells = [_cell(figures, verdict.value) for verdict in Verdict]
        waiting = [f"{value}\nms" for value in _printable(figures["latency_ms"]).values()]
        table.add_row(kind, str(figures["trials"]), *cells, *waiting)
    return table


def _foreign_table(kinds: dict[str, dict[str, Any]]) -> Table:
    table = _table("oov", "trials", "gave_nothing", "asked", "accepted", "stops_per_hour")
    for kind, figures in kinds.items():
        cells = [_cell(figures, name) for name in ("nothing", "asked", "accepted")]
        per_hour = figures.get("stops_per_hour")
        table.add_row(kind, str(figures["trials"]), *cells, "" if per_hour is None else f"{per_hour}")
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(message(f"bench_column_{first}"))
    for name in others:
        table.add_column(message(f"bench_column_{name}"), justify="right")
    return table


def _cell(figures: dict[str, Any], name: str) -> str:
    # One above the other: side by side they are too wide for a narrow terminal.
    return f"{figures[name]}\n{figures['shares'][name]:.1%}"


def _mistake_line(mistake: dict[str, Any]) -> str:
    understood = mistake["understood"]
    if isinstance(understood, list):
        understood = ", ".join(understood)
    return message(
        "bench_mistake",
        file=mistake["file"],
        kind=mistake["kind"],
        expected=mistake["expected"] or "–",
        verdict=message(f"bench_column_{mistake['verdict']}"),
        understood="–" if understood is None else understood,
        text=mistake["text"] or "–",
    )
