"""What the program can find out about the room by listening to its own tone."""
