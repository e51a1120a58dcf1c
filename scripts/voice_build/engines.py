"""The synthesisers that can record a voice."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from narrator.mouth.phonemes import phonemes
from narrator.mouth.reading import Stretch, syllables_of
from narrator.mouth.recipes import Carrier, engine_recipe
from voice_build.carrying import carried, carried_part

Samples = NDArray[np.float32]


class Engine(Protocol):
    """Something that reads aloud; ``recipe`` and ``carrier`` tell everything that its sound depends on."""

    recipe: str
    carrier: Carrier | None

    def say(self, reading: Sequence[Stretch], speed: float, longer: int = 0) -> tuple[Samples, int]:
        """Return mono samples from -1 to 1, silence around them allowed, and their rate in Hz.

        ``speed`` multiplies the voice's usual rate of speaking; ``longer`` asks for the manner of a text that
        many sounds longer, where the engine knows such a thing.
        """


class KokoroEngine:
    """Kokoro-82M in a voice or a blend; ``voices`` is the npm package kokoro-js, ``work`` for its network."""

    def __init__(
        self,
        blend: Mapping[str, float],
        speed: float,
        work: Path,
        voices: Path | None,
        carrier: Carrier | None = None,
    ) -> None:
        self._blend = tuple(blend.items())
        self._speed = speed
        self._work = work
        self._voices = voices
        self.carrier = carrier
        self.recipe = engine_recipe({"engine": "kokoro", "blend": blend, "speed": speed})

    def say(self, reading: Sequence[Stretch], speed: float, longer: int = 0) -> tuple[Samples, int]:
        """Say it; the network is loaded at the first time, and ``ValueError`` raised without ``voices``."""
        from speech_engines.kokoro import RATE

        style, speed = self._kokoro.style(self._blend)[longer:], self._speed * speed
        if self.carrier is not None and self.carrier.carries(reading):
            told, parts = carried(reading, self.carrier)
            run = self._kokoro.say(told, style, speed)
            found = carried_part(run, RATE, parts, len(syllables_of(reading)))
            if found is not None:
                return found, RATE
        return self._kokoro.say(phonemes(reading), style, speed), RATE

    @cached_property
    def _kokoro(self) -> Any:
        from speech_engines.kokoro import Kokoro

        if self._voices is None:
            raise ValueError("Kokoro's voices are needed: --kokoro PACKAGE")
        return Kokoro(self._work, self._voices)


class EspeakEngine:
    """espeak-ng's Mandarin voice, ``variant`` such as ``+f3``: quick, and good enough to try a build."""

    def __init__(self, variant: str = "", rate: int = 165) -> None:
        self._voice = f"cmn-latn-pinyin{variant}"
        self._rate = rate
        self.carrier = None
        self.recipe = engine_recipe({"engine": "espeak", "variant": variant, "rate": rate})

    def say(self, reading: Sequence[Stretch], speed: float, longer: int = 0) -> tuple[Samples, int]:
        """Say it in a process of its own; ``subprocess.CalledProcessError`` when espeak-ng fails."""
        import soundfile

        text = ", ".join(" ".join(stretch.syllables) for stretch in reading)
        command = ["espeak-ng", "--stdout", "-v", self._voice, "-s", str(round(self._rate * speed)), text]
        wave = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
        samples, rate = soundfile.read(io.BytesIO(wave), dtype="float32")
        return samples, int(rate)


def engine(settings: Mapping[str, Any], work: Path, voices: Path | None) -> Engine:
    """Return the engine that a voice's table in ``voices.toml`` asks for; ``ValueError`` for another one."""
    match settings.get("engine"):
        case "kokoro":
            speed, carrier = settings.get("speed", 1.0), Carrier.of(settings)
            return KokoroEngine(settings["blend"], speed, work, voices, carrier)
        case "espeak":
            return EspeakEngine(settings.get("variant", ""), settings.get("rate", 165))
    raise ValueError(f"engine = {settings.get('engine')!r} (kokoro, espeak)")
