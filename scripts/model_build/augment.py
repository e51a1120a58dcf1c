"""One voice made many: other vocal tracts, microphones, rooms, noises and levels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import soxr

from model_build.align import Labels, at_times, step_count
from model_build.features import RATE, SHIFT, WINDOW
from model_build.layout import STRIDE
from model_build.store import Sound
from model_build.surroundings import GRID, Surroundings, Wave, coloured_noise, gains, handy

CLEAN = 0.15
"""Share of the copies that keep their voice and microphone."""

_SPARSE = 4
"""How loud something is, is measured at every fourth sample: all of them say the same, but slowly."""

_KNOTS = np.array([0, 200, 500, 1000, 2000, 3500, 5500, 8000])
"""Frequencies at which a random microphone differs from a flat one."""

_BROWN = -20 * np.log10(np.maximum(GRID, 30) / 1000)
"""Decibels of a noise that falls by 6 dB an octave."""


def augmented(
    sound: Sound, labels: Labels, random: np.random.Generator, places: Surroundings
) -> tuple[Sound, Labels]:
    """A changed copy of ``sound``, as if said somewhere among ``places``, and the labels that fit it."""
    # Some copies stay as clean as they were: the sounds are learnt on these, and kept in the others.
    harsh = random.random() >= CLEAN
    warped = harsh and random.random() < 0.75
    factor = float(np.exp(random.uniform(np.log(0.82), np.log(1.25)))) if warped else 1.0
    wave = sound.astype(np.float32)
    if warped:
        wave = soxr.resample(wave, RATE * factor, RATE, quality="LQ").astype(np.float32)
    wave, shift = _cropped(wave, labels, factor, random)
    if harsh:
        wave = _recorded(wave, random, places)
        if random.random() < 0.4:
            wave = in_room(wave, random)
    wave = noisy(wave, random, places, 5.0 if harsh else 30.0)
    centres = (np.arange(step_count(len(wave))) * SHIFT * STRIDE + WINDOW / 2) / RATE
    moved = at_times(labels, (centres + shift) * factor)
    return _at_level(wave, random), moved


def _cropped(wave: Wave, labels: Labels, factor: float, random: np.random.Generator) -> tuple[Wave, float]:
    """``wave`` with another length of silence before and after; also the seconds cut off in front."""
    spoken = np.flatnonzero(labels)
    if not len(spoken):
        return wave, 0.0
    hop = SHIFT * STRIDE
    begin = int((spoken[0] * hop) / factor)
    end = int((spoken[-1] * hop + hop + WINDOW / 2) / factor)
    # Now and then the very onset is lost, as when a voice gate opens late.
    lead = int(RATE * (random.uniform(0.0, 0.05) if random.random() < 0.2 else random.uniform(0.03, 0.5)))
    # A table is silent for a while after an answer; noise there must not be taken for more words.
    tail = int(RATE * (random.uniform(0.6, 1.4) if random.random() < 0.2 else random.uniform(0.1, 0.6)))
    first, last = begin - lead, end + tail
    before, after = max(0, -first), max(0, last - len(wave))
    kept = wave[max(0, first) : min(last, len(wave))]
    return np.concatenate([np.zeros(before, np.float32), kept, np.zeros(after, np.float32)]), first / RATE


def _recorded(wave: Wave, random: np.random.Generator, places: Surroundings) -> Wave:
    """``wave`` through another microphone: one that is known, or a random one; now and then overdriven."""
    if places.microphones and random.random() < 0.45:
        known = places.microphones[int(random.integers(len(places.microphones)))]
        curve = known.on_grid() * random.uniform(0.6, 1.1)
        curve += np.interp(GRID, _KNOTS, random.normal(0, 1.5, len(_KNOTS)))
    else:
        curve = np.interp(GRID, _KNOTS, random.normal(0, 3, len(_KNOTS)))
        curve += random.uniform(-2.5, 2.5) * np.log2(np.maximum(GRID, 100) / 1000)
        if random.random() < 0.4:
            curve -= 24 * np.maximum(0, np.log2(random.uniform(80, 350) / np.maximum(GRID, 20)))
        if random.random() < 0.3:
            curve -= 48 * np.maximum(0, np.log2(np.maximum(GRID, 20) / random.uniform(3400, 7000)))
    size = handy(len(wave))
    spectrum = np.fft.rfft(wave, size) * gains(curve, size)
    changed = np.fft.irfft(spectrum, size)[: len(wave)].astype(np.float32)
    if random.random() < 0.15:
        limit = float(np.abs(changed).max()) * random.uniform(0.3, 0.9) + 1
        changed = np.tanh(changed / limit) * limit
    return changed


def in_room(wave: Wave, random: np.random.Generator) -> Wave:
    """Decaying echoes of a room with a reverberation time of 0.08 to 0.5 s."""
    decay = random.uniform(0.08, 0.5)
    length = int(RATE * decay)
    times = np.arange(length) / RATE
    echoes = random.standard_normal(length) * 10 ** (-3 * times / decay)
    echoes[: int(RATE * random.uniform(0.001, 0.006))] = 0
    echoes *= 10 ** (random.uniform(-12, 3) / 20) / np.sqrt(np.sum(echoes**2) + 1e-9)
    echoes[0] = 1
    size = handy(len(wave) + length)
    spectrum = np.fft.rfft(wave, size) * np.fft.rfft(echoes.astype(np.float32), size)
    return np.fft.irfft(spectrum, size)[: len(wave)].astype(np.float32)


def noisy(wave: Wave, random: np.random.Generator, places: Surroundings, nearest: float) -> Wave:
    """``wave`` with noise at least ``nearest`` decibels below its louder half."""
    power = wave[::_SPARSE] ** 2
    loud = float(np.sqrt(np.mean(power[power >= np.median(power)]))) + 1e-3
    kind = random.random()
    if kind < 0.28 and places.babble:
        noise = _crowd(len(wave), random, places.babble)
        nearest += 3
    elif kind < 0.4:
        noise = _music(len(wave), random)
        nearest += 3
    elif kind < 0.6 and places.noises:
        noise = places.noises[int(random.integers(len(places.noises)))].noise(len(wave), random)
    else:
        noise = _hiss(len(wave), random)
    # Most rooms are quieter than the noisiest.
    distance = nearest + (45 - nearest) * random.beta(1.3, 1.7)
    size = float(np.sqrt(np.mean(noise**2))) + 1e-6
    return wave + noise * np.float32(loud / size * 10 ** (-distance / 20))


def _hiss(length: int, random: np.random.Generator) -> Wave:
    """Noise of a random colour, white to brown, sometimes with a fan's hum in it."""
    noise = coloured_noise(length, lambda: random.uniform(0, 1.1) * _BROWN, random)
    if random.random() < 0.2:
        pitch = random.choice([50, 100, 120, 220, 330]) * random.uniform(0.97, 1.03)
        noise += np.std(noise) * _tones(pitch, 4, 1.0, length)
    return noise


