"""The stages of a whole build."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from speech_engines.kokoro import Kokoro

from model_build import bootstrap, corpora, espeak, kokoro
from model_build.contrast import LONGEST, Spoken, sharpen
from model_build.dataset import Aligned, Example, cached_examples, make_examples, parted
from model_build.export import affines
from model_build.modelfolder import write_folder
from model_build.network import Network
from model_build.phones import toneless
from model_build.store import Utterance, fill, missing, read_all
from model_build.texts import Syllables, phrases, pinyin
from model_build.tones import write_tones
from model_build.training import priors, train

SWEEPS = 2
"""How often the network goes through the changed copies of one pass."""

NOTHING = np.zeros((0, 40), np.float16)


class Build:
    """One build with the command's ``options``; ``report`` takes lines of progress."""

    def __init__(self, options: argparse.Namespace, report: Callable[[str], None]) -> None:
        self._options = options
        self._report = report
        self._work: Path = options.work
        self._phrases = phrases(options.phrases)
        torch.set_num_threads(options.threads)

    def run(self) -> None:
        """All stages, from nothing to the model's folder."""
        self.render()
        aligned = self.align()
        network, usual = self.train(aligned)
        write_folder(self._options.model, self._options.phrases, affines(network), usual)
        if self._options.speech is not None:
            write_tones(
                self._options.model,
                self._options.speech,
                self._options.seed,
                self._options.threads,
                self._report,
            )
        self._report(f"model written to {self._options.model}")

    def render(self) -> None:
        """Synthetic speech, as far as its synthesisers are to be used."""
        options = self._options
        said, workers = self._phrases, options.threads
        read = partial(espeak.render_shard, said, options.seed)
        fill(self._work / "espeak", options.espeak_shards, read, self._report, workers)
        if options.kokoro is None:
            self._report(
                "no voices given for Kokoro (--kokoro): training without it will hear real people less well"
            )
            return
        if missing(self._work / "kokoro", options.kokoro_shards):
            # Missing voices and a broken network are told here, before any process is begun.
            Kokoro(self._work, options.kokoro)
        read = partial(kokoro.render_shard, self._work, options.kokoro, said, options.seed)
        fill(self._work / "kokoro", options.kokoro_shards, read, self._report, workers)

    def align(self) -> list[Aligned]:
        """All speech with its alignment."""
        file = self._work / "aligned.npz"
        if not file.is_file():
            synthetic = read_all(self._work / "espeak")
            first = bootstrap.kept(
                self._work / "first.pt",
                lambda: bootstrap.first_alignment(
                    synthetic, self._options.seed, self._report, self._options.threads
                ),
            )
            spoken = [*synthetic, *read_all(self._work / "kokoro"), *self._real()]
            aligned = bootstrap.second_alignment(
                first, spoken, 2, self._options.seed, self._report, self._options.threads
            )
            bootstrap.save(file, list(parted(aligned)))
        return bootstrap.load(file)

    def train(self, aligned: list[Aligned]) -> tuple[Network, np.ndarray]:
        """The final network and how frequent its outputs are."""
        usual = priors([(NOTHING, one.labels) for one in aligned])
        network = self._kept("frames.pt", lambda: self._on_frames(aligned))
        network = self._kept("readings.pt", lambda: self._on_readings(network, aligned, usual))
        return network.eval(), usual

    def _on_frames(self, aligned: list[Aligned]) -> Network:
        passes = [
            partial(self._examples, self._drawn(aligned, number), number)
            for number in range(self._options.passes)
        ]
        return train(passes, self._options.seed, self._report, sweeps=SWEEPS)

    def _on_readings(self, network: Network, aligned: list[Aligned], usual: np.ndarray) -> Network:
        seed = self._options.seed
        short = [one for one in aligned if len(one.utterance.groups) == 1]
        short = [one for one in short if len(one.utterance.groups[0]) <= LONGEST]

        def spoken(number: int) -> list[Spoken]:
            drawn = self._drawn(short, number)
            examples = make_examples(drawn, [seed, 62, number], self._options.threads)
            return [
                Spoken(example, one.utterance.groups[0]) for example, one in zip(examples, drawn, strict=True)
            ]

        passes = [partial(spoken, number) for number in range(self._options.contrast_passes)]
        return sharpen(network, usual, passes, self._expected(), seed, self._report)

    @staticmethod
    def _drawn(aligned: Sequence[Aligned], number: int) -> list[Aligned]:
        """What one pass hears: of the one busy woman only a third, for she says more than all others."""
        busy = [one for one in aligned if one.utterance.speaker == corpora.WORDS_SPEAKER]
        others = [one for one in aligned if one.utterance.speaker != corpora.WORDS_SPEAKER]
        return [*others, *busy[number % 3 :: 3]]

    def _expected(self) -> list[Syllables]:
        """The phrases' toneless syllables, the short and easily mistaken ones several times."""
        said = [tuple(map(toneless, pinyin(phrase) or ())) for phrase in self._phrases]
        short = [one for one in said if len(one) <= 3]
        return [*said, *short * 3, *[one for one in said if len(one) == 1] * 6]

    def _kept(self, name: str, make: Callable[[], Network]) -> Network:
        file = self._work / name
        if not file.is_file():
            network = make()
            torch.save(network.state_dict(), file)
            return network
        network = Network()
        network.load_state_dict(torch.load(file, weights_only=True))
        return network

    def _real(self) -> list[Utterance]:
        if self._options.speech is None:
            return []
        folder = self._options.speech
        found = itertools.chain(
            corpora.people(folder, corpora.TRAINED_PEOPLE), corpora.words(folder), corpora.syllables(folder)
        )
        return list(found)

    def _examples(self, aligned: list[Aligned], number: int) -> list[Example]:
        file = self._work / "examples" / f"{number:02d}.npz"
        seed, workers = [self._options.seed, 61, number], self._options.threads
        return cached_examples(file, lambda: make_examples(aligned, seed, workers))
