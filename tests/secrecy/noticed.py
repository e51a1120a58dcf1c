"""Everything that people at a table can notice, tick by tick: the edges are doubles that write it down.

Only the numbers that are said for codes are left out: in the voice pack of these tests a code is two
digits, which nothing else is, and digits are struck out wherever they show.
"""

from __future__ import annotations

import dataclasses
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.heard import Heard
from narrator.moderator.effects import Effect, Expect, Note, Say
from narrator.moderator.evening import Setup
from narrator.moderator.inputs import Input
from narrator.moderator.moderator import Moderator
from narrator.mouth.clips import Clip
from narrator.mouth.lines import load_pack
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.renderer import RenderFailed
from narrator.mouth.voicepack import Form, VoicePack
from narrator.resources import voices_folder
from narrator.table.blocks import BLOCK
from narrator.table.listening import Ears, Listener
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

RATE = 8_000
"""Samples a second of these tables' loudspeaker: enough for the earcons, and less work than a real one."""

SILENCE: NDArray[np.int16] = np.zeros(BLOCK, dtype=np.int16)

Event = tuple[Any, ...]


@cache
def voice_pack() -> VoicePack:
    """The real voice pack, but that a code is always two digits."""
    pack = load_pack(voices_folder() / "zh-CN")
    two_digits = Form("{n}", {number: f"{number:02d}" for number in range(100)})
    return dataclasses.replace(pack, forms={**pack.forms, "code": two_digits})


@cache
def phrasebook() -> Phrasebook:
    """The real phrases."""
    return load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")


def without_codes(text: str) -> str:
    """The text with the digits of a code struck out."""
    return re.sub(r"\d\d", "##", text)


class Trace:
    """What was noticed so far: events with the tick of the table's clock at which each began.

    ``inputs`` are the places in ``events`` at which something was taken for an answer, command or timer.
    """

    def __init__(self) -> None:
        self.tick = 0
        self.events: list[Event] = []
        self.inputs: list[int] = []

    def add(self, *event: Any) -> None:
        """Write down that something happened now."""
        self.events.append((self.tick, *event))


class Loudspeaker(SilentLoudspeaker):
    """Keeps what sounds, by its length and a checksum."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(RATE)
        self._trace = trace

    def play(self, samples: NDArray[np.float32]) -> None:
        super().play(samples)
        self._trace.add("sounds", len(samples), zlib.crc32(samples.tobytes()))

    def stop(self) -> None:
        super().stop()
        self._trace.add("falls silent")


class Voice:
    """A renderer without a synthesiser: how long a text is depends on the text, and some have no sound."""

    def submit(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Future[Clip]:
        coming: Future[Clip] = Future()
        spoken = without_codes(text)
        number = zlib.crc32(spoken.encode())
        if number % 17 == 0 and "#" not in spoken:
            coming.set_exception(RenderFailed(text))
        else:
            length = round(RATE * (0.12 + 0.16 * len(spoken) + number % 100 / 1000))
            coming.set_result(Clip(np.full(length, number % 997 / 1000, dtype=np.float32), RATE))
        return coming


class Keyboard:
    """One line at a time; whether typing is echoed can be seen."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.line: str | None = None
        self.closed = False
        self._hidden = False

    def poll(self) -> str | None:
        line, self.line = self.line, None
        return line

    def hide(self, hidden: bool) -> None:
        if hidden != self._hidden:
            self._trace.add("echo", not hidden)
        self._hidden = hidden

    def close(self) -> None:
        """Nothing to close."""


class Room:
    """Where something may be said; whoever listens hears it in the next block."""

    def __init__(self) -> None:
        self.coming: Heard | None = None


class GrammarEars(Ears):
    """The real ears, but that a listener is asked for its phrases and hears what is said in ``room``."""

    def __init__(self, book: Phrasebook, trace: Trace, room: Room) -> None:
        super().__init__(None, book)  # type: ignore[arg-type]  # no model is asked by these listeners
        self.trace = trace
        self.room = room


class GrammarListener:
    """Stands in for the recognisers: writes the grammar down, then hears what is said."""

    def __init__(
        self, ears: GrammarEars, name: str, phrases: Iterable[str], others: Sequence[object]
    ) -> None:
        self._room = ears.room
        self.silence = 0.0
        self.floor = -60.0
        ears.trace.add("grammar", name, tuple(phrases), tuple(others))

    def feed(self, block: NDArray[np.int16]) -> Heard | None:
        heard, self._room.coming = self._room.coming, None
        self.silence = 0.0 if heard is not None else self.silence + 0.02
        return heard


def listeners_of(ears: GrammarEars) -> dict[str, Any]:
    """What stands in for the two listeners in ``narrator.table.listening``, as long as ``ears`` listen."""

    def answer(model: object, phrases: Sequence[str], *others: object, **named: object) -> Listener:
        return GrammarListener(ears, "answer", phrases, [*others, *named.items()])

    def passing(
        model: object,
        done: Sequence[str],
        commands: Sequence[str] = (),
        *others: object,
        **named: object,
    ) -> Listener:
        return GrammarListener(ears, "pass", [*done, *commands], [*others, *named.items()])

    return {"AnswerListener": answer, "PassListener": passing}


class Watched(Moderator):
    """The real moderator; what it wants done is written down."""

    def __init__(self, setup: Setup, trace: Trace) -> None:
        super().__init__(setup)
        self._trace = trace
        self.sheet: Mapping[str, object] | None = None
        """What the judge's code sheet of this game is made of."""

    def begin(self) -> tuple[Effect, ...]:
        return self._written(super().begin())

    def handle(self, event: Input) -> tuple[Effect, ...]:
        return self._written(super().handle(event))

    def _written(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        for effect in effects:
            if not isinstance(effect, Note):
                self._trace.add("wants", _masked(effect))
            elif effect.what == "sheet":
                self.sheet = effect.data
        return effects


def _masked(effect: Effect) -> Any:
    """The effect without the numbers of codes."""
    if isinstance(effect, Say):
        return effect.line, tuple((name, value) for name, value in effect.params.items() if name != "code")
    if isinstance(effect, Expect):
        secret = "row" in effect.params or "code" in effect.params or effect.expectation.private
        hidden = ("code", "value") if secret else ()
        known = tuple((name, value) for name, value in effect.params.items() if name not in hidden)
        return effect.expectation, effect.about, known, effect.patience, effect.holds
    return effect


class Watcher(Witness):
    """Sees questions open and answers being taken."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.question: Expect | None = None

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        self._trace.add("says", say.line, without_codes(text), silent)

    def opened(self, expect: Expect) -> None:
        self.question = expect
        self._trace.add("listens", expect.about)

    def taken(self, event: Input) -> None:
        self.question = None
        self._trace.inputs.append(len(self._trace.events))