def _music(length: int, random: np.random.Generator) -> Wave:
    """Plucked notes of one scale over each other, as from a radio in the next room."""
    tune = np.zeros(length, np.float32)
    root = 110 * 2 ** random.uniform(0, 1)
    start = 0.0
    while start < length / RATE:
        for _ in range(int(random.integers(1, 4))):
            pitch = root * 2 ** (random.choice([0, 2, 4, 5, 7, 9, 11, 12, 16, 19, 24]) / 12)
            first = int(start * RATE)
            fading = np.exp(_times(length - first) * np.float32(-random.uniform(2, 8)))
            tune[first:] += _tones(pitch, 5, 1.3, length - first) * fading
        start += random.uniform(0.12, 0.5)
    return tune


def _tones(pitch: float, count: int, fall: float, length: int) -> Wave:
    """A tone of ``pitch`` hertz and its overtones, ``count`` in all, each softer by the power ``fall``."""
    phase = _times(length) * np.float32(2 * np.pi * pitch)
    tones = np.zeros(length, np.float32)
    for number in range(1, count + 1):
        tones += np.sin(phase * np.float32(number)) * np.float32(number**-fall)
    return tones


def _times(length: int) -> Wave:
    return np.arange(length, dtype=np.float32) / np.float32(RATE)


def _crowd(length: int, random: np.random.Generator, babble: Sequence[Sound]) -> Wave:
    crowd = np.zeros(length, np.float32)
    for _ in range(int(random.integers(3, 7))):
        voice = babble[int(random.integers(len(babble)))].astype(np.float32)
        voice = np.resize(voice, length) / (np.std(voice) + 1)
        crowd += np.roll(voice, int(random.integers(length)))
    return crowd


def _at_level(wave: Wave, random: np.random.Generator) -> Sound:
    """Loud samples at -32 to -6 dB of full scale."""
    loud = float(np.quantile(np.abs(wave[::_SPARSE]), 0.98)) + 1e-3
    factor = 32768 * 10 ** (random.uniform(-32, -6) / 20) / loud
    return np.clip(np.round(wave * factor), -32768, 32767).astype(np.int16)
