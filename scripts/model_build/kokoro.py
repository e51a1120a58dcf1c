"""Speech by Kokoro-82M: its Mandarin voices, their blends, and voices of other languages as accents."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from speech_engines import held_out
from speech_engines import kokoro as engine
from speech_engines.kokoro import RATE, Kokoro

from model_build.phones import toneless
from model_build.store import Utterance, resampled
from model_build.texts import Reader, Syllables

MANDARIN = tuple(voice for voice in engine.MANDARIN if voice not in held_out.KOKORO)

SHARD = 10
"""Utterances in one shard."""

SYLLABLES = 26
"""Syllables that an utterance has at least: short ones cost the synthesiser nearly as much as long ones."""

_COMMANDS = 0.6
_ONSET_ER = 0.5
"""Share of 二 that is read with an open vowel, as most people say it and the voices by themselves don't."""


def accents(kokoro: Kokoro) -> tuple[str, ...]:
    """Voices of other languages that may be trained on."""
    return tuple(
        voice for voice in kokoro.voices if voice not in engine.MANDARIN and voice not in held_out.KOKORO
    )


def render_shard(kokoro: Kokoro, phrases: Sequence[str], seed: int, shard: int) -> Iterator[Utterance]:
    """The utterances of one shard: several things said one after another, each by one voice."""
    random = np.random.default_rng([seed, 11, shard])
    texts = _strung(Reader(phrases, [seed, 12, shard], _COMMANDS))
    for groups in itertools.islice(texts, SHARD):
        name, blend = _cast(random, accents(kokoro))
        spoken = "".join(
            "".join(ipa(syllable, random) for syllable in group) + str(random.choice(_STOPS, p=_STOP_SHARES))
            for group in groups
        )
        wave = kokoro.say(spoken.strip(), kokoro.style(blend), float(random.uniform(0.72, 1.3)))
        yield Utterance(resampled(wave, RATE), plain(groups), f"kokoro-{name}")


def plain(groups: tuple[Syllables, ...]) -> tuple[tuple[str, ...], ...]:
    """``groups`` without tones."""
    return tuple(tuple(map(toneless, group)) for group in groups)


def ipa(syllable: str, random: np.random.Generator) -> str:
    """A toned ``syllable`` in the synthesiser's phonetic writing."""
    if syllable == "er4" and random.random() < _ONSET_ER:
        return "aɚ↘"
    return engine.ipa(syllable)


# What is said next sounds as it does alone only after a stop; each ends on another tune.
_STOPS = (". ", "! ", "? ", ", ")
_STOP_SHARES = (0.5, 0.2, 0.1, 0.2)


def _strung(texts: Iterable[tuple[Syllables, ...]]) -> Iterator[tuple[Syllables, ...]]:
    """``texts`` joined until each has ``SYLLABLES`` or more."""
    joined: list[Syllables] = []
    for groups in texts:
        joined += groups
        if sum(map(len, joined)) >= SYLLABLES:
            yield tuple(joined)
            joined = []


def _cast(random: np.random.Generator, foreign: Sequence[str]) -> tuple[str, list[tuple[str, float]]]:
    """A voice: a Mandarin one, a blend of two or three, or one with a foreign accent mixed in."""
    kind = random.random()
    mandarin = [str(name) for name in random.choice(MANDARIN, 3, replace=False)]
    if kind < 0.2:
        chosen, shares = mandarin[:1], [1.0]
    elif kind < 0.5:
        chosen = mandarin[: int(random.integers(2, 4))]
        shares = list(map(float, random.dirichlet(np.full(len(chosen), 2.0))))
    else:
        chosen = [mandarin[0], str(random.choice(list(foreign)))]
        accent = float(random.uniform(0.25, 0.65))
        shares = [1 - accent, accent]
    return "+".join(chosen), list(zip(chosen, shares, strict=True))
