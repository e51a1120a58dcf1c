"""Trains the tone ear: small networks on the pitch of real syllables, each of them heard in several rooms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from model_build.augment import in_room, noisy
from model_build.corpora import WORDS_SPEAKER, Toned, read_sound, toned
from model_build.cutting import cut
from model_build.store import Sound
from model_build.surroundings import Surroundings
from narrator.ears.model import load_model
from narrator.ears.tones import CLASSES, COURSE, FEATURES, FILE, LONGER, MELODY, ToneEar, features

COPIES = 4
"""Of each recording: itself, and the others in rooms with noise."""

DOUBLES = 1500
"""Words of two syllables."""

_JOB = 200
"""Recordings that a process listens to at a time."""

_NETWORKS, _HIDDEN, _BATCH, _STEPS = 3, 32, 256, 2500
_ROOMS = 0.3
"""Share of the changed copies that get echoes."""
_NEAREST = 3.0
"""Decibels of the nearest noise below the voice."""
_MANY, _MANY_CUT = "many", "many, cut"
_DRAWN = {_MANY: 0.5, _MANY_CUT: 2.0}
"""How often a class of the many people's words and syllables is drawn, measured against a woman's."""
_FLATTEST, _LIVELIEST = 0.3, 1.3
"""How far the pitch moves, in times of the two careful readers': most people are flatter."""
_TILT = 1.5
"""Semitones (deviation) that an answer rises or falls by as a whole, as in a list or a question."""
_STRETCH = 0.2
"""Deviation of the logarithm of how fast it is said."""
_BLUR = 0.2
_SMOOTHING = 0.03
_TUNES = MELODY + COURSE
_DURATIONS = [FEATURES - 6, FEATURES - 5, FEATURES - 1]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was made of one copy of a recording: who said it, its class and its features."""

    speaker: str
    kind: int
    told: NDArray[np.float64]


def write_tones(model: Path, speech: Path, seed: int, workers: int, report: Callable[[str], None]) -> None:
    """Write the tone ear of ``model``, trained on recordings in ``speech``; ``ValueError`` without any."""
    train_tones(speech, model, seed, workers, report).save(model / FILE)
    report(f"tone ear written to {model}")


def train_tones(folder: Path, model: Path, seed: int, workers: int, report: Callable[[str], None]) -> ToneEar:
    """A tone ear from the recordings in ``folder``, whose words the finished ``model`` parts into syllables.

    Raises ``ValueError`` when there are no recordings.
    """
    numbered = list(enumerate(toned(folder, DOUBLES)))
    if not numbered:
        raise ValueError(f"no recordings with tones in {folder}")
    babble = tuple(read_sound(one.file) for _, one in numbered[:: max(1, len(numbered) // 60)])
    teach = partial(_lessons, model, babble, seed)
    jobs = [numbered[first : first + _JOB] for first in range(0, len(numbered), _JOB)]
    lessons: list[Lesson] = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for done, some in enumerate(pool.map(teach, jobs), 1):
            lessons += some
            report(f"tones: {done} of {len(jobs)}")
    networks = [_train(lessons, [seed, 71, number]) for number in range(_NETWORKS)]
    return _joined(lessons, networks)


def _lessons(
    model: Path, babble: tuple[Sound, ...], seed: int, recordings: Sequence[tuple[int, Toned]]
) -> list[Lesson]:
    places, lessons = Surroundings((), (), babble), []
    for number, recording in recordings:
        random = np.random.default_rng([seed, 70, number])
        for speaker, kind, sound in _sounds(model, recording):
            for copy in range(COPIES):
                told = features(sound if copy == 0 else _elsewhere(sound, random, places))
                if told is not None:
                    lessons.append(Lesson(speaker, kind, told))
    return lessons


def _sounds(model: Path, recording: Toned) -> Iterator[tuple[str, int, Sound]]:
    """What can be learnt from a recording: who says it, of what class it is, and the sound."""
    sound = read_sound(recording.file)
    if len(recording.said) == 1:
        yield recording.speaker, _kind(recording.said[0]), sound
    elif recording.speaker == WORDS_SPEAKER:
        yield recording.speaker, LONGER, sound
    else:
        # The many people are one voice: each of them says little.
        yield _MANY, LONGER, sound
        for syllable, piece in cut(load_model(model), sound, recording.said):
            yield _MANY_CUT, _kind(syllable), piece


def _kind(syllable: str) -> int:
    return int(syllable[-1]) - 1


def _elsewhere(sound: Sound, random: np.random.Generator, places: Surroundings) -> Sound:
    wave = sound.astype(np.float32)
    if random.random() < _ROOMS:
        wave = in_room(wave, random)
    changed = noisy(wave, random, places, _NEAREST)
    return np.asarray(np.clip(np.round(changed), -32768, 32767), np.int16)


def _train(lessons: Sequence[Lesson], seed: Sequence[int]) -> nn.Sequential:
    random = np.random.default_rng(list(seed))
    torch.manual_seed(int(random.integers(2**31)))
    told = torch.tensor(np.array([lesson.told for lesson in lessons]), dtype=torch.float32)
    kinds = torch.tensor([lesson.kind for lesson in lessons])
    mean, scale = _statistics(lessons)
    counts = Counter((lesson.speaker, lesson.kind) for lesson in lessons)
    often = [_DRAWN.get(lesson.speaker, 1.0) / counts[lesson.speaker, lesson.kind] for lesson in lessons]
    drawn = torch.tensor(often, dtype=torch.float64)
    network = nn.Sequential(
        nn.Linear(FEATURES, _HIDDEN), nn.ReLU(), nn.Dropout(0.2), nn.Linear(_HIDDEN, CLASSES)
    )
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 1e-2, total_steps=_STEPS)
    loss_of = nn.CrossEntropyLoss(label_smoothing=_SMOOTHING)
    for _ in range(_STEPS):
        rows = torch.multinomial(drawn, _BATCH, replacement=True)
        scaled = (_other_people(told[rows]) - mean) * scale
        loss = loss_of(network(scaled + _BLUR * torch.randn_like(scaled)), kinds[rows])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return network.eval()


def _other_people(told: Tensor) -> Tensor:
    """``told`` as people would say it who are flatter or livelier, quicker or slower, or ask a question."""
    count = len(told)
    changed = told.clone()
    changed[:, :_TUNES] *= _FLATTEST + (_LIVELIEST - _FLATTEST) * torch.rand(count, 1)
    tilt = _TILT * torch.randn(count, 1)
    changed[:, :MELODY] += tilt * torch.linspace(-0.5, 0.5, MELODY)
    changed[:, MELODY:_TUNES] += tilt * torch.linspace(-0.5, 0.5, COURSE)
    changed[:, _DURATIONS] *= torch.exp(_STRETCH * torch.randn(count, 1))
    return changed


def _statistics(lessons: Sequence[Lesson]) -> tuple[Tensor, Tensor]:
    told = np.array([lesson.told for lesson in lessons])
    scale = 1 / (told.std(axis=0) + 1e-6)
    return torch.tensor(told.mean(axis=0), dtype=torch.float32), torch.tensor(scale, dtype=torch.float32)


def _joined(lessons: Sequence[Lesson], networks: Sequence[nn.Sequential]) -> ToneEar:
    mean, scale = _statistics(lessons)

    def stacked(layer: int, name: str) -> NDArray[np.float32]:
        weights = [getattr(network[layer], name).detach().numpy() for network in networks]
        return np.asarray(np.stack(weights), np.float32)

    return ToneEar(
        mean=mean.numpy(),
        scale=scale.numpy(),
        inner=stacked(0, "weight"),
        inner_bias=stacked(0, "bias"),
        outer=stacked(3, "weight"),
        outer_bias=stacked(3, "bias"),
    )
