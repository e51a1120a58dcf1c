"""The synthesisers that can speak live: espeak-ng, or a neural one whose model file was given."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from narrator.faults import Fault
from narrator.mouth.selftest import check_voice

USUAL_RATE = 165
"""The rate in words a minute at which a neural voice speaks as it was trained to."""


class Kind(StrEnum):
    """Which synthesiser."""

    ESPEAK = "espeak"
    PIPER = "piper"
    KOKORO = "kokoro"


_MODULES = {Kind.PIPER: {"piper": "piper-tts"}, Kind.KOKORO: {"kokoro_onnx": "kokoro-onnx", "jieba": "jieba"}}


@dataclass(frozen=True, slots=True)
class Engine:
    """A synthesiser with its model file, and one of its voices where the model has several.

    ``styles`` are Kokoro's voices, ``readings`` the pinned readings of the locale that it reads by.
    """

    kind: Kind = Kind.ESPEAK
    model: Path | None = None
    voice: str = ""
    styles: Path | None = None
    readings: Path | None = None

    @property
    def arguments(self) -> tuple[str, ...]:
        """What the worker process is told, as command-line arguments."""
        given = {key: None if value is None else str(value) for key, value in asdict(self).items()}
        return () if self.kind is Kind.ESPEAK else (json.dumps(given),)

    @classmethod
    def of(cls, argument: str) -> Engine:
        """The engine that ``arguments`` told of."""
        given = json.loads(argument)
        files = {key: Path(given[key]) for key in ("model", "styles", "readings") if given[key]}
        return cls(Kind(given["kind"]), voice=given["voice"], **files)

    @property
    def sound(self) -> str:
        """What tells its sound from that of any other engine: stored clips are found by it."""
        if self.model is None:
            return str(self.kind)
        size, changed = self.model.stat().st_size, self.model.stat().st_mtime_ns
        return f"{self.kind}:{self.model.name}:{size}:{changed}:{self.voice}"

    def check(self, voice: str) -> None:
        """Raise the fault for whatever would keep it from speaking; ``voice`` is espeak's, to be tried aloud.

        ``Fault("engine_not_installed")`` or ``Fault("engine_broken")``; espeak's own are ``check_voice``'s.
        """
        if self.kind is Kind.ESPEAK:
            check_voice(voice)
            return
        for module, package in _MODULES[self.kind].items():
            if importlib.util.find_spec(module) is None:
                raise Fault("engine_not_installed", engine=self.kind.title(), package=package)
        for file in (self.model, self.styles):
            if file is not None and not file.is_file():
                raise Fault("engine_broken", engine=self.kind.title(), file=file, why="FileNotFoundError")


def piper(model: Path) -> Engine:
    """Piper with a voice's ``.onnx`` file and the ``.onnx.json`` beside it; ``Fault("engine_broken")``."""
    if not model.is_file() or not Path(f"{model}.json").is_file():
        missing = Path(f"{model}.json") if model.is_file() else model
        raise Fault("engine_broken", engine="Piper", file=missing, why="FileNotFoundError")
    return Engine(Kind.PIPER, model)


def kokoro(model: Path, voice: str, readings: Path) -> Engine:
    """Kokoro with its ``.onnx`` file, in one of the voices of the ``voices*.bin`` or ``.npz`` beside it.

    ``readings`` are the locale's pinned ones, if there are any. Raises ``Fault("engine_broken")`` when a file
    is missing.
    """
    styles = sorted([*model.parent.glob("voices*.bin"), *model.parent.glob("voices*.npz")])
    if not model.is_file() or not styles:
        missing = model.parent / "voices.bin" if model.is_file() else model
        raise Fault("engine_broken", engine="Kokoro", file=missing, why="FileNotFoundError")
    return Engine(Kind.KOKORO, model, voice, styles[-1], readings if readings.is_file() else None)
