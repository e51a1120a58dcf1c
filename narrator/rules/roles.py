"""Roles and the sides they play for."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """The two sides of every game."""

    KILLERS = "killers"
    GOOD = "good"
