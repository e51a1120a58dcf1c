"""Listening to the room through one microphone: its noise first, then the tone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from narrator.ears.microphone import Microphone
from narrator.ears.sound import BLOCK, SAMPLE_RATE, Block
from narrator.ears.voicing import BLOCK_SECONDS, level
from narrator.mouth.clips import Samples
from narrator.mouth.loudspeaker import Loudspeaker
from narrator.mouth.volume import at_volume
from narrator.room.measured import DEEP, Room
from narrator.room.response import find_echo
from narrator.room.sweep import SECONDS, sweep

_SETTLE = 0.4
"""Seconds that are thrown away: many microphones begin with a click, or with what they had kept."""
_QUIET = 1.0
"""Seconds of the room alone."""
_LEAD = 0.5
"""Seconds of it that are looked at together with the tone."""
_AFTER = 1.5
"""Seconds after the tone's last sample was written: the longest delay, and the reverberation."""
_AGREE = 0.02
"""Delays of one room differ by less than this; those of sounds that only resemble the tone don't."""
_STILL = 2
"""A microphone whose samples never differ by more is digital silence."""
_LOUDER_MOMENTS = 0.95
_QUIETER_MOMENTS = 0.15


@dataclass(frozen=True, slots=True)
class Take:
    """One tone listened to, at 16 kHz.

    The tone was written at sample ``played`` of ``sound``; ``ended`` is when the loudspeaker reported its
    end, in seconds after that.
    """

    sound: Block
    played: int
    ended: float


@dataclass(frozen=True, slots=True)
class Recording:
    """What one microphone gave: the room alone, then the tone, once or several times.

    The tone was ``volume`` steps louder than the voices are recorded.
    """

    quiet: Block
    takes: tuple[Take, ...]
    volume: int = 0

    @property
    def silent(self) -> bool:
        """Whether it is what a microphone gives that isn't there: the same sample all the time."""
        # Some microphones give nothing but zeros until there is something to hear.
        return all(_is_still(sound) for sound in (self.quiet, *(take.sound for take in self.takes)))


@dataclass(frozen=True, slots=True)
class Noise:
    """The room alone: its level in the speech band in dB of full scale, and by how much it varies."""

    floor: float
    spread: float


def record(microphone: Microphone, loudspeaker: Loudspeaker, takes: int, volume: int = 0) -> Recording:
    """Listen to the room for a second, then play the tone ``takes`` times; raises ``MicrophoneLost``.

    It is as loud as the voice is at this ``volume``, in steps. Nothing is computed meanwhile: blocks that
    pile up would look like a longer delay.
    """
    _listen(microphone, loudspeaker, _SETTLE)
    quiet = _listen(microphone, loudspeaker, _QUIET)
    tone, before, done = at_volume(sweep(loudspeaker.rate), loudspeaker.rate, volume), quiet, []
    for _ in range(takes):
        done.append(_take(microphone, loudspeaker, tone, before))
        before = done[-1].sound
    return Recording(quiet, tuple(done), volume)


def _take(microphone: Microphone, loudspeaker: Loudspeaker, tone: Samples, before: Block) -> Take:
    loudspeaker.play(tone)
    ended, blocks = 0.0, [before[-round(_LEAD * SAMPLE_RATE) :]]
    for count, block in enumerate(_blocks(microphone, loudspeaker, SECONDS + _AFTER), start=1):
        blocks.append(block)
        if loudspeaker.playing:
            ended = count * BLOCK_SECONDS
    return Take(np.concatenate(blocks), len(blocks[0]), ended)


def _listen(microphone: Microphone, loudspeaker: Loudspeaker, seconds: float) -> Block:
    return np.concatenate(list(_blocks(microphone, loudspeaker, seconds)))


def _blocks(microphone: Microphone, loudspeaker: Loudspeaker, seconds: float) -> Iterator[Block]:
    for _ in range(round(seconds / BLOCK_SECONDS)):
        yield microphone.read()
        loudspeaker.advance(BLOCK_SECONDS)


def noise_of(sound: Block) -> Noise:
    """The noise in a stretch of ``sound`` in which nobody speaks."""
    levels = np.array([level(block) for block in sound[: len(sound) // BLOCK * BLOCK].reshape(-1, BLOCK)])
    low, middle, high = np.quantile(levels, (_QUIETER_MOMENTS, 0.5, _LOUDER_MOMENTS))
    return Noise(round(float(middle), 1), round(float(high - low), 1))


def room_of(recording: Recording, microphone: str, loudspeaker: str) -> Room | None:
    """The room that most of the takes agree on; None when they don't hear the tone."""
    noise = noise_of(recording.quiet)
    heard = [
        (take, echo) for take in recording.takes if (echo := find_echo(take.sound, take.played)) is not None
    ]
    delay = float(np.median([echo.delay for _, echo in heard])) if heard else 0.0
    heard = [(take, echo) for take, echo in heard if abs(echo.delay - delay) <= _AGREE]
    if 2 * len(heard) <= len(recording.takes):
        return None
    loudness = float(np.median([echo.level for _, echo in heard]))
    fall = min(max(loudness - noise.floor, 0.0), DEEP)
    decays = [echo.decay.seconds(fall) for _, echo in heard]
    # What the direct sound stands above the reverberation is over by half of the way, mostly.
    halves = [echo.decay.seconds(fall / 2) for _, echo in heard]
    fading = float(np.median(np.subtract(decays, halves))) / (fall / 2) if fall else 0.0
    overhangs = [
        echo.delay + SECONDS + decay - take.ended for (take, echo), decay in zip(heard, decays, strict=True)
    ]
    return Room(
        microphone=microphone,
        loudspeaker=loudspeaker,
        floor=noise.floor,
        spread=noise.spread,
        echo=round(loudness, 1),
        delay=round(delay, 3),
        decay=round(float(np.median(decays)), 3),
        overhang=round(max(float(np.median(overhangs)), 0.0), 3),
        volume=recording.volume,
        fading=round(fading, 4),
    )


def _is_still(sound: Block) -> bool:
    return int(sound.max()) - int(sound.min()) <= _STILL
