"""Unpacking an archive from elsewhere: plain files into a fresh folder, or nothing at all."""

from __future__ import annotations

import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from narrator.ears.fetch.download import write_fault
from narrator.faults import Fault

MOST_FILES = 2000
"""Entries that a model's archive may have."""

MOST_TIMES = 10
"""How many times larger than the archive its contents may be; models hardly shrink at all."""

HARMLESS = 16 * 1024**2
"""Bytes that may always come out, however small the archive."""

CHUNK = 256 * 1024

_ENCRYPTED = 0x1


def unpack(
    archive: Path, folder: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> None:
    """Unpack the zip file ``archive`` into ``folder``, which must not exist yet.

    Every entry is looked at before the first byte is written. Raises ``Fault("unsafe_archive")`` when
    one is anything but a plain file or folder inside, ``Fault("broken_archive")`` when the file is
    damaged. What was written before a fault is the caller's to remove.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            places = _places(archive, entries)
            total = _total(archive, entries)
            folder.mkdir(parents=True)
            done = 0
            for entry, place in zip(entries, places, strict=True):
                target = folder.joinpath(*place.parts)
                if entry.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                done += _write(archive, opened, entry, target)
                progress(done, total)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise Fault("broken_archive", file=archive.name, why=str(error).rstrip(".") or "zip") from error
    except OSError as error:
        raise write_fault(folder, error) from error


def _places(archive: Path, entries: list[zipfile.ZipInfo]) -> list[PurePosixPath]:
    """Where each entry goes, relative to the folder."""
    if len(entries) > MOST_FILES:
        raise Fault("unsafe_archive", file=archive.name, entry=len(entries), why=f"> {MOST_FILES}")
    places = [_place(archive, entry) for entry in entries]
    seen: dict[str, bool] = {}
    for entry, place in zip(entries, places, strict=True):
        # Some file systems take these for one: the later entry would replace the earlier.
        name = unicodedata.normalize("NFC", str(place)).casefold()
        if name in seen and not (entry.is_dir() and seen[name]):
            raise _unsafe(archive, entry, "×2")
        seen[name] = entry.is_dir()
    return places


def _place(archive: Path, entry: zipfile.ZipInfo) -> PurePosixPath:
    # ZipFile cuts names at a NUL and turns backslashes; what the archive really says is orig_filename.
    name = entry.orig_filename
    place = PurePosixPath(name)
    if not place.parts or place.is_absolute() or any(letter in name for letter in "\\:\0"):
        raise _unsafe(archive, entry, "path")
    if ".." in place.parts:
        raise _unsafe(archive, entry, "..")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFDIR if entry.is_dir() else stat.S_IFREG):
        raise _unsafe(archive, entry, stat.filemode(entry.external_attr >> 16))
    if entry.flag_bits & _ENCRYPTED:
        raise _unsafe(archive, entry, "encrypted")
    return place


def _total(archive: Path, entries: list[zipfile.ZipInfo]) -> int:
    """Bytes that come out, as the archive says; ``_write`` holds each entry to its word."""
    total = sum(entry.file_size for entry in entries)
    allowed = max(archive.stat().st_size * MOST_TIMES, HARMLESS)
    if total > allowed:
        raise Fault("unsafe_archive", file=archive.name, entry=f"{total} B", why=f"> {allowed} B")
    return total


def _write(archive: Path, opened: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> int:
    written = 0
    with opened.open(entry) as source, target.open("xb") as sink:
        while chunk := source.read(CHUNK):
            written += len(chunk)
            if written > entry.file_size:
                raise _unsafe(archive, entry, f"> {entry.file_size} B")
            sink.write(chunk)
    return written


def _unsafe(archive: Path, entry: zipfile.ZipInfo, why: str) -> Fault:
    return Fault("unsafe_archive", file=archive.name, entry=repr(entry.orig_filename), why=why)
