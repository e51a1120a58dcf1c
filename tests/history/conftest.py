"""The played evening, for every test of this folder."""

from __future__ import annotations

from played_evening import evening, played, words

__all__ = ["evening", "played", "words"]
