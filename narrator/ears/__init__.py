"""From microphone blocks to words heard."""
