"""Recording what the microphone hears, for a host who wants it: one file an evening, the nights left out."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Protocol

import numpy as np
import soundfile
from numpy.typing import NDArray

from narrator.faults import Fault
from narrator.table.blocks import RATE

# About a second: a file that is written fifty times a second wears out a memory card.
_BLOCKS_AT_ONCE = 50


class Microphone(Protocol):
    """Where the blocks come from."""

    def read(self) -> NDArray[np.int16]:
        """The next block."""

    def close(self) -> None:
        """Let the device go."""


class RecordingMicrophone:
    """Hands on every block and keeps it in a FLAC file in ``folder``, readable by its owner only.

    What is heard while ``hushed()`` is true becomes silence of the same length. Raises
    ``Fault("cannot_write")`` when there can be no such file; when later the disk is full the recording
    ends, ``told("recording_stopped")`` is called once, and the game goes on.
    """

    def __init__(self, microphone: Microphone, folder: Path, told: Callable[..., None]) -> None:
        self.hushed: Callable[[], bool] = lambda: False
        self._microphone = microphone
        self._told = told
        self._waiting: list[NDArray[np.int16]] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.file = _unused(folder / datetime.now().strftime("%Y%m%d-%H%M%S"))
            os.close(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            self._sound: soundfile.SoundFile | None = soundfile.SoundFile(
                self.file, "w", RATE, channels=1, subtype="PCM_16", format="FLAC"
            )
        except (OSError, soundfile.LibsndfileError) as error:
            raise Fault("cannot_write", file=folder, why=error) from error

    def read(self) -> NDArray[np.int16]:
        """The microphone's next block."""
        block = self._microphone.read()
        if self._sound is not None:
            self._waiting.append(np.zeros_like(block) if self.hushed() else block.copy())
            if len(self._waiting) >= _BLOCKS_AT_ONCE:
                self._write(self._sound)
        return block

    def close(self) -> None:
        """Finish the file and let the microphone go; may be called twice."""
        if self._sound is not None:
            self._write(self._sound)
        self._finish()
        self._microphone.close()

    def _write(self, sound: soundfile.SoundFile) -> None:
        waiting, self._waiting = np.concatenate([np.zeros(0, np.int16), *self._waiting]), []
        try:
            sound.write(waiting)
        except (OSError, soundfile.LibsndfileError) as error:
            self._finish()
            self._told("recording_stopped", file=self.file, why=error)

    def _finish(self) -> None:
        sound, self._sound = self._sound, None
        if sound is not None:
            sound.close()


def _unused(stem: Path) -> Path:
    names = itertools.chain([f"{stem}.flac"], (f"{stem}-{number}.flac" for number in itertools.count(2)))
    return next(path for path in map(Path, names) if not path.exists())
