"""The order of the tests that run in real time."""

from __future__ import annotations

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The whole game first: it takes longer than all the others, which one worker can play meanwhile."""
    items.sort(key=lambda item: item.path.name != "test_live_game.py")
