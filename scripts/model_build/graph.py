"""The decoding graph: a loop over the vocabulary's words that takes a grammar at run time."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from model_build.export import TRIPLES, transition_ids
from model_build.phones import FINAL_STATES, FINALS, FIRST_STATE, INITIALS, SILENCE, states, toneless
from model_build.texts import all_syllables, pinyin

UNKNOWN_WORD = "[unk]"
_PLUGINS = (
    "/usr/lib/x86_64-linux-gnu/fst/22",
    "/usr/lib/aarch64-linux-gnu/fst/22",
    "/usr/lib/arm-linux-gnueabihf/fst/22",
)


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs in the graph's log units; ``unknown`` and ``syllable`` are the threshold of rejection."""

    unknown: float = 4.0
    """Charged once for each run of unknown syllables."""
    syllable: float = 4.0
    """Charged for each unknown syllable."""
    silence: float = 0.7
    """Charged for silence between words, and for none."""


Arc = tuple[int, int, int, int, float]
"""From, to, transition-id, word, cost."""


def vocabulary(phrases: Iterable[str]) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Words and their pronunciations as runs of network outputs.

    Words are whole phrases, their characters, and every bare syllable in toneless pinyin. Raises
    ``ValueError`` for a phrase that isn't Mandarin.
    """
    words: dict[str, tuple[tuple[int, ...], ...]] = {}
    known = tuple(phrases)
    for word in (*known, *sorted({char for phrase in known for char in phrase})):
        said = pinyin(word)
        if said is None:
            raise ValueError(f"no pinyin for the phrase {word!r}")
        words[word] = (tuple(output for syllable in said for output in states(toneless(syllable))),)
    for syllable in all_syllables():
        words[syllable] = (states(syllable),)
    return words


class _Graph:
    """States and arcs under construction; state 0 is the start."""

    def __init__(self) -> None:
        self.arcs: list[Arc] = []
        self._states = 1

    def state(self) -> int:
        self._states += 1
        return self._states - 1

    def join(self, source: int, target: int, cost: float = 0.0, word: int = 0) -> None:
        self.arcs.append((source, target, 0, word, cost))

    def sound(self, source: int, output: int, cost: float = 0.0, unknown: bool = False) -> int:
        """A new state that is entered from ``source`` by one step of ``output`` and kept by more of it."""
        state = self.state()
        enter, again = transition_ids(output, unknown)
        self.arcs += [(source, state, enter, 0, cost), (state, state, again, 0, 0.0)]
        return state


def arcs(words: dict[str, tuple[tuple[int, ...], ...]], costs: Costs) -> tuple[list[Arc], int]:
    """The graph's arcs and its final state; words are numbered from 1 in order, the unknown one last."""
    graph = _Graph()
    loop = graph.state()
    graph.join(0, loop, costs.silence)
    opening = graph.sound(0, FIRST_STATE[SILENCE], costs.silence)
    graph.join(opening, loop)
    end = graph.state()
    graph.join(end, loop, costs.silence)
    # One silence after every word leads back: the words share it.
    pause = graph.sound(end, FIRST_STATE[SILENCE], costs.silence)
    graph.join(pause, loop)
    prefixes: dict[tuple[int, ...], int] = {(): loop}
    for number, pronunciations in enumerate(words.values(), start=1):
        for outputs in pronunciations:
            for length in range(1, len(outputs) + 1):
                prefix = outputs[:length]
                if prefix not in prefixes:
                    prefixes[prefix] = graph.sound(prefixes[prefix[:-1]], prefix[-1])
            graph.join(prefixes[outputs], end, word=number)
    _add_unknown(graph, loop, end, len(words) + 1, costs)
    return graph.arcs, loop


def _add_unknown(graph: _Graph, loop: int, end: int, word: int, costs: Costs) -> None:
    """Any syllables at all: an initial, a final, and so on."""
    start, middle, after = graph.state(), graph.state(), graph.state()
    graph.join(loop, start, costs.unknown)
    for initial in INITIALS:
        graph.join(graph.sound(start, FIRST_STATE[initial], costs.syllable, unknown=True), middle)
    for final in FINALS:
        state = middle
        for index in range(FINAL_STATES):
            state = graph.sound(state, FIRST_STATE[final] + index, unknown=True)
        graph.join(state, after)
    graph.join(after, start)
    graph.join(after, end, word=word)


def write_graph(
    folder: Path, words: dict[str, tuple[tuple[int, ...], ...]], costs: Costs | None = None
) -> None:
    """Write the files of a model's ``graph`` folder.

    Raises ``FileNotFoundError`` without OpenFst's command-line tools and ``RuntimeError`` when one fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lines, final = arcs(words, costs or Costs())
    names = [*words, UNKNOWN_WORD]
    plain, relabelling = folder / "plain.fst", folder / "relabel.txt"
    _run(["fstcompile", "-", str(plain)], _text(lines, final))
    _run(["fstconnect", str(plain), str(plain)])
    _run(["fstarcsort", "--sort_type=olabel", str(plain), str(plain)])
    lookahead = ["fstconvert", "--fst_type=olabel_lookahead", f"--save_relabel_opairs={relabelling}"]
    _run([*lookahead, str(plain), str(folder / "HCLr.fst")])
    pairs = [line.split() for line in relabelling.read_text().splitlines()]
    renumbered = {int(old): int(new) for old, new in pairs}
    numbers = {name: renumbered[number] for number, name in enumerate(names, start=1)}
    table = "".join(
        f"{name} {number}\n" for name, number in sorted(numbers.items(), key=lambda item: item[1])
    )
    (folder / "words.txt").write_text("<eps> 0\n" + table, "utf-8")
    any_word = "".join(f"0 0 {number} {number}\n" for number in sorted(numbers.values()))
    _run(["fstcompile", "-", str(plain)], any_word + "0\n")
    _run(["fstconvert", "--fst_type=const", str(plain), str(folder / "Gr.fst")])
    (folder / "disambig_tid.int").write_text(f"{2 * len(TRIPLES) + 1}\n")
    plain.unlink()
    relabelling.unlink()


def _text(lines: Iterable[Arc], final: int) -> str:
    def written() -> Iterator[str]:
        # OpenFst takes the first line's state for the start.
        for source, target, sound, word, cost in sorted(lines, key=lambda arc: arc[0]):
            yield f"{source} {target} {sound} {word} {cost:.4f}\n"
        yield f"{final}\n"

    return "".join(written())


def _run(command: list[str], text: str | None = None) -> None:
    found = [folder for folder in _PLUGINS if Path(folder).is_dir()]
    paths = ":".join([*found, os.environ.get("LD_LIBRARY_PATH", "")]).rstrip(":")
    environment = {**os.environ, "LD_LIBRARY_PATH": paths}
    done = subprocess.run(command, input=text, text=True, capture_output=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.strip()}")
