"""``narrator rehearse``: a whole game with synthetic players, through real speech."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from narrator.cli.choice import add_set_option, knobs_of, tell
from narrator.cli.parts import (
    add_model_option,
    add_voices_option,
    open_pack,
    open_phrases,
    settings_for,
    voice_folder,
)
from narrator.cli.speaking import voices_for
from narrator.ears.model import find_model, load_model
from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.evening import Secrets, Setup
from narrator.mouth.clips import ClipCache
from narrator.mouth.renderer import Renderer
from narrator.mouth.selftest import check_voice
from narrator.rehearsal.cast.natural import clips_folder, has_natural_cast
from narrator.rehearsal.rehearse import Plan, Stage, rehearse
from narrator.rules.library import library
from narrator.table.houserules import Words, own_rules
from narrator.table.settings import Settings

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers

NATURAL, ESPEAK = CASTS = ("natural", "espeak")
"""Whose voices the players may have."""

INCOMPLETE = 1
"""Exit code when the verdict isn't what the players' choices imply, or something was misunderstood."""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("rehearse", help=message("help_rehearse"))
    parser.add_argument("--ruleset", metavar="ID", default="standard", help=message("help_rehearse_ruleset"))
    add_set_option(parser)
    parser.add_argument("--by-voice", action="store_true", help=message("help_rehearse_by_voice"))
    parser.add_argument("--players", metavar="N", type=int, default=12, help=message("help_rehearse_players"))
    parser.add_argument(
        "--secrets",
        choices=[way.value for way in Secrets],
        default="codes",
        help=message("help_option_secrets"),
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=message("help_rehearse_seed"))
    parser.add_argument("--snr", metavar="DB", type=float, default=20.0, help=message("help_rehearse_snr"))
    parser.add_argument("--games", metavar="N", type=int, default=1, help=message("help_rehearse_games"))
    parser.add_argument("--cast", choices=CASTS, help=message("help_rehearse_cast"))
    parser.add_argument("--out", metavar="FOLDER", type=Path, help=message("help_rehearse_out"))
    parser.add_argument("--reveal", action="store_true", help=message("help_option_reveal"))
    parser.add_argument("--quiet", action="store_true", help=message("help_rehearse_quiet"))
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    add_model_option(parser)
    add_voices_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Rehearse; transcript, sound and figures go to a folder."""
    settings = settings_for(args)
    knobs, own = knobs_of(args.set), own_rules(tell)
    library(own).chosen(args.ruleset, knobs, args.players)
    plan = Plan(
        args.ruleset,
        args.players,
        Secrets(args.secrets),
        args.seed,
        args.snr,
        games=max(1, args.games),
        knobs=knobs,
        own=own,
        by_voice=args.by_voice,
    )
    quiet = args.quiet or args.json
    figures = rehearse_into(plan, settings, args.model, args.voices, args.out, quiet, args.reveal, args.cast)
    if args.json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        print_figures(figures)
    return 0 if figures["completed"] and not figures["misunderstood"] else INCOMPLETE


def rehearse_instead(args: argparse.Namespace, settings: Settings, setup: Setup) -> int:
    """Nobody can answer where ``narrator play`` was started: play a game with synthetic players instead."""
    print(message("play_rehearses"))
    ruleset = setup.ruleset or setup.library.all()[0].id
    fits = setup.library.chosen(ruleset, setup.knobs)
    players = setup.players or min(max(12, fits.fewest), fits.most)
    plan = Plan(ruleset, players, Secrets.CODES, 1, 20.0, knobs=setup.knobs, own=setup.own)
    figures = rehearse_into(plan, settings, args.model, args.voices, None, quiet=False, reveal=args.reveal)
    print_figures(figures)
    return 0 if figures["completed"] else INCOMPLETE


def print_figures(figures: dict[str, Any]) -> None:
    """Tell a reader how a rehearsal went and where it lies."""
    print(message("rehearse_figures", **{**figures, **figures["latency_ms"]}))
    if figures["not_recorded"]:
        print(message("rehearse_not_recorded", texts=" · ".join(dict.fromkeys(figures["not_recorded"]))))
    print(message("rehearse_files", folder=figures["folder"]))


def rehearse_into(
    plan: Plan,
    settings: Settings,
    model: Path | None,
    voices: Path | None,
    folder: Path | None,
    quiet: bool,
    reveal: bool,
    cast: str | None = None,
) -> dict[str, Any]:
    """Rehearse with the real parts and leave ``table.wav``, ``transcript.txt`` and ``figures.json``.

    ``cast`` is one of ``CASTS``; by default the players sound natural if their clips are there.
    """
    voice = voice_folder(settings.locale, voices)
    words = Words(open_pack(voice), open_phrases(voice))
    for ruleset in library(plan.own).own:
        words.learn(ruleset)
    check_voice(words.pack.voice.id)
    if cast == NATURAL and not has_natural_cast():
        raise Fault("no_natural_cast", folder=clips_folder())
    clips = clips_folder() if cast != ESPEAK and has_natural_cast() else None
    recorded = voices_for(words.pack, None, settings)
    recogniser = load_model(find_model(model or settings.model))
    folder = folder or Path("rehearsals") / datetime.now().strftime("%Y%m%d-%H%M%S")
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            transcript = stack.enter_context((folder / "transcript.txt").open("w", encoding="utf-8"))
        except OSError as error:
            raise Fault("cannot_write", file=folder, why=error.strerror) from error
        renderer = stack.enter_context(Renderer())
        figures = rehearse(
            plan,
            Stage(words.pack, words.phrasebook, recogniser, renderer, ClipCache(), clips, recorded),
            wav=folder / "table.wav",
            transcript=transcript,
            echo=(lambda line: None) if quiet else print,
            reveal=reveal,
        )
    figures["folder"] = str(folder)
    text = json.dumps(figures, ensure_ascii=False, indent=2)
    (folder / "figures.json").write_text(text + "\n", encoding="utf-8")
    return figures
