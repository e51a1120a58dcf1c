"""The speech model: finding it, loading it safely, and spelling phrases in its vocabulary."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from narrator.ears.tones import FILE as TONES
from narrator.ears.tones import ToneEar
from narrator.faults import Fault
from narrator.pinyin import syllables
from narrator.resources import models_folders

EMBEDDED = "zh-compact"
"""Name of the model that comes with the program."""


class RecogniserModel:
    """A loaded Vosk model; make one with ``load_model`` (seconds on a small computer) and share it."""

    def __init__(self, path: Path, vosk_model: Any) -> None:
        self.path = path
        self.vosk = vosk_model
        self._spellings: dict[str, tuple[str, ...] | None] = {}

    @property
    def tones(self) -> ToneEar | None:
        """The ear for tones that came with the model, if one did."""
        return _tone_ear(self.path)

    def knows(self, word: str) -> bool:
        """Whether ``word`` is in the vocabulary; a grammar silently loses words that aren't."""
        return int(self.vosk.vosk_model_find_word(word)) >= 0

    def spell(self, phrase: str) -> tuple[str, ...] | None:
        """``phrase`` in as few of the model's own words as possible, or ``None`` if it can't be spelled.

        Characters missing from the vocabulary are replaced by words of the same toneless pinyin.
        """
        if phrase not in self._spellings:
            self._spellings[phrase] = self._cheapest_spelling(phrase)
        return self._spellings[phrase]

    @cached_property
    def sounds(self) -> dict[str, str]:
        """One word of one syllable for each toneless syllable the vocabulary has (``guo`` → 过 or guo)."""
        vocabulary = _first_existing(self.path, "graph/words.txt", "words.txt")
        if vocabulary is None:
            return {}
        found: dict[str, str] = {}
        words = [line.split()[0] for line in vocabulary.read_text("utf-8").splitlines() if line.strip()]
        # Words that are pinyin themselves come first: they are pronounced one way only.
        for word in sorted(words, key=lambda word: not word.isascii()):
            if word.isascii() and word.isalpha():
                found.setdefault(word, word)
            elif len(word) == 1:
                found.setdefault("".join(syllables(word)), word)
        return found

    def _cheapest_spelling(self, phrase: str) -> tuple[str, ...] | None:
        sounds = syllables(phrase)
        if not phrase or len(sounds) != len(phrase):
            return None
        # best[i]: (respelled characters, words) of the cheapest spelling of the first i characters
        best: list[tuple[int, int, tuple[str, ...]] | None] = [(0, 0, ())] + [None] * len(phrase)
        for start in range(len(phrase)):
            reached = best[start]
            if reached is None:
                continue
            for end, word, respelled in self._words_from(phrase, sounds, start):
                candidate = (reached[0] + respelled, reached[1] + 1, (*reached[2], word))
                known = best[end]
                if known is None or candidate[:2] < known[:2]:
                    best[end] = candidate
        found = best[-1]
        return None if found is None else found[2]

    def _words_from(self, phrase: str, sounds: tuple[str, ...], start: int) -> Iterator[tuple[int, str, int]]:
        for end in range(len(phrase), start, -1):
            if self.knows(phrase[start:end]):
                yield end, phrase[start:end], 0
        if not self.knows(phrase[start]):
            alike = self.sounds.get(sounds[start])
            if alike is not None:
                yield start + 1, alike, 1


