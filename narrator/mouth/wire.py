"""Messages between the renderer and its worker process: a length, then JSON."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

_LENGTH = struct.Struct(">I")


def encode(message: Mapping[str, Any]) -> bytes:
    """Return one message as bytes: its length as four bytes, most significant first, and UTF-8 JSON."""
    body = json.dumps(message, ensure_ascii=False).encode()
    return _LENGTH.pack(len(body)) + body


def decode(read: Callable[[int], bytes]) -> dict[str, Any] | None:
    """Read one message; ``read(n)`` gives 1 to n bytes. ``None`` when the other side is gone."""
    head = _exactly(read, _LENGTH.size)
    if head is None:
        return None
    body = _exactly(read, _LENGTH.unpack(head)[0])
    if body is None:
        return None
    message: dict[str, Any] = json.loads(body)
    return message


def _exactly(read: Callable[[int], bytes], count: int) -> bytes | None:
    data = b""
    while len(data) < count:
        piece = read(count - len(data))
        if not piece:
            return None
        data += piece
    return data
