"""Writes a voice pack out: every line as a table, and every segment as a sound file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from narrator.faults import Fault
from narrator.mouth.clips import Clip
from narrator.mouth.renderer import RenderFailed
from narrator.mouth.voicepack import VoicePack
from narrator.pinyin import syllables

SOUND = "sound"
"""The folder of the sound files."""


def export_lines(pack: VoicePack, folder: Path, heard: Mapping[str, int]) -> int:
    """Write ``lines.csv`` and ``segments.csv`` into ``folder``; return how many segments there are.

    ``heard`` is how often a segment is said. ``Fault("cannot_write")``.
    """
    lines = [
        (line, variant, text)
        for line, variants in pack.lines.items()
        for variant, text in enumerate(variants, start=1)
    ]
    segments = [
        (file_of(number), text, " ".join(filter(str.isalpha, syllables(text))), heard.get(text, 0))
        for number, text in enumerate(pack.every_segment(), start=1)
    ]
    _write(folder / "lines.csv", ("line", "variant", "text"), lines)
    _write(folder / "segments.csv", ("file", "text", "pinyin", "heard"), segments)
    return len(segments)


def export_sound(
    pack: VoicePack, folder: Path, sound: Callable[[str], Clip], step: Callable[[], None] = lambda: None
) -> tuple[str, ...]:
    """Write every segment as FLAC into the folder ``sound``; return those that can't be spoken.

    ``step`` follows each. ``Fault("cannot_write")``.
    """
    import soundfile

    silent = []
    for number, text in enumerate(pack.every_segment(), start=1):
        file = folder / file_of(number)
        try:
            clip = sound(text)
            file.parent.mkdir(parents=True, exist_ok=True)
            soundfile.write(file, clip.samples, clip.rate, format="FLAC", subtype="PCM_16")
        except RenderFailed:
            silent.append(text)
        except (OSError, soundfile.SoundFileError) as error:
            raise Fault("cannot_write", file=file, why=error) from error
        step()
    return tuple(silent)


def file_of(number: int) -> str:
    """The sound file of a segment by its number from 1, relative to the folder."""
    return f"{SOUND}/{number:04d}.flac"


def _write(file: Path, head: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> None:
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(head)
    table.writerows(rows)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # With a byte order mark spreadsheets know it for UTF-8.
        file.write_text(text.getvalue(), encoding="utf-8-sig", newline="")
    except OSError as error:
        raise Fault("cannot_write", file=file, why=error.strerror or error) from error
