"""A folder of recordings as trials of the ears: the file's name says what must be understood."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from narrator.ears.recordings import read_blocks
from narrator.faults import Fault
from narrator.moderator.inputs import Answer, Command
from narrator.table.hearing import COMMAND, KINDS, question
from narrator.understanding.phrasebook import Phrasebook

SUFFIXES = (".wav", ".flac", ".ogg", ".oga", ".opus")
"""Endings of the names of recordings; other files are left alone."""

OUT_OF_VOCABULARY = "oov"
"""In place of the text (or as a folder): nothing must be understood here."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One recording put to one question.

    ``name`` is the file relative to the folder, ``text`` what is said in it, ``meaning`` what must be
    understood: ``None`` for nothing.
    """

    file: Path
    name: str
    kind: str
    text: str
    meaning: Answer | Command | None


def spoken_text(name: str) -> str:
    """What is said in the file ``name``: its name up to the first ``_``, or to its suffix.

    >>> spoken_text("三号_07.ogg"), spoken_text("没有票.wav"), spoken_text("oov_中国.ogg")
    ('三号', '没有票', 'oov')
    """
    # Some systems store names with their characters taken apart.
    return unicodedata.normalize("NFC", Path(name).stem).split("_", 1)[0]


def collect(folder: Path, phrasebook: Phrasebook, kind: str | None = None) -> list[Trial]:
    """The trials of all recordings in ``folder`` and below, in the order of their names.

    The question is of ``kind``; if that is not given, of the kind that a folder above the file is called
    by (the nearest counts), else of the first of ``KINDS`` in which the text can be said. A recording in
    which nothing must be understood is put to every kind that other recordings are put to. Raises a
    ``Fault`` for no recordings, unreadable ones, and texts that can't be an answer.
    """
    if not folder.is_dir():
        raise Fault("bench_no_folder", folder=folder)
    meanings = {name: _meanings(name, phrasebook) for name in KINDS}
    trials: list[Trial] = []
    foreign: list[tuple[Path, str | None]] = []
    for file in _recordings(folder):
        asked = kind or _kind_of_folder(folder, file)
        text = spoken_text(file.name)
        if text == OUT_OF_VOCABULARY or OUT_OF_VOCABULARY in file.relative_to(folder).parts[:-1]:
            foreign.append((file, asked))
            continue
        found = next((name for name in ([asked] if asked else KINDS) if text in meanings[name]), None)
        if found is None:
            raise Fault("bench_unknown_text", file=file, text=text, kind=asked or ", ".join(KINDS))
        trials.append(Trial(file, _relative(folder, file), found, text, meanings[found][text]))
    everyone = [name for name in KINDS if any(trial.kind == name for trial in trials)]
    for file, asked in foreign:
        kinds = [asked] if asked else everyone
        if not kinds:
            raise Fault("bench_which_kind", file=file)
        name = _relative(folder, file)
        trials += [Trial(file, name, each, spoken_text(file.name), None) for each in kinds]
    if not trials:
        raise Fault("bench_no_recordings", folder=folder)
    return trials


def _recordings(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if file.suffix.lower() in SUFFIXES and file.is_file() and not file.name.startswith("."):
            # One that can't be read is told before the others have taken an hour.
            next(read_blocks(file), None)
            yield file


def _kind_of_folder(folder: Path, file: Path) -> str | None:
    above = [folder.resolve().name, *file.relative_to(folder).parts[:-1]]
    return next((name for name in reversed(above) if name in KINDS), None)


def _relative(folder: Path, file: Path) -> str:
    return unicodedata.normalize("NFC", file.relative_to(folder).as_posix())


def _meanings(kind: str, phrasebook: Phrasebook) -> dict[str, Answer | Command]:
    phrases = phrasebook.phrases(question(kind, phrasebook))
    # What the judge may say in running speech is put to the kind of its own.
    answers = [phrase for phrase in phrases if kind == COMMAND or isinstance(phrase.meaning, Answer)]
    return {phrase.text: phrase.meaning for phrase in answers}
