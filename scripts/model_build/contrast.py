"""The last stage of training: what was said must score above what it is likely to be mistaken for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from model_build.dataset import IGNORED, Example, collate
from model_build.export import PRIOR_FLOOR
from model_build.features import Features
from model_build.network import Network
from model_build.phones import FIRST_STATE, SILENCE, split, states
from model_build.texts import all_syllables

Said = tuple[str, ...]
Report = Callable[[str], None]

RIVALS = 20
"""Readings that each utterance is held against."""

LONGEST = 4
"""Syllables of the longest utterances used: commands are short."""

ACOUSTIC_SCALE = 0.2
"""As in the recogniser: a step's score counts this much."""

_FRAME_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Spoken:
    """An example and the syllables said in it."""

    example: Example
    said: Said


class Rivals:
    """Draws readings that differ a little from what was said, or are one of the game's ``phrases``."""

    def __init__(self, phrases: Sequence[Said], random: np.random.Generator) -> None:
        self._random = random
        self._phrases = list(phrases)
        self._syllables = all_syllables()
        self._alike: dict[str, list[str]] = {}

    def of(self, said: Said) -> list[Said]:
        """``RIVALS`` readings, none of them ``said``."""
        found: list[Said] = []
        while len(found) < RIVALS:
            reading = self._reading(said)
            if reading != said and reading:
                found.append(reading)
        return found

    def _reading(self, said: Said) -> Said:
        kind, place = self._random.random(), int(self._random.integers(len(said)))
        before, after = said[:place], said[place + 1 :]
        if kind < 0.45:
            return (*before, self._pick(self._near(said[place])), *after)
        if kind < 0.6:
            return (*before, self._pick(self._syllables), *after)
        if kind < 0.7:
            return (*before, said[place], self._pick(self._syllables), *after)
        if kind < 0.8:
            return before + after
        return self._phrases[int(self._random.integers(len(self._phrases)))]

    def _near(self, syllable: str) -> list[str]:
        """Syllables that share the initial or the final."""
        if syllable not in self._alike:
            parts = split(syllable) or ("", "")
            others = ((other, split(other) or ("", "")) for other in self._syllables if other != syllable)
            self._alike[syllable] = [
                other for other, (initial, final) in others if initial == parts[0] or final == parts[1]
            ]
        return self._alike[syllable]

    def _pick(self, choices: Sequence[str]) -> str:
        return choices[int(self._random.integers(len(choices)))]


def path_scores(likely: Tensor, lengths: Tensor, readings: Sequence[Sequence[Said]]) -> Tensor:
    """The best path's score of each of the ``readings`` of each utterance (batch × readings).

    ``likely`` is batch × steps × outputs, ``lengths`` the steps that count of each utterance.
    """
    silence = FIRST_STATE[SILENCE]
    chains = [
        [[silence, *(o for one in said for o in states(one)), silence] for said in some] for some in readings
    ]
    size = max(len(chain) for some in chains for chain in some)
    padded = [[chain + [silence] * (size - len(chain)) for chain in some] for some in chains]
    places = torch.tensor(padded)
    ends = torch.tensor([[len(chain) - 1 for chain in some] for some in chains])
    count, rivals = places.shape[:2]
    flat = places.reshape(count, -1)
    never = torch.full((count, rivals, 1), -1e4)

    def emitted(step: int) -> Tensor:
        return likely[:, step].gather(1, flat).reshape(count, rivals, size)

    first = emitted(0)
    best = torch.where(torch.arange(size) < 2, first, torch.full_like(first, -1e4))
    for step in range(1, likely.shape[1]):
        onward = torch.cat([never, best[:, :, :-1]], dim=2)
        moved = torch.maximum(best, onward) + emitted(step)
        best = torch.where((step < lengths)[:, None, None], moved, best)
    last = best.gather(2, ends[:, :, None])[:, :, 0]
    return torch.maximum(last, best.gather(2, ends[:, :, None] - 1)[:, :, 0])


def sharpen(
    network: Network,
    usual: Features,
    passes: Sequence[Callable[[], Sequence[Spoken]]],
    phrases: Sequence[Said],
    seed: int,
    report: Report,
    rate: float = 4e-4,
    frames: int = 5_000,
) -> Network:
    """``network`` trained on: readings of whole short utterances compete, frames are kept in mind."""
    random = np.random.default_rng([seed, 71])
    rivals = Rivals(phrases, random)
    favour = torch.from_numpy(np.log(np.maximum(usual, PRIOR_FLOOR) / np.maximum(usual, PRIOR_FLOOR).sum()))
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    spoken = passes[0]()
    steps = int(len(passes) * sum(len(one.example[0]) for one in spoken) / frames * 1.15) + 2 * len(passes)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.1)
    loss_of = nn.CrossEntropyLoss(ignore_index=IGNORED, label_smoothing=0.05)
    # Normalisation stays as it was learnt: it will be a fixed part of the exported layers.
    network.eval()
    done = 0
    for number in range(1, len(passes) + 1):
        spoken = spoken if number == 1 else passes[number - 1]()
        losses, right = [], []
        for chosen in _batches(spoken, frames, random):
            features, labels = collate([one.example for one in chosen])
            with torch.autocast("cpu", torch.bfloat16):
                scores = network(features)
            scores = scores[:, :, : labels.shape[1]].float()
            readings = [[one.said, *rivals.of(one.said)] for one in chosen]
            likely = (scores - favour[None, :, None]).transpose(1, 2)
            totals = ACOUSTIC_SCALE * path_scores(likely, (labels != IGNORED).sum(dim=1), readings)
            wanted = torch.zeros(len(chosen), dtype=torch.long)
            contrast = nn.functional.cross_entropy(totals, wanted)
            loss = contrast + _FRAME_WEIGHT * loss_of(scores, labels)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            done += 1
            if done < steps:
                schedule.step()
            losses.append(contrast.item())
            right.append(float((totals.argmax(dim=1) == 0).float().mean()))
        report(
            f"contrast pass {number} of {len(passes)}: loss {np.mean(losses):.3f}, "
            f"readings right {np.mean(right):.1%}, {done} of about {steps} batches"
        )
    return network


def _batches(spoken: Sequence[Spoken], frames: int, random: np.random.Generator) -> Iterator[list[Spoken]]:
    order = sorted(range(len(spoken)), key=lambda n: len(spoken[n].example[0]) + random.uniform(0, 20))
    groups: list[list[Spoken]] = [[]]
    for number in order:
        if groups[-1] and (len(groups[-1]) + 1) * len(spoken[number].example[0]) > frames:
            groups.append([])
        groups[-1].append(spoken[number])
    for place in random.permutation(len(groups)):
        yield groups[int(place)]
