"""From a line of the moderator to sound in the room."""
