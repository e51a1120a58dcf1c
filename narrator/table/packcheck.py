"""Is a voice pack whole: every line, every phrase to be heard, every recorded clip?"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from narrator.ears.grammar import build_grammar
from narrator.ears.model import RecogniserModel
from narrator.faults import Fault
from narrator.messages import message
from narrator.moderator.expectations import Expectation
from narrator.mouth.lines import load_pack
from narrator.mouth.voicepack import VoicePack
from narrator.pinyin import edits, syllables
from narrator.table.clipcheck import clips_of
from narrator.table.findings import Finding, State
from narrator.table.sheet import read_titles
from narrator.table.takescheck import wrong_takes_files
from narrator.table.words import FILE as RECAP
from narrator.table.words import load_words
from narrator.understanding.matching import number_meant
from narrator.understanding.phrasebook import Phrase, Phrasebook, load_phrasebook

SAFE = 1.0
"""How far apart in sound two answers to one question must be: one whole syllable; a usual accent's mix-up
(z for zh, -n for -ng) is half of one."""

_TABLES = {"pack", "script", "waits", "rhythm", "numbers", "forms", "ranges", "names", "pronounce", "lines"}
_PACK_KEYS = {"name", "locale", "voice", "rate", "pitch", "volume", "lender"}
_PHRASE_TABLES = {
    *("numbers", "units", "zero", "none", "yesno", "pass", "choice", "command", "typed", "script"),
    *("confusable", "policy"),
}


class PackCheck:
    """Looks at the pack in ``folder``; ``reference`` is the shipped pack that has everything."""

    def __init__(self, folder: Path, reference: Path) -> None:
        self._folder = folder
        self._reference = reference
        self._lines, self._phrases = folder / "lines.toml", folder / "phrases.toml"

    def findings(
        self, questions: Iterable[Expectation], model: Callable[[], RecogniserModel]
    ) -> Iterator[Finding]:
        """Look at one part after the other; what is wrong with one doesn't hide the next.

        ``questions`` are all that the moderator asks.
        """
        parts: tuple[tuple[str, Callable[[], Iterator[str] | str]], ...] = (
            ("lines", self._wrong_lines),
            ("words", self._wrong_words),
            ("phrases", self._wrong_phrases),
            ("sounds", lambda: self._close_phrases(questions)),
            ("vocabulary", lambda: self._unheard(model())),
            ("takes", lambda: wrong_takes_files(load_pack(self._folder))),
        )
        for part, look in parts:
            yield from _looked_at(part, look)
        yield from _looked_at_clips(self._folder)

    def _wrong_lines(self) -> Iterator[str] | str:
        pack, whole = load_pack(self._folder), load_pack(self._reference)
        wrong = [
            *self._unknown(_toml(self._lines), _TABLES, self._lines),
            *self._unknown(_toml(self._lines)["pack"], _PACK_KEYS, self._lines, "[pack] "),
            *self._compared(pack.lines, whole.lines, "[lines] "),
            *self._compared(pack.waits, whole.waits, "[waits] "),
            *self._compared(pack.names, whole.names, "[names] "),
            *(
                problem
                for table in pack.names.keys() & whole.names.keys()
                for problem in self._compared(pack.names[table], whole.names[table], f"[names.{table}] ")
            ),
            *self._wrong_places(pack, whole),
        ]
        if wrong:
            return iter(wrong)
        return message("voices_lines_fine", lines=len(pack.lines), segments=len(pack.every_segment()))

    def _wrong_places(self, pack: VoicePack, whole: VoicePack) -> Iterator[str]:
        for line in pack.lines.keys() & whole.lines.keys():
            for name in sorted(pack.places(line) ^ whole.places(line)):
                key = "voices_place_unknown" if name in pack.places(line) else "voices_place_missing"
                yield message(key, file=self._lines, entry=f"[lines] {line}", place=f"{{{name}}}")
        for piece in pack.open_pieces():
            yield message("voices_open_piece", file=self._lines, text=piece)

    def _wrong_words(self) -> Iterator[str] | str:
        """What is printed: the code sheet and the recap."""
        pack, whole = load_pack(self._folder), load_pack(self._reference)
        words, known = load_words(self._folder, pack), load_words(self._reference, whole)
        titles, all_titles = read_titles(self._folder), read_titles(self._reference)
        wrong = [
            problem
            for table in sorted(known.tables)
            for problem in self._compared(
                words.tables.get(table, {}), known.tables[table], f"[{table}] ", self._folder / RECAP
            )
        ]
        for table in ("roles", "acts"):
            own, others = getattr(titles, table), getattr(all_titles, table)
            wrong += self._compared(own, others, f"[{table}] ", self._folder / "sheet.toml")
        return iter(wrong) if wrong else message("voices_words_fine")

    def _wrong_phrases(self) -> Iterator[str] | str:
        book, whole = load_phrasebook(self._phrases), load_phrasebook(self._reference / "phrases.toml")
        wrong = [
            *self._unknown(_toml(self._phrases), _PHRASE_TABLES, self._phrases),
            *self._compared(book.choice, whole.choice, "[choice] ", self._phrases),
            *self._compared(book.command, whole.command, "[command.phrases] ", self._phrases),
        ]
        return iter(wrong) if wrong else message("voices_phrases_fine", count=len(_texts(book)))

    def _close_phrases(self, questions: Iterable[Expectation]) -> Iterator[str] | str:
        book = load_phrasebook(self._phrases)
        # What the file lacks altogether has been told among its entries.
        spoken = [
            replace(
                question,
                choices=tuple(choice for choice in question.choices if choice in book.choice),
                commands=tuple(name for name in question.commands if name in book.command),
            )
            for question in questions
            if question.voice
        ]
        pairs = {pair for question in spoken for pair in close_pairs(book.phrases(question), book)}
        wrong = [
            message("voices_too_close", file=self._phrases, one=one, other=other, apart=f"{apart:g}")
            for one, other, apart in sorted(pairs)
        ]
        return (
            iter(wrong) if wrong else message("voices_sounds_fine", questions=len(spoken), apart=f"{SAFE:g}")
        )

    def _unheard(self, model: RecogniserModel) -> Iterator[str] | str:
        texts = _texts(load_phrasebook(self._phrases))
        missing = build_grammar(model, texts).missing
        if missing:
            return iter(message("voices_unheard", file=self._phrases, text=text) for text in missing)
        return message("voices_vocabulary_fine", count=len(texts), model=model.path.name)

    def _compared(
        self, own: Iterable[str], others: Iterable[str], place: str, file: Path | None = None
    ) -> Iterator[str]:
        own, others = set(own), set(others)
        for key in sorted(others - own):
            yield message("voices_entry_missing", file=file or self._lines, entry=f"{place}{key}")
        for key in sorted(own - others):
            yield message("voices_entry_unknown", file=file or self._lines, entry=f"{place}{key}")

    def _unknown(
        self, table: Mapping[str, Any], known: set[str], file: Path, place: str = ""
    ) -> Iterator[str]:
        for key in sorted(table.keys() - known):
            yield message("voices_entry_unknown", file=file, entry=f"{place}{key}" if place else f"[{key}]")


def close_pairs(phrases: Iterable[Phrase], book: Phrasebook) -> Iterator[tuple[str, str, float]]:
    """Two phrases of one question that sound alike but mean different things, and how far apart they are.

    Left out are numbers that are asked about because they are known to be mixed up (``[confusable]``).
    """
    sounding: dict[int, list[tuple[Phrase, tuple[str, ...]]]] = {}
    for phrase in phrases:
        sounds = syllables(phrase.text)
        sounding.setdefault(len(sounds), []).append((phrase, sounds))
    # A syllable more or less is a whole syllable apart.
    for alike in sounding.values():
        for (one, sounds), (other, others) in itertools.combinations(alike, 2):
            if one.meaning == other.meaning or sum(map(str.__ne__, sounds, others)) > 1:
                continue
            apart = edits(sounds, others)
            if apart < SAFE and not {number_meant(one.meaning), number_meant(other.meaning)} <= set(
                book.confusable
            ):
                yield one.text, other.text, apart


def _looked_at_clips(folder: Path) -> Iterator[Finding]:
    try:
        yield from clips_of(load_pack(folder))
    except Fault:
        return  # what keeps the pack from being read has been told


def _looked_at(part: str, look: Callable[[], Iterator[str] | str]) -> Iterator[Finding]:
    try:
        found = look()
    except Fault as fault:
        found = iter([message(fault.key, **fault.params)])
    if isinstance(found, str):
        yield Finding(part, State.FINE, found)
    else:
        yield from (Finding(part, State.WRONG, detail) for detail in found)


def _texts(book: Phrasebook) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*(phrase.text for phrase in book.everything()), *book.decoys]))


def _toml(file: Path) -> dict[str, Any]:
    """The file as data; only for files that have been read without fault already."""
    return tomllib.loads(file.read_text(encoding="utf-8"))
