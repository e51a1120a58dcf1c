"""Downloading one file over HTTP: resumed where it broke off, tried again, never longer than it should be."""

from __future__ import annotations

import errno
import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from narrator.faults import Fault

Progress = Callable[[int, int | None], None]
"""Told the bytes that are there and, once known, how many there will be."""

CHUNK = 64 * 1024
"""Bytes read at a time."""

LONGEST = 4 * 1024**3
"""Bytes of the longest archive taken when nobody says how long it is."""

_FULL = (errno.ENOSPC, errno.EDQUOT)
_PASSING = (408, 425, 429)
"""Refusals that are worth another try, besides the server's own errors."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to keep trying; times in seconds."""

    tries: int = 4
    """Attempts in a row that bring nothing new before giving up."""
    first_wait: float = 1.0
    """Pause after the first of them; each further one is twice as long."""
    timeout: float = 30.0
    """Silence of the server after which an attempt has failed."""
    sleep: Callable[[float], None] = time.sleep
    """What waits."""


class Download:
    """The download of ``url`` to ``file``; what there is of it stays in ``file.part`` until it is whole.

    ``size`` is how many bytes it must have, if known.
    """

    def __init__(self, url: str, file: Path, size: int | None, patience: Patience | None = None) -> None:
        self._url = url
        self._file = file
        self._size = size
        self._patience = patience or Patience()
        self._part = file.with_name(file.name + ".part")
        self._note = file.with_name(file.name + ".part.json")
        self.resumed = False

    def run(self, progress: Progress = lambda done, total: None) -> None:
        """Bring the whole file; raises a ``Fault`` that says why it can't be had.

        ``resumed`` tells afterwards whether part of it came from an earlier attempt.
        """
        failures = 0
        while True:
            before = self._have()
            try:
                self._attempt(progress)
                break
            except _BrokenOff as broken:
                failures = 1 if self._have() > before else failures + 1
                if failures >= self._patience.tries:
                    raise Fault("fetch_no_connection", url=self._url, why=broken) from broken
                self._patience.sleep(self._patience.first_wait * 2 ** (failures - 1))
        self._part.replace(self._file)
        self._note.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove everything that was downloaded."""
        for file in (self._file, self._part, self._note):
            file.unlink(missing_ok=True)

    def _have(self) -> int:
        try:
            return self._part.stat().st_size
        except FileNotFoundError:
            return 0

    def _attempt(self, progress: Progress) -> None:
        have, validator = self._have(), self._validator()
        if have and (validator is None or (self._size is not None and have > self._size)):
            # Nothing shows that the rest would belong to this beginning.
            self._part.unlink()
            have = 0
        if have and have == self._size:
            self.resumed = True
            return
        request = urllib.request.Request(self._url, headers={"Accept-Encoding": "identity"})
        if have and validator is not None:
            request.add_header("Range", f"bytes={have}-")
            request.add_header("If-Range", validator)
        try:
            with urllib.request.urlopen(request, timeout=self._patience.timeout) as response:
                self._receive(response, have, progress)
        except urllib.error.HTTPError as error:
            with error:
                self._refused(error)
        except (OSError, http.client.HTTPException) as error:
            raise _BrokenOff(_reason(error)) from error

    def _receive(self, response: http.client.HTTPResponse, have: int, progress: Progress) -> None:
        start, total = 0, _number(response.headers.get("Content-Length"))
        if response.status == 206:
            span = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range") or "")
            if span is None or int(span[1]) != have:
                self._part.unlink(missing_ok=True)
                raise _BrokenOff("Content-Range")
            start, total = have, _number(span[2])
        self._check_size(total)
        self.resumed = start > 0
        if not start:
            self._keep_validator(response)
        done = start
        most = total or self._size or LONGEST
        progress(done, total or self._size)
        with _writing(self._part, "ab" if start else "wb") as write:
            while chunk := response.read(CHUNK):
                done += len(chunk)
                if done > most:
                    raise Fault("fetch_wrong_size", url=self._url, size=done, wanted=most)
                write(chunk)
                progress(done, total or self._size)
        if total is not None and done < total:
            raise _BrokenOff(f"{done} / {total}")
        self._check_size(done)

    def _check_size(self, size: int | None) -> None:
        if self._size is not None and size is not None and size != self._size:
            raise Fault("fetch_wrong_size", url=self._url, size=size, wanted=self._size)

    def _refused(self, error: urllib.error.HTTPError) -> None:
        if error.code == 416:
            # The server's file isn't the one this beginning came from.
            self._part.unlink(missing_ok=True)
            raise _BrokenOff("416")
        if error.code in _PASSING or error.code >= 500:
            raise _BrokenOff(f"{error.code} {error.reason}")
        raise Fault("fetch_refused", url=self._url, status=error.code, why=error.reason) from error

    def _validator(self) -> str | None:
        """What the server called the version that the part belongs to."""
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            return str(note["validator"]) if note["url"] == self._url and note["validator"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _keep_validator(self, response: http.client.HTTPResponse) -> None:
        tag = response.headers.get("ETag")
        # A weak tag (W/"…") doesn't promise the same bytes.
        strong = tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified")
        note = json.dumps({"url": self._url, "validator": strong})
        with _writing(self._note, "wb") as write:
            write(note.encode())


class _BrokenOff(Exception):  # noqa: N818 - an event of the network, not an error of the program
    """An attempt that failed for a reason that may pass."""


class _writing:  # noqa: N801 - used like a function
    """Opens a file to write to; a full disk becomes ``Fault("fetch_disk_full")``."""

    def __init__(self, file: Path, mode: str) -> None:
        self._file = file
        try:
            self._stream = file.open(mode)
        except OSError as error:
            raise self._fault(error) from error

    def __enter__(self) -> Callable[[bytes], None]:
        return self._write

    def __exit__(self, *exception: object) -> None:
        try:
            self._stream.close()
        except OSError as error:
            with suppress(OSError):
                self._stream.close()
            raise self._fault(error) from error

    def _write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
        except OSError as error:
            raise self._fault(error) from error

    def _fault(self, error: OSError) -> Fault:
        return write_fault(self._file, error)


def write_fault(file: Path, error: OSError) -> Fault:
    """The fault for something that can't be written: the disk is full, or another reason."""
    if error.errno in _FULL:
        return Fault("fetch_disk_full", folder=file.parent)
    return Fault("cannot_write", file=file, why=error.strerror or error)


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() else None


def _reason(error: Exception) -> object:
    reason = getattr(error, "reason", error)
    return getattr(reason, "strerror", None) or str(reason) or type(error).__name__
