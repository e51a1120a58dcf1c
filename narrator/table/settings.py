"""The settings a table keeps between games, read from ``settings.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import get_args, get_type_hints

from narrator.faults import Fault
from narrator.moderator.sounds import TEMPOS, VOLUMES
from narrator.resources import config_folder, data_folder

SECRETS = ("codes", "keypad", "judge")
LONGEST_SPEECH = 3600
SLOWEST_PACE = 100


@dataclass(frozen=True, slots=True)
class Settings:
    """What the host may fix beforehand; ``None`` leaves it to be asked or found."""

    locale: str = "zh-CN"
    """Which voice pack speaks: a folder of ``voices/``; changed by 换个说法."""
    ruleset: str | None = None
    """The ruleset's id, such as ``standard``."""
    players: int | None = None
    """How many players sit at the table, the judge not counted."""
    secrets: str | None = None
    """How the judge answers at night: ``codes``, ``keypad`` or ``judge``."""
    speech_seconds: float = 60.0
    """The longest speech of one player, in seconds."""
    right_hand: int = 1
    """1 when seat 2 sits at seat 1's right hand, -1 when at the left."""
    model: Path | None = None
    """The folder of the recogniser's model."""
    microphone: str | None = None
    """The microphone, by (part of) its name."""
    loudspeaker: str | None = None
    """The loudspeaker, by (part of) its name."""
    voice: str | None = None
    """Which recorded voice speaks: its id in the voice pack, or the folder of a host's own clips; changed by
    换个声音."""
    own_voice: Path | None = None
    """The folder of a host's own clips that 换个声音 comes round to, whoever speaks first."""
    piper: Path | None = None
    """A Piper voice's .onnx file: the synthesiser instead of espeak-ng."""
    kokoro: Path | None = None
    """Kokoro's .onnx file, with its voices beside it: the synthesiser instead of espeak-ng."""
    kokoro_voice: str = "zf_xiaoyi"
    """Which of Kokoro's voices."""
    backdrop: bool = False
    """Whether nights have a soft sound under them."""
    pace: float = 1.0
    """Multiplies every pause of the voice pack."""
    volume: int = 0
    """How many steps of 3 dB everything sounds louder than recorded; changed by 大声点 and 小声点."""
    tempo: int = 0
    """How many steps of a tenth the voice speaks faster than recorded; changed by 快一点 and 慢一点."""


def load_settings(file: Path | None = None) -> Settings:
    """Read the settings; a file that isn't there means the defaults.

    ``Fault("bad_settings")`` names an unknown key, a value of the wrong type or one out of range.
    """
    file = file or config_folder() / "settings.toml"
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        raise Fault("bad_settings", file=file, why=error) from error
    try:
        return _settings(given)
    except ValueError as error:
        raise Fault("bad_settings", file=file, why=error) from error


def keep_setting(name: str, value: int | str, file: Path | None = None) -> None:
    """Write one setting into the file, which is made if there is none; all else in it stays as it was.

    ``Fault("settings_unwritable")`` when that can't be done; the file is whole then as before.
    """
    # Imported late: few evenings change a setting, and every one waits for its first word.
    import tomlkit

    file = file or config_folder() / "settings.toml"
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        settings = tomlkit.parse(text)
        settings[name] = value
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.new")
        draft.write_text(tomlkit.dumps(settings), encoding="utf-8")
        draft.replace(file)
    except (OSError, ValueError) as error:
        raise Fault("settings_unwritable", file=file, why=error) from error


def database_file() -> Path:
    """The journal's database."""
    return data_folder() / "narrator.db"


def _settings(given: dict[str, object]) -> Settings:
    types = get_type_hints(Settings)
    known = [field.name for field in fields(Settings)]
    values: dict[str, object] = {}
    for key, value in given.items():
        if key not in known:
            raise ValueError(f"{key}? ({', '.join(known)})")
        values[key] = _typed(key, value, types[key])
    settings = Settings(**values)  # type: ignore[arg-type]
    for key, fine, allowed in (
        ("piper", settings.piper is None or settings.kokoro is None, "piper, kokoro: 1"),
        ("secrets", settings.secrets in (None, *SECRETS), ", ".join(SECRETS)),
        ("right_hand", settings.right_hand in (1, -1), "1, -1"),
        ("speech_seconds", 1 <= settings.speech_seconds <= LONGEST_SPEECH, f"1–{LONGEST_SPEECH}"),
        ("pace", 0 < settings.pace <= SLOWEST_PACE, f"> 0, ≤ {SLOWEST_PACE}"),
        ("volume", settings.volume in VOLUMES, f"{VOLUMES[0]}–{VOLUMES[-1]}"),
        ("tempo", settings.tempo in TEMPOS, f"{TEMPOS[0]}–{TEMPOS[-1]}"),
    ):
        if not fine:
            raise ValueError(f"{key} = {given[key]!r} ({allowed})")
    return settings


def _path(key: str, value: str) -> Path:
    try:
        return Path(value).expanduser()
    except RuntimeError as error:
        # ~somebody, who has no home here
        raise ValueError(f"{key} = {value!r} ({error})") from error


def _typed(key: str, value: object, wanted: object) -> object:
    accepted = [kind for kind in get_args(wanted) or (wanted,) if kind is not type(None)]
    (kind,) = accepted
    if kind is Path and isinstance(value, str):
        return _path(key, value)
    if kind is float and type(value) is int:
        return float(value)
    # bool is a subclass of int: ``players = true`` is a mistake, not one player.
    if type(value) is not kind:
        raise ValueError(f"{key} = {value!r} ({getattr(kind, '__name__', kind)})")
    return value
