"""The rules of the games: pure functions and frozen data, no clock, no input or output.

Importing the package registers the functions that ruleset files name.
"""

from narrator.rules import ballot, custom, games, lastwords, leaving, limits, order

__all__ = ["ballot", "custom", "games", "lastwords", "leaving", "limits", "order"]
