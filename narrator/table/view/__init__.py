"""The view of a game on the terminal of whoever set the speaker up."""
