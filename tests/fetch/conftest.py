"""A server that has a small archive."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from archive_server import ArchiveServer
from model_archives import model_archive


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ArchiveServer]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ArchiveServer(model_archive()) as running:
        yield running
