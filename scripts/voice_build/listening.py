"""Listening back: what a clip sounds like to the project's own recogniser when it expects nothing."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import soxr

from narrator.ears.grammar import Grammar
from narrator.ears.levelling import levelled
from narrator.ears.model import RecogniserModel, load_model
from narrator.ears.recogniser import Recogniser
from narrator.ears.sound import SAMPLE_RATE
from narrator.mouth.clips import Clip
from narrator.mouth.reading import Stretch, syllables_of
from narrator.pinyin import NEAR_INITIALS, parts

ACOUSTIC_SCALE = 1.0
"""Weight of what is heard against a syllable's cost. The models' own, for small grammars, lets an open one
drop every third syllable."""

_QUIET_SECONDS = 0.3


class Listener:
    """Hears clips as toneless syllables through the model in the folder ``model``; close it after use."""

    def __init__(self, model: Path) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="narrator-listening-")
        self._model = self._open(model)
        self._syllables = {word: sound for sound, word in self._model.sounds.items()}
        self._grammar = Grammar({(word,): sound for word, sound in self._syllables.items()}, (), False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def heard(self, clip: Clip) -> tuple[str, ...]:
        """Return the syllables that the clip sounds like, any syllable being possible at any place."""
        sound = soxr.resample(clip.samples, clip.rate, SAMPLE_RATE)
        quiet = np.zeros(round(_QUIET_SECONDS * SAMPLE_RATE), np.int16)
        sixteen = np.round(np.clip(sound, -1, 1) * 32767).astype(np.int16)
        recogniser = Recogniser(self._model, self._grammar)
        recogniser.accept(np.concatenate([quiet, levelled(sixteen), quiet]))
        return tuple(self._syllables.get(word.text, word.text) for word in recogniser.final())

    def _open(self, model: Path) -> RecogniserModel:
        """The model with a decoder set for an open grammar."""
        folder = Path(self._folder.name) / "model"
        shutil.copytree(model, folder)
        conf = folder / "conf" / "model.conf"
        lines = [line for line in conf.read_text().splitlines() if not line.startswith("--acoustic-scale")]
        conf.write_text("\n".join([*lines, f"--acoustic-scale={ACOUSTIC_SCALE}"]) + "\n")
        return load_model(folder)


def sounds(reading: Sequence[Stretch]) -> tuple[str, ...]:
    """Return a reading's syllables without their tones."""
    return tuple(re.sub(r"\d", "", syllable) for syllable in syllables_of(reading))


def astray(heard: Sequence[str], wanted: Sequence[str]) -> float:
    """Return the share of ``wanted`` that came out differently: 0 for nothing, 1 for all or more.

    A syllable's beginning and its rest count half each, and half of that for a usual accent's mix-up (z for
    zh, -n for -ng); a syllable that is missing, or one too many, counts whole.
    """
    row = [float(place) for place in range(len(wanted) + 1)]
    for count, syllable in enumerate(heard, start=1):
        diagonal, row[0] = row[0], float(count)
        for place, target in enumerate(wanted, start=1):
            cost = min(diagonal + _apart(syllable, target), row[place] + 1, row[place - 1] + 1)
            diagonal, row[place] = row[place], cost
    return min(1.0, row[-1] / len(wanted))


def _apart(heard: str, wanted: str) -> float:
    (heard_start, heard_rest), (start, rest) = parts(heard), parts(wanted)
    near = any({heard_start, start} <= pair for pair in NEAR_INITIALS)
    cost = 0.0 if heard_start == start else 0.25 if near else 0.5
    if heard_rest == rest:
        return cost
    return cost + (0.25 if heard_rest.removesuffix("g") == rest.removesuffix("g") else 0.5)
