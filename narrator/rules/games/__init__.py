"""What only one game has: how its nights resolve, who speaks first, who has won. One file a game."""

from narrator.rules.games import butterfly, doctor, police, showdown, werewolf

__all__ = ["butterfly", "doctor", "police", "showdown", "werewolf"]
