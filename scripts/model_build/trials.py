"""Recordings to measure a finished model with (``narrator bench``), by voices it was never trained on."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import soundfile
from speech_engines import held_out
from speech_engines.kokoro import RATE as KOKORO_RATE
from speech_engines.kokoro import Kokoro, ipa

from model_build import corpora, espeak
from model_build.phones import toneless
from model_build.store import RATE, Sound, resampled
from model_build.texts import Reader, Syllables, pinyin

DIGITS = "零一二三四五六七八九"

TALK_SECONDS = 120.0
"""Length of one file of running speech, at least."""

TUNING_SEED = 1000
"""Added to the seed of a tuning set, so that it draws other words than a test set."""

_BREATH = 0.2
"""Longest pause (s) inside a sentence of running speech; a listener takes longer ones for an end."""

SLIPPED = {"d05-0": None, "d05-1": None, "d07-7": None, "d07-8": "九", "d07-9": None}
"""Recordings of digits that hold something else than their names say, and what they hold instead.

Two of them hold two digits (零一 and 七八, two stretches of voice with a pause between); the one before the
first of these holds nothing but a breath (no part of it has a pitch, and it is 27 dB below the same person's
others), the two after the second one the next digit each; of the last, 十, the end is cut off.
"""

Report = Callable[[str], None]


def write_trials(
    folder: Path,
    phrases: Path,
    speech: Path | None,
    voices: Kokoro | None,
    seed: int,
    hours: float,
    report: Report,
) -> None:
    """Fill ``folder`` with trials, each in a folder named by the question it is put to.

    ``speech`` is the folder of real recordings, ``voices`` the neural synthesiser; what is not given is left
    out. ``hours`` is the length of the running speech.
    """
    known = Phrases(phrases)
    if speech is not None:
        _real(folder / "real", speech)
        report("trials: real people written")
    _synthetic(
        folder / "espeak", known, _espeak_voices(held_out.ESPEAK, seed), 150, _foreign(known, seed, 3000)
    )
    report("trials: espeak-ng written")
    if voices is not None:
        _synthetic(folder / "kokoro", known, _kokoro_voices(voices, held_out.MANDARIN, seed), 60, ())
        report("trials: Kokoro written")
    _talk(folder / "talk" / "pass", speech, seed, hours, report)


def write_tuning(
    folder: Path, phrases: Path, speech: Path | None, voices: Kokoro | None, seed: int, report: Report
) -> None:
    """Fill ``folder`` with trials to choose thresholds with, by voices that nothing is measured with."""
    known, seed = Phrases(phrases), seed + TUNING_SEED
    if speech is not None:
        _people(folder / "real", speech, corpora.TUNING_PEOPLE)
        report("tuning: real people written")
    foreign = _foreign(known, seed, 400)
    _synthetic(folder / "espeak", known, _espeak_voices(held_out.TUNING_ESPEAK, seed), 200, foreign)
    report("tuning: espeak-ng written")
    if voices is not None:
        _synthetic(folder / "kokoro", known, _kokoro_voices(voices, held_out.TUNING_KOKORO, seed), 38, ())
        report("tuning: Kokoro written")


class Phrases:
    """What can be said to each kind of question, with its reading."""

    def __init__(self, file: Path) -> None:
        data = tomllib.loads(file.read_text("utf-8"))
        numbers = [form for value, forms in data["numbers"].items() for form in forms if int(value) <= 16]
        prefix = data["command"]["prefixes"][0]
        kinds = {
            "number": [pattern.format(n=n) for n in numbers for pattern in data["units"]["number"]],
            "seat": [f"{n}号{more}" for n in numbers[1:] for more in ("", "玩家")] + data["none"]["seat"],
            "votes": [f"{n}票" for n in numbers] + data["zero"]["votes"],
            "yesno": [*data["yesno"]["yes"], *data["yesno"]["no"]],
            "pass": list(data["pass"]["done"]),
            "command": [
                prefix + pattern.replace("{seat}", "三号")
                for patterns in data["command"]["phrases"].values()
                for pattern in patterns
            ],
        }
        self.kinds = {
            kind: {text: said for text in texts if (said := pinyin(text)) is not None}
            for kind, texts in kinds.items()
        }

    def sounds(self) -> set[Syllables]:
        """The toneless reading of everything that can be said to any question."""
        return {tuple(map(toneless, said)) for texts in self.kinds.values() for said in texts.values()}


Voice = tuple[str, Callable[[Syllables], Sound]]
"""A name and what speaks."""


def _real(folder: Path, speech: Path) -> None:
    for file in sorted((speech / "digits").glob("*.ogg")):
        person, digit = file.stem.split("-")
        said = SLIPPED.get(file.stem, DIGITS[int(digit)])
        if said is not None:
            _write(folder / "number" / f"{said}_{person}-{digit}.ogg", corpora.read_sound(file))
    _people(folder, speech, corpora.HELD_OUT_PEOPLE)


def _people(folder: Path, speech: Path, speakers: tuple[str, ...]) -> None:
    """Twelve words that are no answers, by real people."""
    for number, one in enumerate(corpora.people(speech, speakers)):
        _write(folder / "seat" / f"oov_{'-'.join(one.groups[0])}_{one.speaker}_{number}.ogg", one.sound)


def _synthetic(
    folder: Path, known: Phrases, voices: Iterator[Voice], each: int, foreign: Iterable[Syllables]
) -> None:
    """``each`` answers to every kind of question, and the words ``foreign``, which are none."""
    for kind, texts in known.kinds.items():
        for number, (text, said) in enumerate(itertools.islice(itertools.cycle(texts.items()), each)):
            name, say = next(voices)
            _write(folder / kind / f"{text}_{name}_{number}.ogg", say(said))
    # The shortest end of a speech has a figure of its own.
    for number in range(each):
        name, say = next(voices)
        _write(folder / "alone" / "pass" / f"过_{name}_{number}.ogg", say(("guo4",)))
    for number, said in enumerate(foreign):
        name, say = next(voices)
        _write(folder / "seat" / f"oov_{'-'.join(said)}_{name}_{number}.ogg", say(said))


def _foreign(known: Phrases, seed: int, count: int) -> Iterator[Syllables]:
    """Words of two to five syllables that sound like no answer."""
    sounds = known.sounds()
    words = (group for groups in Reader(["过"], [seed, 7], 0.0) for group in groups if 1 < len(group) <= 5)
    words = (group for group in words if tuple(map(toneless, group)) not in sounds)
    return itertools.islice(words, count)


def _espeak_voices(variants: Sequence[str], seed: int) -> Iterator[Voice]:
    random = np.random.default_rng([seed, 81])
    while True:
        variant = str(random.choice(variants))
        rate, pitch = int(random.integers(130, 190)), int(random.integers(30, 70))
        yield variant, lambda said, v=variant, r=rate, p=pitch: espeak.say([said], v, r, p)  # type: ignore[misc]


def _kokoro_voices(kokoro: Kokoro, styles: Sequence[str], seed: int) -> Iterator[Voice]:
    random = np.random.default_rng([seed, 82])
    while True:
        voice, speed = str(random.choice(styles)), float(random.uniform(0.85, 1.2))

        def say(said: Syllables, voice: str = voice, speed: float = speed) -> Sound:
            spoken = "".join(map(ipa, said)) + "."
            return resampled(kokoro.say(spoken, kokoro.style([(voice, 1.0)]), speed), KOKORO_RATE)

        yield voice, say


GUO = ("guo2", "guo3", "guo4", "guo1", "guo5")


def _talk(folder: Path, speech: Path | None, seed: int, hours: float, report: Report) -> None:
    """Sentences full of 国, 过去, 经过, 果然 …, one after another; real words strung together where given."""
    real = list(_real_talk(speech, seed)) if speech is not None else []
    wanted = max(0.0, hours * 3600 - sum(map(len, real)) / RATE)
    for number, sound in enumerate(itertools.chain(real, _espeak_talk(seed, wanted))):
        _write(folder / f"oov_{number:04d}.ogg", sound)
    report(f"trials: {hours:g} hours of talk written, {sum(map(len, real)) / RATE / 3600:.2f} of them real")


def _real_talk(speech: Path, seed: int) -> Iterator[Sound]:
    """Words of real voices in random order, so close that none stands alone; those with guo four times."""
    # No threshold of running speech is chosen with the tuning people.
    people = (*corpora.TUNING_PEOPLE, *corpora.HELD_OUT_PEOPLE)
    random = np.random.default_rng([seed, 83])
    voices: dict[str, list[tuple[bool, Sound]]] = {}
    for one in itertools.chain(corpora.words(speech), corpora.people(speech, people)):
        syllables = one.groups[0]
        if len(syllables) > 1:
            sound = _trimmed(one.sound)
            voices.setdefault(one.speaker, []).extend(
                [("guo" in syllables, sound)] * (4 if "guo" in syllables else 1)
            )
    for said in voices.values():
        order = [said[int(place)][1] for place in random.permutation(len(said))]
        yield from _strung(order, random)


def _espeak_talk(seed: int, seconds: float) -> Iterator[Sound]:
    random = np.random.default_rng([seed, 84])
    words = _guo_words()
    sentences = iter(Reader(["过"], [seed, 85], 0.0))

    def spoken() -> Iterator[Sound]:
        while True:
            variant, rate, pitch = str(random.choice(held_out.ESPEAK)), int(random.integers(140, 200)), 50
            for _ in range(12):
                groups = [list(group) for group in next(sentences)]
                for group in groups:
                    place = int(random.integers(0, len(group) + 1))
                    group[place:place] = words[int(random.integers(len(words)))]
                yield _trimmed(espeak.say([tuple(group) for group in groups], variant, rate, pitch))

    done = 0.0
    for sound in _strung(spoken(), random):
        if done >= seconds:
            return
        done += len(sound) / RATE
        yield sound


def _guo_words() -> list[Syllables]:
    import jieba

    words = []
    with jieba.get_dict_file() as lines:
        for line in lines:
            word, count, *_ = line.decode("utf-8").split()
            said = pinyin(word) if int(count) >= 200 and 2 <= len(word) <= 4 else None
            if said is not None and any(syllable in GUO for syllable in said):
                words.append(said)
    return sorted(set(words))


def _strung(sounds: Iterable[Sound], random: np.random.Generator) -> Iterator[Sound]:
    """Files of ``TALK_SECONDS`` or more: sentences of a few ``sounds``, longer pauses between sentences."""
    parts: list[Sound] = []
    length, left = 0, int(random.integers(3, 9))
    for sound in sounds:
        left -= 1
        pause = random.uniform(0.0, _BREATH) if left else random.uniform(0.4, 1.0)
        left = left or int(random.integers(3, 9))
        parts += [_even(sound), np.zeros(int(RATE * pause), np.int16)]
        length += len(parts[-1]) + len(sound)
        if length >= TALK_SECONDS * RATE and left > 2:
            yield np.concatenate(parts)
            parts, length = [], 0


def _trimmed(sound: Sound) -> Sound:
    loud = np.flatnonzero(np.abs(sound.astype(np.int32)) > 0.02 * np.abs(sound.astype(np.int32)).max())
    return sound[loud[0] : loud[-1] + 1] if len(loud) else sound


def _even(sound: Sound) -> Sound:
    """``sound`` as loud as the others in a sentence."""
    loud = max(float(np.quantile(np.abs(sound.astype(np.float32)), 0.98)), 1.0)
    return np.clip(sound * (6000 / loud), -32768, 32767).astype(np.int16)


def _write(file: Path, sound: Sound) -> None:
    """Keep ``sound``, with room around it as at a table."""
    file.parent.mkdir(parents=True, exist_ok=True)
    quiet = np.zeros(RATE // 2, np.int16)
    soundfile.write(file, np.concatenate([quiet, sound, quiet]), RATE, format="OGG", subtype="OPUS")
