"""Which public models can be fetched, and the checksums that vouch for them."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from narrator.faults import Fault

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model that can be fetched."""

    name: str
    """Its folder's name once it is there."""
    url: str
    """Where its zip archive lies."""
    size: int | None
    """Bytes of the archive, if known."""
    sha256: str | None
    """Checksum of the archive in lower-case hex, if known."""
    licence: str
    """What its publishers state."""
    about: str
    """One line about it."""


def load_manifest(file: Path) -> tuple[ModelEntry, ...]:
    """The models of a manifest file in its order; ``Fault("broken_manifest")`` names what is wrong."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        entries = tuple(map(_entry, _tables(data)))
        if len({entry.name for entry in entries}) < len(entries):
            raise _BrokenError("a name is given twice")
    except OSError as error:
        raise Fault("broken_manifest", file=file, why=error.strerror or error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, _BrokenError) as error:
        raise Fault("broken_manifest", file=file, why=error) from error
    return entries


def choose_entry(entries: tuple[ModelEntry, ...], name: str | None) -> ModelEntry:
    """The model called ``name``, or the first; ``Fault("not_in_manifest")`` lists the names there are."""
    if name is None:
        return entries[0]
    for entry in entries:
        if entry.name == name:
            return entry
    raise Fault("not_in_manifest", name=name, known=", ".join(entry.name for entry in entries))


class Checksums:
    """The checksums of archives that nobody vouched for, as they were at their first fetch: a JSON file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def recorded(self, entry: ModelEntry) -> str | None:
        """The checksum this model had the first time, or ``None``; ``Fault`` if the file is damaged."""
        return self._read().get(entry.name)

    def record(self, entry: ModelEntry, sha256: str) -> None:
        """Remember the checksum; the file is replaced whole, so that it is never half written."""
        known = {**self._read(), entry.name: sha256}
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        fresh.replace(self.file)

    def _read(self) -> dict[str, str]:
        try:
            known = json.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise Fault("broken_checksums", file=self.file, why=error) from error
        if not isinstance(known, dict) or not all(_is_sha256(value) for value in known.values()):
            raise Fault("broken_checksums", file=self.file, why="name: sha256")
        return known


class _BrokenError(Exception):
    """What is wrong with the manifest, in words."""


def _tables(data: dict[str, Any]) -> list[dict[str, Any]]:
    tables = data.get("model")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise _BrokenError("[[model]] is missing")
    return tables


def _entry(table: dict[str, Any]) -> ModelEntry:
    name = table.get("name")
    # The name becomes a folder's, so it may not lead anywhere else.
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _BrokenError(f"name = {name!r}")
    size, sha256 = table.get("size"), table.get("sha256")
    if size is not None and (type(size) is not int or size <= 0):
        raise _BrokenError(f"{name}: size = {size!r}")
    if sha256 is not None and not _is_sha256(sha256):
        raise _BrokenError(f"{name}: sha256 = {sha256!r}")
    url = _url(name, table.get("url"), sha256)
    return ModelEntry(
        name=name,
        url=url,
        size=size,
        sha256=sha256,
        licence=str(table.get("licence", "?")),
        about=str(table.get("about") or url),
    )


def _url(name: str, url: object, sha256: str | None) -> str:
    parts = urlsplit(url) if isinstance(url, str) else None
    if not isinstance(url, str) or parts is None or not parts.hostname:
        raise _BrokenError(f"{name}: url = {url!r}")
    # Without a checksum the connection itself is all that vouches for the first fetch.
    plain = parts.scheme == "http" and (sha256 is not None or parts.hostname in _LOOPBACK)
    if parts.scheme != "https" and not plain:
        raise _BrokenError(f"{name}: url = {url!r} (https)")
    return url


def _is_sha256(value: object) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None
