"""Microphones, background noises and voices of real recordings, to say synthetic speech among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model_build.features import RATE
from model_build.store import Utterance

Wave = NDArray[np.float32]
Decibels = NDArray[np.float64]

GRID = np.linspace(0, RATE / 2, 1025)
"""Frequencies (Hz) at which gains are worked out: fine enough for every curve here, and far fewer than those
of a whole utterance's spectrum."""

_SIZE = 512
"""Samples of one spectrum."""

_BANDS = np.geomspace(80, 8000, 24)
"""Frequencies (Hz) at which a microphone or a noise is described; finer detail is the words', not theirs."""

_PEOPLE = "s"
"""Real speakers with microphones of their own are named s and a number."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Decibels at ``_BANDS``."""

    decibels: Decibels

    def on_grid(self) -> Decibels:
        """Decibels at ``GRID``."""
        return np.interp(np.log(np.maximum(GRID, 1.0)), np.log(_BANDS), self.decibels)

    def noise(self, length: int, random: np.random.Generator) -> Wave:
        """So many samples of noise of this colour."""
        return coloured_noise(length, self.on_grid, random)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where something may be said: microphones relative to a studio's, noises, and voices around."""

    microphones: tuple[Curve, ...]
    noises: tuple[Curve, ...]
    babble: tuple[NDArray[np.int16], ...]


def surroundings(utterances: Sequence[Utterance]) -> Surroundings:
    """What ``utterances`` tell about places: the rooms of real people, and voices of everyone."""
    studio = [one for one in utterances if one.speaker.startswith("kokoro")]
    people: dict[str, list[Utterance]] = {}
    for one in utterances:
        if one.speaker.startswith(_PEOPLE) and one.speaker[1:].isdigit():
            people.setdefault(one.speaker, []).append(one)
    babble = tuple(one.sound for one in utterances[:: max(1, len(utterances) // 60)])
    if not studio or not people:
        return Surroundings((), (), babble)
    flat, _ = _spectra(studio[:: max(1, len(studio) // 100)])
    found = [_spectra(recordings[::4]) for _, recordings in sorted(people.items())]
    microphones = tuple(Curve(np.clip(speech - flat, -24, 24)) for speech, _ in found)
    return Surroundings(microphones, tuple(Curve(noise) for _, noise in found), babble)


def coloured_noise(length: int, colour: Callable[[], Decibels], random: np.random.Generator) -> Wave:
    """Noise of the ``colour`` told at ``GRID``."""
    size = handy(length)
    # White noise has a spectrum of white noise, so it needn't be transformed first.
    spectrum = random.standard_normal(size, np.float32).view(np.complex64)
    noise = np.fft.irfft(spectrum * gains(colour(), size)[:-1], size, norm="ortho")
    return noise[:length].astype(np.float32)


def gains(decibels: Decibels, size: int) -> Wave:
    """Factors for each frequency of the spectrum of ``size`` samples; ``decibels`` are told at ``GRID``."""
    factors = np.interp(np.fft.rfftfreq(size, 1 / RATE), GRID, 10 ** (decibels / 20))
    return np.asarray(factors, np.float32)


def handy(length: int) -> int:
    """The next length that a Fourier transform is quick at."""
    power = 1 << max(0, (length - 1).bit_length() - 2)
    return next(power * factor for factor in (2, 3, 4) if power * factor >= length)


def _spectra(utterances: Sequence[Utterance]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Decibels at ``_BANDS`` of the loud frames and of the quietest ones, each with a mean of 0."""
    loud, quiet = np.zeros(_SIZE // 2 + 1), np.zeros(_SIZE // 2 + 1)
    for one in utterances:
        count = len(one.sound) // _SIZE
        if count < 8:
            continue
        frames = one.sound[: count * _SIZE].reshape(count, _SIZE).astype(np.float64)
        power = np.abs(np.fft.rfft(frames * np.hanning(_SIZE), axis=1)) ** 2
        order = np.argsort(power.sum(axis=1))
        most = power[order[-count // 3 :]].mean(axis=0)
        # Equal shares for loud and soft recordings.
        loud += most / (most.sum() + 1e-9)
        quiet += power[order[: max(1, count // 8)]].mean(axis=0)
    return _in_bands(loud), _in_bands(quiet)


def _in_bands(power: NDArray[np.float64]) -> NDArray[np.float64]:
    hertz = np.fft.rfftfreq(_SIZE, 1 / RATE)
    decibels = 10 * np.log10(np.interp(_BANDS, hertz, power) + 1e-12)
    smooth = np.convolve(np.pad(decibels, 1, mode="edge"), np.full(3, 1 / 3), mode="valid")
    return np.asarray(smooth - smooth.mean(), np.float64)
