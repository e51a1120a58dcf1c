"""A recorded voice on disk while it is being built: its clips and its index, whole after every write."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from narrator.mouth.recorded import INDEX


@dataclass(frozen=True, slots=True)
class Entry:
    """One clip of the index.

    ``recipe`` is a hash of all that the first take's sound depends on, ``speed`` the take that was kept,
    ``astray`` the share of syllables that listening back heard differently (None: not listened to yet).
    """

    file: str
    seconds: float
    sha256: str
    recipe: str
    speed: float = 1.0
    astray: float | None = None


class PackFile:
    """The clips of one voice in ``folder``; ``name`` is what the voice is called."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.entries: dict[str, Entry] = {}
        # A missing or broken index only means that everything is recorded anew.
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            found = json.loads((folder / INDEX).read_text(encoding="utf-8"))
            self.entries = {text: Entry(**entry) for text, entry in found["clips"].items()}

    def current(self, text: str, recipe: str) -> Entry | None:
        """Return the entry of a text if its clip was made by that recipe and is whole."""
        entry = self.entries.get(text)
        if entry is None or entry.recipe != recipe:
            return None
        data = self.read(text)
        return entry if data is not None and hashlib.sha256(data).hexdigest() == entry.sha256 else None

    def read(self, text: str) -> bytes | None:
        """Return the file of a text's clip; ``None`` when it isn't there."""
        try:
            return (self.folder / self.entries[text].file).read_bytes()
        except (OSError, KeyError):
            return None

    def put(
        self,
        text: str,
        data: bytes,
        seconds: float,
        recipe: str,
        speed: float = 1.0,
        astray: float | None = None,
    ) -> None:
        """Store a clip; the index is written by ``save``."""
        file = f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.opus"
        _write(self.folder / file, data)
        digest = hashlib.sha256(data).hexdigest()
        self.entries[text] = Entry(file, round(seconds, 3), digest, recipe, speed, astray)

    def save(self, texts: Iterable[str] | None = None) -> None:
        """Write the index; with ``texts``, forget everything else and remove its files."""
        if texts is not None:
            self.entries = {text: self.entries[text] for text in texts if text in self.entries}
            kept = {entry.file for entry in self.entries.values()}
            for file in self.folder.glob("*.opus"):
                if file.name not in kept:
                    file.unlink()
        lines = ",\n".join(
            f"  {json.dumps(text, ensure_ascii=False)}: {json.dumps(asdict(entry))}"
            for text, entry in self.entries.items()
        )
        name = json.dumps(self.name, ensure_ascii=False)
        _write(self.folder / INDEX, f'{{"name": {name}, "clips": {{\n{lines}\n}}}}\n'.encode())


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    partial.write_bytes(data)
    partial.replace(file)
