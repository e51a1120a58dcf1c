"""``narrator check``: is everything there to moderate a game, and what is to be done where it isn't?"""

from __future__ import annotations

import argparse
import errno
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from narrator.faults import Fault
from narrator.messages import message
from narrator.resources import data_folder, voices_folder
from narrator.table.settings import Settings, load_settings

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers


class State(StrEnum):
    """How a part is: fine, missing though a game is possible without it, or in the way of any game."""

    FINE = "fine"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look at one part has shown; ``detail`` is a sentence."""

    part: str
    state: State
    detail: str


_MARKS = {State.FINE: "✓", State.MISSING: "–", State.BROKEN: "✗"}
_NEEDED = {"rulesets": ("lines", "phrases"), "vocabulary": ("model",)}
"""Parts that can only be looked at when others are fine."""

_EXIT_CODES = {State.FINE: 0, State.MISSING: 1, State.BROKEN: 2}


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Declare the options."""
    parser = subparsers.add_parser("check", help=message("help_check"))
    parser.add_argument("--model", metavar="DIR", type=Path, help=message("help_option_model"))
    parser.add_argument("--json", action="store_true", help=message("help_option_json"))
    return parser


def run(args: argparse.Namespace) -> int:
    """Look at every part; 0 = all fine, 1 = playable with something missing, 2 = not playable."""
    findings = []
    for finding in examine(args.model):
        findings.append(finding)
        if not args.json:
            part = message(f"check_{finding.part}")
            print(message("check_line", mark=_MARKS[finding.state], part=part, detail=finding.detail))
    code = max(_EXIT_CODES[finding.state] for finding in findings)
    if args.json:
        print(
            json.dumps(
                {"exit": code, "findings": [asdict(finding) for finding in findings]},
                ensure_ascii=False,
                indent=2,
            )
        )
    else:
        print(message(f"check_verdict_{code}"))
    return code


def examine(model: Path | None = None) -> Iterator[Finding]:
    """Look at one part after the other; what is wrong with one doesn't hide the next."""
    try:
        settings = load_settings()
        yield Finding("settings", State.FINE, message("check_settings_fine"))
    except Fault as fault:
        yield _of_fault("settings", State.BROKEN, fault)
        settings = Settings()
    pack = voices_folder() / settings.locale
    parts: tuple[tuple[str, State, Callable[[], Finding | str]], ...] = (
        ("folder", State.BROKEN, _folder),
        ("lines", State.BROKEN, lambda: _lines(pack)),
        ("phrases", State.BROKEN, lambda: _phrases(pack)),
        ("rulesets", State.MISSING, lambda: _rulesets(pack)),
        ("recorded", State.MISSING, lambda: _recorded(pack, settings.voice)),
        ("voice", State.MISSING, lambda: _voice(pack)),
        ("model", State.MISSING, lambda: _model(model or settings.model)),
        ("vocabulary", State.MISSING, lambda: _vocabulary(model or settings.model, pack)),
        ("microphone", State.MISSING, lambda: _microphone(settings)),
        ("loudspeaker", State.MISSING, lambda: _loudspeaker(settings)),
    )
    states: dict[str, State] = {}
    for part, otherwise, look in parts:
        if any(states[needed] is not State.FINE for needed in _NEEDED.get(part, ())):
            continue
        finding = _look(part, otherwise, look)
        states[part] = finding.state
        yield finding


def _look(part: str, otherwise: State, look: Callable[[], Finding | str]) -> Finding:
    try:
        found = look()
    except Fault as fault:
        return _of_fault(part, otherwise, fault)
    except ImportError as error:
        return Finding(part, otherwise, message("check_not_installed", why=error))
    return Finding(part, State.FINE, found) if isinstance(found, str) else found


def _of_fault(part: str, state: State, fault: Fault) -> Finding:
    return Finding(part, state, message(fault.key, **fault.params))


def _folder() -> str:
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Fault("cannot_write", file=folder, why=error.strerror) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Fault("cannot_write", file=folder, why=os.strerror(errno.EACCES))
    return str(folder)


