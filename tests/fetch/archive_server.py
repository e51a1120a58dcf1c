"""A web server for one archive, on this machine, that breaks in all the ways servers break."""

from __future__ import annotations

import re
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


class ArchiveServer:
    """Serves ``content`` at ``url``; change its fields to make it misbehave.

    ``breaks``: after how many bytes the next answers break off. ``statuses``: with what the next requests
    are refused. ``requests`` are the headers of those that came.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.tag: str | None = '"1"'
        self.ranges = True
        self.tells_length = True
        self.range_offset = 0
        self.breaks: deque[int] = deque()
        self.statuses: deque[int] = deque()
        self.requests: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        """Where the archive is."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/model.zip"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _handler(served: ArchiveServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requests.append(dict(self.headers))
            if served.statuses:
                self.send_error(served.statuses.popleft())
                return
            start = self._start()
            if start is not None and start >= len(served.content):
                self.send_error(416)
                return
            body = served.content[start or 0 :]
            self.send_response(200 if start is None else 206)
            if served.tells_length:
                self.send_header("Content-Length", str(len(body)))
            if start is not None:
                start += served.range_offset
                span = f"{start}-{len(served.content) - 1}"
                self.send_header("Content-Range", f"bytes {span}/{len(served.content)}")
            if served.tag:
                self.send_header("ETag", served.tag)
            self.end_headers()
            self.wfile.write(body[: served.breaks.popleft()] if served.breaks else body)

        def _start(self) -> int | None:
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            same = self.headers.get("If-Range") in (None, served.tag)
            return int(asked[1]) if asked and same and served.ranges else None

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    return Handler
