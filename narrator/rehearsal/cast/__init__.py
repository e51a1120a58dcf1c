"""The cast of a rehearsal: synthetic people, their voices, and what they may have to say."""