def _lines(pack: Path) -> str:
    from narrator.mouth.lines import load_pack

    return message("check_lines_fine", count=len(load_pack(pack).lines))


def _phrases(pack: Path) -> str:
    return message("check_phrases_fine", count=len(_texts(pack)))


def _rulesets(pack: Path) -> Finding | str:
    """The host's own rulesets, as at the start of a game; each one that would be left out with the reason."""
    from narrator.mouth.lines import load_pack
    from narrator.rules.library import library
    from narrator.table.houserules import Words, own_rules
    from narrator.understanding.phrasebook import load_phrasebook

    faults: list[Fault] = []
    found = own_rules(faults.append, Words(load_pack(pack), load_phrasebook(pack / "phrases.toml")))
    names = ", ".join(f"{ruleset.name} ({ruleset.id})" for ruleset in library(found).own)
    if faults:
        left_out = " ".join(message(fault.key, **fault.params) for fault in faults)
        kept = message("check_rulesets_kept", names=names) if names else ""
        return Finding("rulesets", State.MISSING, f"{left_out} {kept}".strip())
    return message("check_rulesets_own", names=names) if names else message("check_rulesets_none")


def _voice(pack: Path) -> str:
    from narrator.mouth.lines import load_pack
    from narrator.mouth.renderer import Renderer, RenderFailed
    from narrator.mouth.selftest import check_voice

    voice = load_pack(pack).voice
    check_voice(voice.id)
    with Renderer() as renderer:
        try:
            clip = renderer.render("三号", voice.id, voice.rate)
        except RenderFailed as failure:
            raise Fault("voice_is_silent", voice=voice.id, why=failure) from failure
    return message("check_voice_fine", voice=voice.id, seconds=f"{len(clip.samples) / clip.rate:.1f}")


def _recorded(pack: Path, voice: str | None) -> Finding | str:
    from narrator.cli.speaking import open_voices
    from narrator.mouth.lines import load_pack

    said = load_pack(pack)
    voices = open_voices(said, voice)
    if not voices:
        return Finding("recorded", State.MISSING, message("check_nothing_recorded"))
    wanted = said.every_segment()
    missing = [text for text in wanted if text not in voices[0]]
    figures = {"voice": voices[0].id, "name": voices[0].name, "count": len(wanted), "missing": len(missing)}
    if missing:
        return Finding("recorded", State.MISSING, message("check_recorded_lacks", **figures))
    return message("check_recorded_fine", **figures)


def _model(model: Path | None) -> str:
    from narrator.ears.model import find_model, load_model

    return str(load_model(find_model(model)).path)


def _vocabulary(model: Path | None, pack: Path) -> Finding | str:
    from narrator.ears.grammar import build_grammar
    from narrator.ears.model import find_model, load_model

    texts = _texts(pack)
    try:
        missing = build_grammar(load_model(find_model(model)), texts).missing
    except ValueError:
        missing = texts
    if missing:
        unheard = message("check_vocabulary_unheard", count=len(missing), phrases="、".join(missing))
        return Finding("vocabulary", State.MISSING, unheard)
    return message("check_vocabulary_fine", count=len(texts))


def _microphone(settings: Settings) -> str:
    from narrator.table.devices import choose, list_devices

    names = list_devices().microphones
    if settings.microphone is not None:
        return choose(names, settings.microphone)
    if not names:
        raise Fault("check_no_microphone")
    return message("check_devices", count=len(names), names="; ".join(names))


def _loudspeaker(settings: Settings) -> str:
    from narrator.table.devices import choose, list_devices

    names = list_devices().loudspeakers
    if settings.loudspeaker is not None:
        return choose(names, settings.loudspeaker)
    if not names:
        raise Fault("check_no_loudspeaker")
    return message("check_devices", count=len(names), names="; ".join(names))


def _texts(pack: Path) -> tuple[str, ...]:
    from narrator.understanding.phrasebook import load_phrasebook

    everything = load_phrasebook(pack / "phrases.toml").everything()
    return tuple(dict.fromkeys(phrase.text for phrase in everything))
