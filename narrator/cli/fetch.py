"""``narrator fetch``: bring a public model, and say which phrases it can hear."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from narrator.cli.parts import add_voices_option, open_phrases, settings_for, voice_folder
from narrator.ears.fetch.fetch import CHECKSUMS, Fetched, Stage, fetch, model_folder
from narrator.ears.fetch.fetch import Progress as Report
from narrator.ears.fetch.manifest import ModelEntry, choose_entry, load_manifest
from narrator.ears.model import find_model, load_model, require_model
from narrator.faults import Fault
from narrator.messages import message
from narrator.resources import config_folder, data_folder, manifest_file

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("fetch", help=message("help_fetch"))
    parser.add_argument("name", nargs="?", metavar="NAME", help=message("help_fetch_name"))
    parser.add_argument("--list", action="store_true", help=message("help_fetch_list"))
    parser.add_argument("--again", action="store_true", help=message("help_fetch_again"))
    parser.add_argument("--manifest", metavar="FILE", type=Path, help=message("help_fetch_manifest"))
    add_voices_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Fetch one model, unless it is there already, and say how it fits."""
    entries = load_manifest(args.manifest or manifest_file())
    home = data_folder()
    if args.list:
        for entry in entries:
            print(_line(entry, _is_there(entry, home)))
        return 0
    settings = settings_for(args)
    entry = choose_entry(entries, args.name)
    path = model_folder(entry, home)
    if _is_there(entry, home) and not args.again:
        print(message("fetch_there", name=entry.name, path=path))
    else:
        with _shown() as progress:
            fetched = fetch(entry, home, progress)
        print(message("fetch_done", name=entry.name, path=path))
        print(_vouched(fetched))
    _tell_vocabulary(path, voice_folder(settings.locale, args.voices))
    _tell_use(path, settings.model)
    return 0


def _is_there(entry: ModelEntry, home: Path) -> bool:
    try:
        require_model(model_folder(entry, home))
    except Fault:
        return False
    return True


def _line(entry: ModelEntry, there: bool) -> str:
    return message(
        "fetch_entry",
        mark="✓" if there else "–",
        name=entry.name,
        about=entry.about,
        size=f"{entry.size / 1e6:.1f} MB" if entry.size else message("fetch_size_unknown"),
        licence=entry.licence,
        checksum=message("fetch_checksum_known" if entry.sha256 else "fetch_checksum_unknown"),
    )


@contextmanager
def _shown() -> Iterator[Report]:
    """A progress bar for every stage, on standard error."""
    console = Console(file=sys.stderr)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        tasks = {stage: bar.add_task(message(f"fetch_stage_{stage}"), visible=False) for stage in Stage}

        def report(stage: Stage, done: int, total: int | None) -> None:
            bar.update(tasks[stage], completed=done, total=total, visible=True)

        yield report


def _vouched(fetched: Fetched) -> str:
    file = fetched.path.parent / CHECKSUMS
    return message(f"fetch_vouched_{fetched.vouched}", sha256=fetched.sha256, file=file)


def _tell_vocabulary(path: Path, voices: Path) -> None:
    """Which phrases the model can hear as they are, by other words of the same sound, or not at all."""
    model = load_model(path)
    texts = list(dict.fromkeys(phrase.text for phrase in open_phrases(voices).everything()))
    spellings = {text: model.spell(text) for text in texts}
    missing = [text for text, words in spellings.items() if words is None]
    respelled = {text: words for text, words in spellings.items() if words and "".join(words) != text}
    if respelled:
        shown = "、".join(f"{text}={' '.join(words)}" for text, words in respelled.items())
        print(message("fetch_vocabulary_respelled", count=len(respelled), phrases=shown))
    if missing:
        print(message("fetch_vocabulary_missing", count=len(missing), phrases="、".join(missing)))
    else:
        print(message("fetch_vocabulary_fine", count=len(texts)))


def _tell_use(path: Path, chosen: Path | None) -> None:
    used = find_model(chosen)
    if used.resolve() == path.resolve():
        print(message("fetch_in_use"))
    else:
        settings = config_folder() / "settings.toml"
        print(message("fetch_choose", path=used, name=path.name, settings=settings))
