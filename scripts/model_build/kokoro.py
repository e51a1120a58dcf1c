"""Speech by Kokoro-82M: its Mandarin voices, their blends, and voices of other languages as accents."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from speech_engines import held_out
from speech_engines import kokoro as engine
from speech_engines.kokoro import RATE, Kokoro

from model_build.phones import toneless
from model_build.store import Utterance, resampled
from model_build.texts import Reader, Syllables

MANDARIN = tuple(voice for voice in engine.MANDARIN if voice not in held_out.KOKORO)

SHARD = 50
"""Utterances in one shard."""

_COMMANDS = 0.65
"""Share of the game's phrases: they are what must be heard, alone and between two silences."""

_ONSET_ER = 0.5
"""Share of 二 that is read with an open vowel, as most people say it and the voices by themselves don't."""


def accents(kokoro: Kokoro) -> tuple[str, ...]:
    """Voices of other languages that may be trained on."""
    return tuple(
        voice for voice in kokoro.voices if voice not in engine.MANDARIN and voice not in held_out.KOKORO
    )


def render_shard(
    work: Path, voices: Path, phrases: Sequence[str], seed: int, shard: int
) -> Iterator[Utterance]:
    """The utterances of one shard, each said by itself: in a row the voices leave no pauses between them."""
    kokoro, random = _kokoro(work, voices), np.random.default_rng([seed, 11, shard])
    for groups in itertools.islice(Reader(phrases, [seed, 12, shard], _COMMANDS), SHARD):
        name, blend = _cast(random, accents(kokoro))
        spoken = ", ".join("".join(ipa(syllable, random) for syllable in group) for group in groups)
        spoken += str(random.choice(_STOPS, p=_STOP_SHARES))
        wave = kokoro.say(spoken, kokoro.style(blend), float(random.uniform(0.75, 1.3)))
        yield Utterance(resampled(wave, RATE), plain(groups), f"kokoro-{name}")


@lru_cache(maxsize=1)
def _kokoro(work: Path, voices: Path) -> Kokoro:
    # One core for each: two processes render more than two threads of one.
    return Kokoro(work, voices, threads=1)


def plain(groups: tuple[Syllables, ...]) -> tuple[tuple[str, ...], ...]:
    """``groups`` without tones."""
    return tuple(tuple(map(toneless, group)) for group in groups)


def ipa(syllable: str, random: np.random.Generator) -> str:
    """A toned ``syllable`` in the synthesiser's phonetic writing."""
    if syllable == "er4" and random.random() < _ONSET_ER:
        return "aɚ↘"
    return engine.ipa(syllable)


# Each stop ends on another tune.
_STOPS = (".", "!", "?", ",")
_STOP_SHARES = (0.5, 0.2, 0.1, 0.2)


def _cast(random: np.random.Generator, foreign: Sequence[str]) -> tuple[str, list[tuple[str, float]]]:
    """A voice: a Mandarin one, a blend of two or three, or one with a foreign accent mixed in."""
    kind = random.random()
    mandarin = [str(name) for name in random.choice(MANDARIN, 3, replace=False)]
    if kind < 0.2:
        chosen, shares = mandarin[:1], [1.0]
    elif kind < 0.65:
        chosen = mandarin[: int(random.integers(2, 4))]
        shares = list(map(float, random.dirichlet(np.full(len(chosen), 2.0))))
    else:
        chosen = [mandarin[0], str(random.choice(list(foreign)))]
        accent = float(random.uniform(0.2, 0.55))
        shares = [1 - accent, accent]
    weights = dict.fromkeys(MANDARIN, 0.0) | dict(zip(chosen, shares, strict=True))
    # People differ more than six voices and what lies between them: most are moved away from the middle.
    apart = float(random.uniform(1.0, 1.6))
    return "+".join(chosen), [
        (name, apart * weight + ((1 - apart) / len(MANDARIN) if name in MANDARIN else 0.0))
        for name, weight in weights.items()
    ]