class ModelToCome:
    """A model that is loaded on a thread of its own, while the first lines are being said.

    ``phrases`` are spelled there too: the first spelling reads a dictionary, which takes as long as the
    model. ``told`` is called there when it can't be loaded. Raises what ``require_model`` raises.
    """

    def __init__(self, path: Path, phrases: Iterable[str], told: Callable[[Fault], None]) -> None:
        require_model(path)
        self._path = path
        self._phrases = tuple(phrases)
        self._told = told
        self._coming: Future[RecogniserModel] = Future()
        self._begin = Lock()

    def begin(self) -> None:
        """Start loading, unless that was done."""
        if self._begin.acquire(blocking=False):
            Thread(target=self._load, name="model", daemon=True).start()

    def get(self) -> RecogniserModel:
        """The model, waited for; raises what ``load_model`` raises."""
        self.begin()
        return self._coming.result()

    def _load(self) -> None:
        try:
            model = load_model(self._path)
        except Exception as error:  # whatever it is, whoever waits must not wait for ever
            self._coming.set_exception(error)
            self._told(error if isinstance(error, Fault) else Fault("no_model", path=self._path))
            return
        self._coming.set_result(model)
        for phrase in self._phrases:
            model.spell(phrase)


@lru_cache(maxsize=2)
def load_model(path: Path) -> RecogniserModel:
    """Load the Vosk model in the folder ``path``; a second call hands out the same one.

    Raises ``Fault("no_model")`` when the folder holds no model and ``Fault("static_graph")`` when it
    holds one that can't take a grammar at run time. Both are found out before Vosk sees the folder,
    because Vosk may end the process instead of raising.
    """
    require_model(path)
    # Imported late: only a program that listens needs it, and it loads a large library.
    import vosk

    vosk.SetLogLevel(-1)
    try:
        return RecogniserModel(path, vosk.Model(model_path=str(path)))
    except Exception as error:  # Vosk raises nothing more precise
        raise Fault("no_model", path=path) from error


def require_model(path: Path) -> None:
    """See that the folder ``path`` holds a model that takes grammars, without loading it.

    Raises ``Fault("no_model")``, ``Fault("static_graph")``, or ``Fault("broken_tones")`` for its tone ear.
    """
    if not _holds_acoustics(path):
        raise Fault("no_model", path=path)
    if not _holds_lookahead_graph(path):
        static = _first_existing(path, "graph/HCLG.fst", "HCLG.fst") is not None
        raise Fault("static_graph" if static else "no_model", path=path)
    _tone_ear(path)


@lru_cache(maxsize=2)
def _tone_ear(path: Path) -> ToneEar | None:
    file = path / TONES
    try:
        return ToneEar.load(file) if file.is_file() else None
    except (OSError, ValueError) as error:
        raise Fault("broken_tones", file=file) from error


def find_model(explicit: Path | None = None, folders: tuple[Path, ...] | None = None) -> Path:
    """Where the speech model is: the one asked for, else NARRATOR_MODEL, else one that is lying ready.

    Ready are the embedded model, any other in the ``models`` folders, then the user's data folder. What
    is asked for is a folder, or the bare name of one of the models in those.
    Raises ``Fault("no_model")`` naming the folder that was asked for or the first one searched.
    """
    asked = explicit or (Path(os.environ["NARRATOR_MODEL"]) if os.environ.get("NARRATOR_MODEL") else None)
    searched = models_folders() if folders is None else folders
    if asked is not None:
        named = [folder / asked for folder in searched] if len(asked.parts) == 1 else []
        for candidate in (asked, *named):
            if _holds_acoustics(candidate):
                return candidate
        raise Fault("no_model", path=asked)
    for folder in searched:
        for candidate in (folder / EMBEDDED, *sorted(folder.glob("*/"))):
            if _holds_acoustics(candidate):
                return candidate
    raise Fault("no_model", path=searched[0] if searched else Path("models"))


def _holds_acoustics(path: Path) -> bool:
    network = _first_existing(path, "am/final.mdl", "final.mdl")
    features = _first_existing(path, "conf/mfcc.conf", "mfcc.conf")
    return network is not None and features is not None


def _holds_lookahead_graph(path: Path) -> bool:
    folder = path / "graph" if (path / "graph").is_dir() else path
    return all((folder / name).is_file() for name in ("HCLr.fst", "Gr.fst", "disambig_tid.int"))


def _first_existing(path: Path, *names: str) -> Path | None:
    return next((path / name for name in names if (path / name).is_file()), None)
