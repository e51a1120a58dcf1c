"""What values of a ruleset's file look like: its keys, its counts, its lists of tables."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any


def check_keys(table: Mapping[str, Any], where: str, needed: Set[str], known: Set[str]) -> None:
    """``ValueError`` names a key that is missing, or one that nobody knows; ``where`` goes before it."""
    for key in sorted(needed - set(table)):
        raise ValueError(f"{where}{key} is missing")
    for key in sorted(set(table) - known):
        raise ValueError(f"{where}{key} is unknown")


def is_count(value: object) -> bool:
    """Whether it is a whole number from 0 up."""
    return type(value) is int and value >= 0


def tables(value: object, key: str) -> list[Mapping[str, Any]]:
    """The tables under a key; ``ValueError`` when it is something else."""
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise ValueError(f"{key} is not a list of tables, each under [[{key}]]")
    return value
