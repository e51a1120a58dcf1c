"""A speaker that has just been switched on waits for microphone and loudspeaker: nobody can type there."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from narrator.cli.choice import tell
from narrator.cli.departure import show
from narrator.cli.edges import open_microphone
from narrator.ears.microphone import Microphone
from narrator.faults import Fault
from narrator.mouth.clips import ClipCache
from narrator.mouth.loudspeaker import Loudspeaker, SoundDeviceLoudspeaker
from narrator.mouth.recorded import SpokenBy
from narrator.mouth.speech import Mouth
from narrator.mouth.standby import StandbyRenderer
from narrator.table.announcement import Announcement
from narrator.table.devices import look_again, quiet_alsa
from narrator.table.houserules import Words
from narrator.table.performance import Performance
from narrator.table.screen import Screen
from narrator.table.session import Session
from narrator.table.settings import Settings
from narrator.table.wallclock import WallClock

RETRY_SECONDS = 3.0
HELPLESS = ("no_portaudio",)
"""Faults that nothing plugged in later can mend."""


@dataclass(frozen=True, slots=True)
class Sound:
    """Both ends of what a speaker is: open, and the caller's to close; ``waited`` if one was missing."""

    microphone: Microphone
    loudspeaker: Loudspeaker
    waited: bool = False

    def close(self) -> None:
        """Let both devices go."""
        self.microphone.close()
        self.loudspeaker.close()


def wait_for_sound(settings: Settings, words: Words, voices: tuple[SpokenBy, ...]) -> Sound:
    """The microphone and the loudspeaker of the settings, as soon as both are there; looks every 3 s.

    What is missing is told once, aloud where there is a loudspeaker. ``Fault("no_portaudio")``.
    """
    return first_sound(
        lambda: _open_loudspeaker(settings),
        lambda: open_microphone(settings),
        lambda loudspeaker, line: say_once(line, loudspeaker, settings, words, voices),
    )


def first_sound(
    open_loudspeaker: Callable[[], Loudspeaker],
    open_microphone: Callable[[], Microphone],
    say: Callable[[Loudspeaker, str], None],
    sleep: Callable[[float], None] = time.sleep,
    look: Callable[[], None] = look_again,
) -> Sound:
    """Try both openings until both succeed, and let go of the one while the other is missing.

    Every device has to be closed before ``look``, which makes PortAudio see what was plugged in since.
    """
    told: set[str] = set()
    while True:
        loudspeaker: Loudspeaker | None = None
        try:
            loudspeaker = open_loudspeaker()
            return Sound(open_microphone(), loudspeaker, waited=bool(told))
        except Fault as fault:
            if fault.key in HELPLESS:
                raise
            if fault.key not in told:
                tell(fault)
                if loudspeaker is not None:
                    say(loudspeaker, f"fault.{fault.key}")
            told.add(fault.key)
            if loudspeaker is not None:
                loudspeaker.close()
        sleep(RETRY_SECONDS)
        look()


def say_once(
    line: str, loudspeaker: Loudspeaker, settings: Settings, words: Words, voices: tuple[SpokenBy, ...]
) -> None:
    """Say a line of the voice pack and return when it has been heard; the loudspeaker stays open."""
    with closing(StandbyRenderer(tell, engine=words.pack.engine)) as renderer:
        mouth = Mouth(words.pack, renderer, ClipCache(), loudspeaker.rate, voices, tell)
        screen = Screen(words.pack, words.phrasebook, keyboard=False, write=show)
        performance = Performance(
            mouth,
            loudspeaker,
            (screen,),
            settings.pace,
            listening=False,
            volume=settings.volume,
            tempo=settings.tempo,
        )
        session = Session(Announcement(line), WallClock(), performance, words.pack, words.phrasebook)
        session.begin()
        session.run()


def _open_loudspeaker(settings: Settings) -> Loudspeaker:
    with quiet_alsa():
        return SoundDeviceLoudspeaker(settings.loudspeaker)
