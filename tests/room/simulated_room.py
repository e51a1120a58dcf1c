"""A room whose delay, level, reverberation and noise are known: both edges of the table, in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import soxr
from numpy.typing import NDArray

from narrator.ears.microphone import MicrophoneLost
from narrator.ears.sound import BLOCK, SAMPLE_RATE, Block
from narrator.faults import Fault
from narrator.mouth.loudspeaker import SilentLoudspeaker

Sound = NDArray[np.float64]


@dataclass(frozen=True)
class Acoustics:
    """``delay`` and ``t60`` in seconds, ``gain`` in dB, ``direct`` as a share of the energy.

    ``noise`` is the RMS of white noise in dB of full scale; -inf for a silent room.
    """

    delay: float = 0.1
    gain: float = -12.0
    t60: float = 0.0
    direct: float = 0.5
    noise: float = -70.0

    def response(self, rng: np.random.Generator) -> Sound:
        """What arrives of an impulse: itself, then a tail that falls by 60 dB in ``t60`` seconds."""
        if not self.t60:
            return np.ones(1)
        time = np.arange(round(self.t60 * SAMPLE_RATE)) / SAMPLE_RATE
        tail = rng.standard_normal(len(time)) * 10 ** (-3 * time / self.t60)
        tail[0] = 0.0
        tail *= np.sqrt((1 - self.direct) / np.sum(tail**2))
        tail[0] = np.sqrt(self.direct)
        return np.asarray(tail)


class Room(SilentLoudspeaker):
    """The loudspeaker of a simulated room; ``microphone`` makes one that hears it."""

    def __init__(self, rate: int = SAMPLE_RATE) -> None:
        super().__init__(rate)
        self.played: list[tuple[int, Sound]] = []
        self.now = 0
        self.muted = False

    def play(self, samples: NDArray[np.float32]) -> None:
        super().play(samples)
        heard = np.asarray(soxr.resample(samples.astype(np.float64), self.rate, SAMPLE_RATE))
        if not self.muted:
            self.played.append((self.now, heard))

    def microphone(self, acoustics: Acoustics, seed: int = 0) -> SimulatedMicrophone:
        return SimulatedMicrophone(self, acoustics, seed)


class SimulatedMicrophone:
    """Hears what the room's loudspeaker plays as the acoustics have it; reading moves the room's time."""

    def __init__(self, room: Room, acoustics: Acoustics, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._room, self._acoustics = room, acoustics
        self.response = acoustics.response(self._rng)
        self._arrived: list[Sound] = []
        self.closed = False
        self.dead = False
        self.lost_at: int | None = None

    def read(self) -> Block:
        room, start = self._room, self._room.now
        if self.lost_at is not None and start >= self.lost_at:
            raise MicrophoneLost
        room.now += BLOCK
        if self.dead:
            return np.zeros(BLOCK, np.int16)
        sound = self._rng.standard_normal(BLOCK) * 10 ** (self._acoustics.noise / 20)
        for played in range(len(self._arrived), len(room.played)):
            self._arrived.append(self.arriving(room.played[played][1]))
        for (at, _), arrived in zip(room.played, self._arrived, strict=True):
            begins = at + round(self._acoustics.delay * SAMPLE_RATE) - start
            part = arrived[max(0, -begins) : max(0, BLOCK - begins)]
            if len(part):
                sound[max(0, begins) : max(0, begins) + len(part)] += part
        return np.asarray(np.clip(np.round(sound * 32767), -32768, 32767), dtype=np.int16)

    def close(self) -> None:
        self.closed = True

    def arriving(self, played: Sound) -> Sound:
        """A sound as it comes in, but for its delay."""
        size = len(played) + len(self.response) - 1
        heard = np.fft.irfft(np.fft.rfft(played, size) * np.fft.rfft(self.response, size), size)
        return np.asarray(heard * 10 ** (self._acoustics.gain / 20))


def openings(**microphones: SimulatedMicrophone | None) -> Callable[[str], SimulatedMicrophone]:
    """Opens microphones by name, those that are None never."""

    def open_(name: str) -> SimulatedMicrophone:
        microphone = microphones[name]
        if microphone is None:
            raise Fault("no_microphone", device=name, why="busy")
        return microphone

    return open_
