"""Reading off how the table stands, for the commands whose effect depends on it."""

from __future__ import annotations

from dataclasses import replace

from narrator.moderator.inputs import GAUGES, Command, Gauge, Input
from narrator.moderator.sounds import WORDINGS
from narrator.table.performance import Performance
from narrator.table.timers import Timers


def read_off(event: Input, performance: Performance, timers: Timers, locale: str) -> Input:
    """The same input; a command that depends on how the table stands is told it.

    ``locale`` is that of the voice pack that is spoken.
    """
    match GAUGES.get(event.name) if isinstance(event, Command) else None:
        case Gauge.VOLUME:
            reading: int | None = performance.volume
        case Gauge.TEMPO:
            reading = performance.tempo
        case Gauge.TIME:
            # The warning comes before the limit, the grace after it.
            reading = timers.longest
        case Gauge.WORDING:
            reading = WORDINGS.index(locale) if locale in WORDINGS else None
        case Gauge.VOICE:
            reading = performance.next_voice
        case None:
            return event
    assert isinstance(event, Command)
    return replace(event, reading=reading)
