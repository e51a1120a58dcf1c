"""``narrator listen``: what would be understood in sound files, for judging a model or a microphone."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from narrator.cli.parts import add_model_option, add_voices_option, open_phrases, settings_for, voice_folder
from narrator.ears.model import RecogniserModel, find_model, load_model
from narrator.ears.recordings import read_blocks
from narrator.ears.sound import BLOCK, Block
from narrator.heard import Heard
from narrator.messages import message
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Command, Unclear
from narrator.table.hearing import HUSH, KINDS, hear
from narrator.understanding.phrasebook import Phrasebook

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("listen", help=message("help_listen"))
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help=message("help_listen_file"))
    parser.add_argument(
        "--expect", required=True, choices=KINDS, metavar="KIND", help=message("help_listen_expect")
    )
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    add_model_option(parser)
    add_voices_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Print one line for each file."""
    settings = settings_for(args)
    phrasebook = open_phrases(voice_folder(settings.locale, args.voices))
    model = load_model(find_model(args.model or settings.model))
    for file in args.files:
        blocks = chain(read_blocks(file), repeat(np.zeros(BLOCK, np.int16), HUSH))
        report = {"file": str(file), "kind": args.expect, **listen(blocks, args.expect, model, phrasebook)}
        print(json.dumps(report, ensure_ascii=False) if args.json else _sentence(report), flush=True)
    return 0


def listen(
    blocks: Iterator[Block], kind: str, model: RecogniserModel, phrasebook: Phrasebook
) -> dict[str, Any]:
    """What is understood in ``blocks`` when an answer of ``kind`` is expected, as plain data."""
    hearing = hear(blocks, kind, model, phrasebook)
    if kind != Kind.PASS:
        return {**_meaning(hearing.meaning), **_utterance(hearing.heard)}
    return {
        "understood": hearing.heard.text if hearing.heard else None,
        **_utterance(hearing.heard),
        "stops": [_moment(heard) for heard in hearing.stops],
        "commands": [_moment(heard) for heard in hearing.commands],
    }


def _meaning(meaning: Answer | Command | Unclear) -> dict[str, Any]:
    if isinstance(meaning, Unclear):
        return {"understood": None, "certainty": None, "why": meaning.why.value}
    if isinstance(meaning, Command):
        return {"understood": meaning.name, "seat": meaning.seat, "certainty": meaning.certainty.value}
    value = "none" if meaning.value is None else meaning.value
    return {"understood": value, "certainty": meaning.certainty.value}


def _utterance(heard: Heard | None) -> dict[str, Any]:
    words = heard.words if heard else ()
    return {
        "text": heard.text if heard else "",
        "words": [
            {"word": word.text, "start": word.start, "end": word.end, "conf": round(word.confidence, 3)}
            for word in words
        ],
        "confidence": round(heard.confidence, 3) if heard else None,
        "rivals": list(heard.rivals) if heard else [],
        "endpoint_s": heard.endpoint if heard else None,
    }


def _moment(heard: Heard) -> dict[str, Any]:
    return {
        "text": heard.text,
        "time_s": heard.endpoint,
        "word_end_s": heard.words[-1].end,
        "confidence": round(heard.confidence, 3),
    }


def _sentence(report: dict[str, Any]) -> str:
    if "stops" in report:
        moments = ", ".join(f"{stop['text']} {stop['time_s']:.2f} s" for stop in report["stops"])
        return message(
            "listen_stops", file=report["file"], count=len(report["stops"]), moments=moments or "–"
        )
    if report["understood"] is None:
        return message("listen_nothing", file=report["file"], text=report["text"] or "–", why=report["why"])
    return message(
        "listen_understood",
        file=report["file"],
        text=report["text"],
        value=report["understood"],
        certainty=report["certainty"],
        confidence=report["confidence"],
    )
