"""What the moderator says and asks next: a state machine without input or output."""
