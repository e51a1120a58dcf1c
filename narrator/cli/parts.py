"""What several commands need: the voice pack, the phrases, the model, the options that name them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from narrator.cli.choice import tell
from narrator.faults import Fault
from narrator.messages import message
from narrator.mouth.engines import Engine, kokoro, piper
from narrator.mouth.lines import load_pack
from narrator.mouth.voicepack import VoicePack
from narrator.resources import voices_folder
from narrator.table.required import required_lines, required_waits
from narrator.table.settings import Settings, load_settings
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook


def locales() -> tuple[str, ...]:
    """The voice packs that come with the program, sorted."""
    return tuple(sorted(file.parent.name for file in voices_folder().glob("*/lines.toml")))


def voice_folder(locale: str, voices: Path | None) -> Path:
    """The folder of the voice pack: a host's own, or the locale's; ``Fault("no_such_locale")``."""
    if voices is None and locale not in locales():
        raise Fault("no_such_locale", locale=locale, locales=", ".join(locales()))
    return voices or voices_folder() / locale


def settings_for(args: argparse.Namespace) -> Settings:
    """The settings, with what the command line says instead of the locale and of the synthesiser.

    A synthesiser that was asked for by name must be there: ``Fault`` tells what it lacks. It is heard,
    whatever recorded voice the table chose some other evening.
    """
    settings = load_settings()
    if args.locale is not None:
        voice_folder(args.locale, None)
        settings = replace(settings, locale=args.locale)
    chosen, voice = vars(args).get("piper"), vars(args).get("kokoro")
    if chosen is not None or voice is not None:
        settings = replace(settings, piper=chosen, kokoro=voice, voice=None)
        engine = engine_of(settings, Path())
        if engine is not None:
            engine.check("")
    return settings


def engine_of(settings: Settings, readings: Path) -> Engine | None:
    """The neural synthesiser that the settings ask for, if any; ``Fault`` when a file of it is missing."""
    if settings.piper is not None:
        return piper(settings.piper)
    if settings.kokoro is not None:
        return kokoro(settings.kokoro, settings.kokoro_voice, readings)
    return None


def open_pack(folder: Path, settings: Settings | None = None) -> VoicePack:
    """The voice pack, checked for every line that can be said; ``Fault`` names what is missing.

    With ``settings`` it is spoken by the synthesiser they ask for; what that lacks is said, and espeak-ng
    speaks.
    """
    pack = load_pack(folder)
    pack.check(required_lines(), required_waits())
    try:
        engine = engine_of(settings, pack.readings_file) if settings is not None else None
        if engine is not None:
            engine.check("")
            pack = pack.spoken_by(engine)
    except Fault as fault:
        tell(fault)
    return pack


def open_phrases(folder: Path) -> Phrasebook:
    """The phrase file beside the voice pack's lines."""
    return load_phrasebook(folder / "phrases.toml")


def add_model_option(parser: argparse.ArgumentParser) -> None:
    """``--model PATH``: the recogniser's model."""
    parser.add_argument("--model", metavar="PATH", type=Path, help=message("help_option_model"))


def add_voices_option(parser: argparse.ArgumentParser) -> None:
    """``--locale ID`` and ``--voices PATH``: one of the voice packs there are, or a host's own."""
    add_locale_option(parser)
    parser.add_argument("--voices", metavar="PATH", type=Path, help=message("help_option_voices"))


def add_locale_option(parser: argparse.ArgumentParser) -> None:
    """``--locale ID``: the language and the wording."""
    parser.add_argument("--locale", metavar="ID", help=message("help_option_locale"))


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """``--piper FILE`` or ``--kokoro FILE``: a neural synthesiser."""
    engine = parser.add_mutually_exclusive_group()
    engine.add_argument("--piper", metavar="FILE", type=Path, help=message("help_option_piper"))
    engine.add_argument("--kokoro", metavar="FILE", type=Path, help=message("help_option_kokoro"))


def add_voice_option(parser: argparse.ArgumentParser) -> None:
    """``--voice ID``: one of the pack's recorded voices."""
    parser.add_argument("--voice", metavar="ID", help=message("help_option_voice"))
