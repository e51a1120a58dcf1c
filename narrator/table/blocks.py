"""The size of a tick: every block of the microphone moves the table's clock by the same amount."""

RATE = 16_000
"""Samples a second of every microphone block."""

BLOCK = 320
"""Samples in a block."""

BLOCK_SECONDS = BLOCK / RATE
"""How far one block moves the clock: 0.02 s."""
