"""Fetching a model: download, checksum, unpacking aside, and one rename when all is well."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from narrator.ears.fetch.download import Download, Patience, write_fault
from narrator.ears.fetch.manifest import Checksums, ModelEntry
from narrator.ears.fetch.unpack import unpack
from narrator.ears.model import require_model
from narrator.faults import Fault

DOWNLOADS = "downloads"
"""Where unfinished things lie: outside ``models``, where half a model could be taken for one."""

CHECKSUMS = "checksums.json"
"""The file beside the models that records the checksums nobody vouched for."""

UNPACKED = 2
"""How many times larger than the archive a model is at most, for looking whether there is room."""


class Vouched(StrEnum):
    """Who says that the archive is the right one."""

    BY_MANIFEST = "manifest"
    BY_RECORD = "record"
    BY_NOBODY = "nobody"


class Stage(StrEnum):
    """What is being done."""

    DOWNLOAD = "download"
    VERIFY = "verify"
    UNPACK = "unpack"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A model that is there now."""

    path: Path
    """Its folder."""
    sha256: str
    """Checksum of its archive, in hex."""
    vouched: Vouched
    """Where the right checksum came from; ``BY_NOBODY``: computed and recorded just now."""


Progress = Callable[[Stage, int, int | None], None]
"""Told the stage, the bytes done and, once known, the bytes in all."""


def model_folder(entry: ModelEntry, home: Path) -> Path:
    """Where a fetched model lies in the data folder ``home``."""
    return home / "models" / entry.name


def fetch(
    entry: ModelEntry,
    home: Path,
    progress: Progress = lambda stage, done, total: None,
    patience: Patience | None = None,
) -> Fetched:
    """Fetch ``entry`` into the data folder ``home``, replacing an earlier one only when all has gone well.

    What was downloaded before an interruption is resumed the next time; nothing else of an unfinished
    fetch remains. Raises a ``Fault`` for everything a person can mend.
    """
    downloads, models = home / DOWNLOADS, home / "models"
    try:
        downloads.mkdir(parents=True, exist_ok=True)
        models.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_fault(home / "models", error) from error
    archive = downloads / f"{entry.name}.zip"
    checksums = Checksums(models / CHECKSUMS)
    with _alone(downloads, entry):
        _tidy(_aside(archive), _before(archive), model_folder(entry, home))
        wanted = entry.sha256 or checksums.recorded(entry)
        sha256 = _bring(entry, archive, wanted, checksums, progress, patience)
        _install(entry, archive, model_folder(entry, home), progress)
        if wanted is None:
            _record(checksums, entry, sha256)
        archive.unlink(missing_ok=True)
    if wanted is None:
        vouched = Vouched.BY_NOBODY
    else:
        vouched = Vouched.BY_MANIFEST if entry.sha256 else Vouched.BY_RECORD
    return Fetched(model_folder(entry, home), sha256, vouched)


def _bring(
    entry: ModelEntry,
    archive: Path,
    wanted: str | None,
    checksums: Checksums,
    progress: Progress,
    patience: Patience | None,
) -> str:
    """Download the archive and compare its checksum; the checksum comes back."""
    download = Download(entry.url, archive, entry.size, patience)
    while True:
        at_once = False
        # A whole archive is left when an earlier fetch was stopped while it unpacked.
        if not archive.exists():
            _check_room(entry, archive)
            download.run(lambda done, total: progress(Stage.DOWNLOAD, done, total))
            at_once = not download.resumed
        sha256 = _checksum(archive, progress)
        if wanted in (None, sha256):
            return sha256
        download.discard()
        # Something older may be to blame; what came in one go is what the server has.
        if at_once:
            break
    if entry.sha256 is None:
        raise Fault("fetch_changed", name=entry.name, file=checksums.file, found=sha256, wanted=wanted)
    raise Fault("fetch_wrong_checksum", url=entry.url, found=sha256, wanted=wanted)


def _check_room(entry: ModelEntry, archive: Path) -> None:
    """A disk that can't hold the archive and what comes out of it is told at once, not after an hour."""
    needed = (entry.size or 0) * (1 + UNPACKED)
    if shutil.disk_usage(archive.parent).free < needed:
        raise Fault("fetch_disk_full", folder=archive.parent)


def _record(checksums: Checksums, entry: ModelEntry, sha256: str) -> None:
    try:
        checksums.record(entry, sha256)
    except OSError as error:
        raise write_fault(checksums.file, error) from error


def _checksum(archive: Path, progress: Progress) -> str:
    total, done, digest = archive.stat().st_size, 0, hashlib.sha256()
    with archive.open("rb") as stream:
        while chunk := stream.read(1024 * 1024):
            digest.update(chunk)
            done += len(chunk)
            progress(Stage.VERIFY, done, total)
    return digest.hexdigest()


def _install(entry: ModelEntry, archive: Path, target: Path, progress: Progress) -> None:
    """Unpack aside, look whether it is a model, then put it in its place by one rename."""
    aside, before = _aside(archive), _before(archive)
    try:
        _unpack(entry, archive, aside, progress)
        if target.exists():
            target.rename(before)
        _top_folder(aside).rename(target)
    except OSError as error:
        raise write_fault(target, error) from error
    finally:
        _tidy(aside, before, target)


def _aside(archive: Path) -> Path:
    return archive.with_suffix(".unpacking")


def _before(archive: Path) -> Path:
    return archive.with_suffix(".before")


def _tidy(aside: Path, before: Path, target: Path) -> None:
    """Leave one whole model, whatever was under way: the new one, or else the one before."""
    if before.exists() and not target.exists():
        before.rename(target)
    for folder in (aside, before):
        shutil.rmtree(folder, ignore_errors=True)


def _unpack(entry: ModelEntry, archive: Path, aside: Path, progress: Progress) -> None:
    try:
        unpack(archive, aside, lambda done, total: progress(Stage.UNPACK, done, total))
        require_model(_top_folder(aside))
    except Fault as fault:
        if fault.key in ("no_model", "static_graph", "broken_tones"):
            fault = Fault("fetch_no_model", url=entry.url)
        if fault.key not in ("fetch_disk_full", "cannot_write"):
            # The same archive would fail again; what may be mended is to be fetched anew.
            archive.unlink(missing_ok=True)
        raise fault from None


def _top_folder(aside: Path) -> Path:
    """The model's own folder: archives carry it as their only one."""
    inside = list(aside.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else aside


@contextmanager
def _alone(downloads: Path, entry: ModelEntry) -> Iterator[None]:
    """Two fetches at a time would write into each other's files; the lock ends with the process."""
    descriptor = os.open(downloads, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Fault("fetch_busy", name=entry.name) from error
        yield
    finally:
        os.close(descriptor)
