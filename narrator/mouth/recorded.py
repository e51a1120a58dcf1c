"""A recorded voice: clips made ahead of time, found by the text they speak."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from narrator.faults import Fault
from narrator.mouth.clips import Clip

FOLDER = "clips"
"""Where in a locale's folder the recorded voices lie, each in a folder of its own."""

INDEX = "index.json"


@dataclass(frozen=True, slots=True)
class Take:
    """One clip: its file in the voice's folder, its length, and the SHA-256 of the file in hexadecimal.

    ``recipe`` is a hash of what its sound depended on when it was made, if the index tells.
    """

    file: str
    seconds: float
    sha256: str
    recipe: str = ""


class SpokenBy(Protocol):
    """A voice that has clips: of its own, or lent by another locale."""

    id: str
    name: str

    def __contains__(self, text: str) -> bool:
        """Whether there is a clip of a text."""

    def clip(self, text: str) -> Clip:
        """Return the clip of a text; ``KeyError``, or ``Fault("broken_clip")``, when there is none."""


class RecordedVoice:
    """The clips of one voice; each is read when it is asked for and not kept in memory.

    ``folder`` holds ``index.json`` (the voice's name and, by text, its takes) and Ogg Opus files.
    ``asked_as`` is what it is asked for by, unless that is the folder's name. Raises
    ``Fault("broken_voice", file=, why=)`` when the index can't be read.
    """

    def __init__(self, folder: Path, asked_as: str | None = None) -> None:
        self.folder = folder
        self.id = asked_as or folder.name
        file = folder / INDEX
        try:
            index = json.loads(file.read_text(encoding="utf-8"))
            self.name = str(index["name"])
            self.takes: Mapping[str, Take] = {
                text: Take(
                    str(take["file"]),
                    float(take["seconds"]),
                    str(take["sha256"]),
                    str(take.get("recipe", "")),
                )
                for text, take in index["clips"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Fault("broken_voice", file=str(file), why=f"{type(error).__name__}: {error}") from error

    def __contains__(self, text: str) -> bool:
        return text in self.takes

    def clip(self, text: str) -> Clip:
        """Return the clip of a text; ``KeyError`` when there is none.

        Raises ``Fault("broken_clip", file=, why=)`` when it is listed, but missing or damaged.
        """
        data = self.checked(text)
        try:
            return _decoded(data)
        except ValueError as error:
            file = self.folder / self.takes[text].file
            raise Fault("broken_clip", file=str(file), why=str(error)) from error

    def checked(self, text: str) -> bytes:
        """Return the file of a text's clip as it was written; raises as ``clip`` does."""
        take = self.takes[text]
        file = self.folder / take.file
        try:
            data = file.read_bytes()
            if hashlib.sha256(data).hexdigest() != take.sha256:
                raise ValueError("checksum")
        except (OSError, ValueError) as error:
            raise Fault("broken_clip", file=str(file), why=str(error)) from error
        return data


class BorrowingVoice:
    """A voice that says in one script what it has recorded in another, and first what is recorded in its own.

    ``own`` are the locale's own clips of the same voice, if any; ``lent`` turns a text into the lender's
    script.
    """

    def __init__(
        self, lender: RecordedVoice, lent: Callable[[str], str], own: RecordedVoice | None = None
    ) -> None:
        self.id, self.name = lender.id, lender.name
        self._lender, self._lent, self._own = lender, lent, own

    def __contains__(self, text: str) -> bool:
        return (self._own is not None and text in self._own) or self._lent(text) in self._lender

    def clip(self, text: str) -> Clip:
        """Return the clip of a text, its own before the lender's; raises as ``RecordedVoice.clip`` does."""
        if self._own is not None and text in self._own:
            return self._own.clip(text)
        return self._lender.clip(self._lent(text))


def recorded_voices(locale_folder: Path) -> tuple[str, ...]:
    """Return the ids of the recorded voices that a locale's folder has, sorted."""
    return tuple(sorted(index.parent.name for index in (locale_folder / FOLDER).glob(f"*/{INDEX}")))


def voice_of(locale_folder: Path, voice: str) -> RecordedVoice:
    """Return a recorded voice of a locale by its id; raises ``Fault("broken_voice")``."""
    return RecordedVoice(locale_folder / FOLDER / voice)


def _decoded(data: bytes) -> Clip:
    # Imported late: a voice of the synthesiser alone needs no decoder.
    import soundfile

    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="float32")
    except soundfile.SoundFileError as error:
        raise ValueError(" ".join(str(error).split())) from error
    if samples.ndim != 1 or not len(samples):
        raise ValueError("not a mono sound")
    return Clip(samples, int(rate))
