"""Which of the microphones hears the program best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum

from narrator.ears.microphone import Microphone, MicrophoneLost
from narrator.faults import Fault
from narrator.mouth.loudspeaker import Loudspeaker
from narrator.room.measured import Room
from narrator.room.probe import Recording, noise_of, record, room_of

TAKES = 3
"""How often the tone is played to the microphone that was chosen: the median forgives a cough."""


class State(StrEnum):
    """What came of one microphone."""

    HEARS = "hears"
    DEAF = "deaf"
    SILENT = "silent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Trial:
    """One microphone tried: the noise it hears and the tone, if it does, in dB of full scale."""

    name: str
    state: State
    floor: float | None = None
    echo: float | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """Every microphone tried, and the room as the best one hears it; None when none hears the tone."""

    trials: tuple[Trial, ...]
    room: Room | None

    @property
    def working(self) -> tuple[str, ...]:
        """The microphones that give a sound at all, whether or not they hear the tone."""
        return tuple(trial.name for trial in self.trials if trial.state in (State.HEARS, State.DEAF))


def survey(
    names: Sequence[str],
    open_: Callable[[str], Microphone],
    loudspeaker: Loudspeaker,
    loudspeaker_name: str,
    left: Callable[[], bool] = lambda: False,
    volume: int = 0,
) -> Survey:
    """Record from each microphone in turn, choose the one that hears the tone loudest, and measure with it.

    ``open_`` raises ``Fault`` for a microphone that can't be opened. Ends early once ``left()`` is true. The
    tone is ``volume`` steps louder than recorded, as the voice is.
    """
    takes = TAKES if len(names) == 1 else 1
    trials, found = [], {}
    for name in names:
        if left():
            break
        recording = _recording(name, open_, loudspeaker, takes, volume)
        room = room_of(recording, name, loudspeaker_name) if recording is not None else None
        trials.append(_trial(name, recording, room))
        if room is not None:
            found[name] = room
    if takes == TAKES:
        return Survey(tuple(trials), next(iter(found.values()), None))
    # The second best stands in for one that is pulled out right now.
    for name in sorted(found, key=lambda name: -found[name].echo):
        if left():
            break
        recording = _recording(name, open_, loudspeaker, TAKES, volume)
        room = room_of(recording, name, loudspeaker_name) if recording is not None else None
        if room is not None:
            return Survey(tuple(trials), room)
    return Survey(tuple(trials), None)


def _recording(
    name: str, open_: Callable[[str], Microphone], loudspeaker: Loudspeaker, takes: int, volume: int
) -> Recording | None:
    try:
        with closing(open_(name)) as microphone:
            return record(microphone, loudspeaker, takes, volume)
    except (Fault, MicrophoneLost):
        return None


def _trial(name: str, recording: Recording | None, room: Room | None) -> Trial:
    if recording is None:
        return Trial(name, State.FAILED)
    if recording.silent:
        return Trial(name, State.SILENT)
    if room is None:
        return Trial(name, State.DEAF, noise_of(recording.quiet).floor)
    return Trial(name, State.HEARS, room.floor, room.echo)
