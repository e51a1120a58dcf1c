"""A room in numbers, and what follows from them for the ears, the gate and the microphone's gain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from narrator.ears.voicing import VoicingSettings
from narrator.mouth.volume import STEP_DECIBELS

DEEP = 40.0
"""An echo that has fallen by so many dB is gone, even where the room is quieter still."""

# Gain, in dB of full scale.
_WANTED = -40.0
"""Where the loudest moment of the weakest voice should lie: voices down to -60 are heard."""
_FARTHER = 12.0
"""How much weaker than the tone a voice from the far end is taken to be, until one was heard."""
_LOUDEST_NOISE = -50.0
"""Noise is never amplified beyond this."""
_MOST_GAIN = 30.0
_LEAST_GAIN = 3.0

# The gate, in seconds.
_MARGIN = 0.06
"""What is added to the longest echo that was measured: three blocks."""
_SHORTEST_TAIL = 0.12
_LONGEST_TAIL = 1.5

# Thresholds, in dB.
_ABOVE_SPREAD = 3.0
"""A voice begins this much above the loudest the noise usually gets …"""
_BELOW_VOICE = 8.0
"""… but leaves a known voice so much room."""
_HIGHEST_ON = 14.0
_HYSTERESIS = 3.0

_FAINT = 12.0
"""A voice less than this many dB above the noise is hard to make out."""
_LOUD_ROOM = -45.0
"""Above this, noise is to blame for it rather than distance."""


class Verdict(StrEnum):
    """How well people will be understood here."""

    FINE = "fine"
    FAR = "far_weak"
    NOISY = "noisy"
    UNHEARD = "unheard"


@dataclass(frozen=True, slots=True)
class Room:
    """What was measured with one microphone and one loudspeaker; levels in dB of full scale, unamplified.

    ``floor`` is the noise in the speech band, ``spread`` by how much its louder moments exceed its quiet ones
    (dB). ``delay``, in seconds, runs from a sample being written to its being heard, ``echo`` is the tone's
    level then, ``decay`` the time in which it falls to the noise or by 40 dB, and ``overhang`` how long
    it was still heard after the loudspeaker had reported its end. ``judge`` and ``far`` are the loudest
    moments of two voices, None when there were none. ``volume`` is how many steps louder than recorded the
    tone was played, as everything else was then; ``fading`` the seconds in which its reverberation fell by
    a dB towards the end, None for a room that was measured without it.
    """

    microphone: str
    loudspeaker: str
    floor: float
    spread: float
    echo: float
    delay: float
    decay: float
    overhang: float
    judge: float | None = None
    far: float | None = None
    volume: int = 0
    fading: float | None = None

    def at(self, volume: int) -> Room:
        """The same room with everything played ``volume`` steps louder than recorded.

        The tone goes through the host's volume like the voice, so what is measured is what is heard. When
        the volume is changed afterwards nobody has to check the room again: the delay is the devices', noise
        and people's voices are as before, and the echo is louder or softer by just as many dB. A louder one
        takes longer to sink into the noise, at the rate at which it was sinking when it was measured, and the
        gate stays shut for so much longer. After a softer one it doesn't open earlier than was measured: a
        gate that is shut for some hundredths of a second too long costs nobody a word, but one that opens
        too early lets the program hear itself.
        """
        louder = STEP_DECIBELS * (volume - self.volume)
        longer = (_fall(self.echo + louder, self.floor) - self._fall) * self._fading if louder > 0 else 0.0
        return replace(
            self,
            echo=round(self.echo + louder, 1),
            decay=round(self.decay + longer, 3),
            overhang=round(self.overhang + longer, 3),
            volume=volume,
        )

    def with_voices(self, judge: float | None, far: float | None) -> Room:
        """The same room after people have spoken in it."""
        return replace(self, judge=judge, far=far)

    @property
    def gain(self) -> float:
        """By how many dB the microphone is amplified: not at all unless it is too quiet for a voice."""
        voices = [voice for voice in (self.judge, self.far) if voice is not None]
        # Nobody speaks louder because the program does: the tone stands for a voice as it was recorded.
        weakest = min(voices, default=self.echo - STEP_DECIBELS * self.volume - _FARTHER)
        gain = min(_WANTED - weakest, _LOUDEST_NOISE - self.floor, _MOST_GAIN)
        return round(gain, 1) if gain >= _LEAST_GAIN else 0.0

    @property
    def _fall(self) -> float:
        """How many dB the echo falls until it is gone."""
        return _fall(self.echo, self.floor)

    @property
    def _fading(self) -> float:
        """Seconds a dB."""
        if self.fading is not None:
            return self.fading
        return self.decay / self._fall if self._fall else 0.0

    @property
    def tail(self) -> float:
        """Seconds that the microphone stays shut after the loudspeaker has ended."""
        return round(min(max(self.overhang + _MARGIN, _SHORTEST_TAIL), _LONGEST_TAIL), 2)

    @property
    def voicing(self) -> VoicingSettings:
        """When a voice begins and ends: farther above a noise that comes and goes than above a steady one."""
        usual = VoicingSettings()
        on = min(self.spread + _ABOVE_SPREAD, _HIGHEST_ON)
        if self.far is not None:
            on = min(on, self.far - self.floor - _BELOW_VOICE)
        on = round(max(on, usual.on), 1)
        return replace(usual, on=on, off=on - _HYSTERESIS, first_floor=self.heard_floor)

    @property
    def heard_floor(self) -> float:
        """The noise floor as the ears hear it, amplified."""
        return round(self.floor + self.gain, 1)

    @property
    def verdict(self) -> Verdict:
        """How well people will be understood."""
        if self.judge is None and self.far is None:
            return Verdict.UNHEARD
        voices = [voice for voice in (self.judge, self.far) if voice is not None]
        if self.far is not None and min(voices) - self.floor >= _FAINT:
            return Verdict.FINE
        return Verdict.NOISY if self.floor > _LOUD_ROOM else Verdict.FAR


def _fall(echo: float, floor: float) -> float:
    return min(max(echo - floor, 0.0), DEEP)
