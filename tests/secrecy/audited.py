"""Runs ``narrator`` with every audit event of interest written down, one a line, to the file named first."""

from __future__ import annotations

import os
import sys
from typing import Any

AUDIO = (".wav", ".flac", ".ogg", ".opus", ".mp3", ".aiff", ".raw", ".pcm")


def watch(log: str) -> None:
    """Write down sockets, and files of sound that are opened to be written."""
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(event: str, args: tuple[Any, ...]) -> None:
        if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
            os.write(out, f"{event} {args!r}\n".encode())
        elif event == "open" and isinstance(args[0], str | bytes):
            path, mode, flags = os.fsdecode(args[0]), args[1], args[2]
            writes = (isinstance(mode, str) and set(mode) & set("wax+")) or flags & (os.O_WRONLY | os.O_RDWR)
            if writes and path.lower().endswith(AUDIO):
                os.write(out, f"writes {path}\n".encode())
            elif writes:
                os.write(out, b"opens a file to write\n")

    sys.addaudithook(note)


if __name__ == "__main__":
    watch(sys.argv.pop(1))
    from narrator.cli.main import main

    raise SystemExit(main())
