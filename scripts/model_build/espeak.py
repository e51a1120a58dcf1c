"""Speech by espeak-ng: the Mandarin voice in many variants, rates and pitches."""

from __future__ import annotations

import io
import itertools
import subprocess
from collections.abc import Iterator, Sequence

import numpy as np
import soundfile

from model_build.kokoro import plain
from model_build.store import Sound, Utterance, resampled
from model_build.texts import Reader, Syllables

VOICE = "cmn-latn-pinyin"
VARIANTS = """
f1 f2 f3 f4 m1 m2 m3 m4 m5 m6 m8 Alex Alicia Andrea Andy Denis Gene Gene2 Henrique Hugo Jacky
Lee Marco Mario Michael Mike Nguyen adam anika announcer antonio aunty belinda benjamin boris
caleb david ed edward edward2 gustave iven iven2 iven3 iven4 john kaukovalta klatt klatt2
klatt3 klatt4 linda marcelo max michel miguel norbert pablo paul pedro rob robert sandro shelby
travis victor zac grandma grandpa
""".split()  # noqa: SIM905 - a column of names is no way to read them
"""None of ``held_out.ESPEAK``."""

SHARD = 100
"""Utterances in one shard."""


def say(groups: Sequence[Syllables], variant: str, rate: int = 160, pitch: int = 50) -> Sound:
    """``groups`` of toned syllables spoken, at 16 kHz; ``rate`` in words a minute, ``pitch`` from 0 to 99.

    Raises ``subprocess.CalledProcessError`` when the synthesiser fails.
    """
    text = ", ".join(" ".join(group) for group in groups)
    voice = f"{VOICE}+{variant}" if variant else VOICE
    command = ["espeak-ng", "--stdout", "-v", voice, "-s", str(rate), "-p", str(pitch), text]
    wave = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
    sound, sample_rate = soundfile.read(io.BytesIO(wave), dtype="float32")
    return resampled(sound, sample_rate)


def render_shard(phrases: Sequence[str], seed: int, shard: int) -> Iterator[Utterance]:
    """The utterances of one shard, each by a variant, at a rate and a pitch of its own."""
    random = np.random.default_rng([seed, 21, shard])
    for groups in itertools.islice(Reader(phrases, [seed, 22, shard]), SHARD):
        variant = str(random.choice(VARIANTS))
        sound = say(groups, variant, int(random.integers(110, 220)), int(random.integers(20, 80)))
        yield Utterance(sound, plain(groups), f"espeak-{variant}")
