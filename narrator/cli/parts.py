"""What several commands need: the voice pack, the phrases, the model, the options that name them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from narrator.messages import message
from narrator.mouth.lines import load_pack
from narrator.mouth.speech import Mouth
from narrator.mouth.voicepack import VoicePack
from narrator.resources import voices_folder
from narrator.table.required import required_lines, required_waits
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook


def voice_folder(locale: str, voices: Path | None) -> Path:
    """The folder of the voice pack: a host's own, or the locale's."""
    return voices or voices_folder() / locale


def open_pack(folder: Path) -> VoicePack:
    """The voice pack, checked for every line that can be said; ``Fault`` names what is missing."""
    pack = load_pack(folder)
    pack.check(required_lines(), required_waits())
    return pack


def open_phrases(folder: Path) -> Phrasebook:
    """The phrase file beside the voice pack's lines."""
    return load_phrasebook(folder / "phrases.toml")


def add_model_option(parser: argparse.ArgumentParser) -> None:
    """``--model PATH``: the recogniser's model."""
    parser.add_argument("--model", metavar="PATH", type=Path, help=message("help_option_model"))


def add_voices_option(parser: argparse.ArgumentParser) -> None:
    """``--voices PATH``: a voice pack of the host's own."""
    parser.add_argument("--voices", metavar="PATH", type=Path, help=message("help_option_voices"))


def add_voice_option(parser: argparse.ArgumentParser) -> None:
    """``--voice ID``: one of the pack's recorded voices."""
    parser.add_argument("--voice", metavar="ID", help=message("help_option_voice"))


def prepare_with_progress(mouth: Mouth, texts: Sequence[str]) -> None:
    """Render ahead, with a progress bar on a terminal."""
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), transient=True
    ) as progress:
        task = progress.add_task(message("preparing_voice"), total=len(texts))
        mouth.prepare(texts, lambda done, total: progress.update(task, completed=done, total=total))
