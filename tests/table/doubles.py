"""A table whose edges are doubles: sound that carries text, a loudspeaker that keeps time, typed lines."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Container, Sequence
from concurrent.futures import Future
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from narrator.heard import Heard
from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.evening import Setup
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Input
from narrator.moderator.moderator import Moderator
from narrator.mouth.clips import Clip, ClipCache
from narrator.mouth.lines import load_pack
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.recorded import SpokenBy
from narrator.mouth.renderer import RenderFailed
from narrator.mouth.speech import ClipRenderer, Mouth
from narrator.mouth.voicepack import VoicePack
from narrator.rehearsal.script import Script
from narrator.resources import voices_folder
from narrator.rules import ruleset as rulesets
from narrator.table.blocks import BLOCK, BLOCK_SECONDS
from narrator.table.listening import Ears, Listener
from narrator.table.notices import MissingVoice, Notices
from narrator.table.performance import Performance
from narrator.table.session import Session
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

RATE = 16_000


@cache
def voice_pack() -> VoicePack:
    """The real voice pack."""
    return load_pack(voices_folder() / "zh-CN")


@cache
def phrasebook() -> Phrasebook:
    """The real phrases."""
    return load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")


class Microphone:
    """Takes up what people say: an utterance is one block that holds nothing but its number."""

    def __init__(self) -> None:
        self._texts = [""]
        self._coming: deque[int] = deque()

    def say(self, text: str) -> None:
        """Somebody says something right now."""
        self._texts.append(text)
        self._coming.append(len(self._texts) - 1)

    def read(self) -> NDArray[np.int16]:
        return np.full(BLOCK, self._coming.popleft() if self._coming else 0, dtype=np.int16)

    def close(self) -> None:
        """Nothing to close."""

    def text(self, block: NDArray[np.int16]) -> str:
        """What is said in a block."""
        return self._texts[int(block[0])]


class SharpEars(Ears):
    """Ears that make out every word at once, and tell whenever sound reaches them."""

    def __init__(self, microphone: Microphone, fed: Callable[[], None]) -> None:
        self.microphone = microphone
        self.fed = fed
        self.asked: list[Expectation] = []
        self.broken = False

    def warm(self) -> None:
        """There is no model to load."""

    def listen(self, expectation: Expectation) -> Listener:
        self.asked.append(expectation)
        return _SharpListener(self)


class _SharpListener:
    floor = -60.0

    def __init__(self, ears: SharpEars) -> None:
        self._ears = ears
        self.silence = 0.0

    def feed(self, block: NDArray[np.int16]) -> Heard | None:
        self._ears.fed()
        if self._ears.broken:
            raise RuntimeError("the recogniser has failed")
        text = self._ears.microphone.text(block)
        self.silence = 0.0 if text else self.silence + BLOCK_SECONDS
        return Heard(text) if text else None


class Loudspeaker(SilentLoudspeaker):
    """Keeps what was played, and when."""

    def __init__(self) -> None:
        super().__init__(RATE)
        self.unplugged = False
        self.now = 0.0
        self.played: list[tuple[float, NDArray[np.float32]]] = []
        self.silent_since = 0.0

    def play(self, samples: NDArray[np.float32]) -> None:
        super().play(samples)
        self.played.append((self.now, samples))

    @property
    def lost(self) -> bool:
        return self.unplugged

    @property
    def playing(self) -> bool:
        return super().playing and not self.unplugged

    def stop(self) -> None:
        super().stop()
        self.silent_since = self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds
        sounded = self.playing
        super().advance(seconds)
        if sounded and not self.playing:
            self.silent_since = self.now


class Bell:
    """A renderer: each text becomes a second of tone at once, but some fail and some never come."""

    SECONDS = 1.0

    def __init__(self) -> None:
        self.fails: Container[str] = ()
        self.never: Container[str] = ()

    def submit(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Future[Clip]:
        coming: Future[Clip] = Future()
        if text in self.fails:
            coming.set_exception(RenderFailed(text))
        elif text not in self.never:
            wave = np.sin(np.arange(int(RATE * self.SECONDS)) / 8).astype(np.float32)
            coming.set_result(Clip(wave, RATE))
        return coming


class Everything:
    """A container of all texts."""

    def __contains__(self, text: object) -> bool:
        return True


class Keyboard:
    """Lines typed ahead or just now."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque()
        self.closed = False
        self.hidden = False

    def type(self, *lines: str) -> None:
        self.lines += lines

    def poll(self) -> str | None:
        return self.lines.popleft() if self.lines else None

    def hide(self, hidden: bool) -> None:
        self.hidden = hidden

    def close(self) -> None:
        self.closed = True


class Log(Witness):
    """Writes down what happens, with the table's time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.question: Expect | None = None
        self.lines: list[str] = []
        self.silent: list[str] = []
        self.taken_: list[Input] = []
        self.heard_: list[Heard] = []
        self.notes: list[Note] = []
        self.order: list[str] = []
        self.spans: list[tuple[Expect, float, float]] = []
        self.told_: list[str] = []
        self._opened_at = 0.0

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        self.lines.append(say.line)
        if silent:
            self.silent.append(text)
        self.order.append(say.line)

    def opened(self, expect: Expect) -> None:
        self.question = expect
        self._opened_at = self.now
        self.order.append(f"?{expect.about}")

    def heard(self, heard: Heard, event: Input) -> None:
        self.heard_.append(heard)

    def taken(self, event: Input) -> None:
        if self.question is not None:
            # Only a pause can be typed while nothing is asked yet.
            self.spans.append((self.question, self._opened_at, self.now))
        self.question = None
        self.taken_.append(event)

    def noted(self, note: Note) -> None:
        self.notes.append(note)

    def told(self, key: str, **params: object) -> None:
        self.told_.append(key)

    def note(self, what: str) -> Note:
        """The latest note of that name."""
        return [note for note in self.notes if note.what == what][-1]


class Typist(Witness):
    """Types what a scripted table answers, in digits and letters or in Chinese; rests at some questions."""

    def __init__(
        self, script: Script, keyboard: Keyboard, *, digits: bool = False, rests: Container[str] = ()
    ) -> None:
        self._script = script
        self._keyboard = keyboard
        self._digits = digits
        self._rng = random.Random(1)
        self.rests = rests
        self.typed: list[tuple[Expect, str]] = []

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        self._script.spoken(say)

    def noted(self, note: Note) -> None:
        self._script.noted(note)

    def opened(self, expect: Expect) -> None:
        if expect.about in self.rests:
            return
        reply = self._script.reply(expect)
        text = self._words(expect, Answer(reply.kind, reply.value))
        self.typed.append((expect, text))
        self._keyboard.type(text)

    def _words(self, expect: Expect, answer: Answer) -> str:
        if self._digits and answer.kind not in (Kind.CHOICE, Kind.PASS):
            value = answer.value
            if isinstance(value, bool):
                return "y" if value else "n"
            return "-" if value is None else str(value)
        phrases = phrasebook().phrases(expect.expectation)
        return self._rng.choice([phrase.text for phrase in phrases if phrase.meaning == answer])


class Evening:
    """An evening in virtual time. ``log`` tells what happened; ``bell`` is the voice, None for no sound."""

    def __init__(
        self,
        setup: Setup,
        folder: Path,
        *,
        ears: bool = True,
        bell: ClipRenderer | None = None,
        script: Script | None = None,
        digits: bool = False,
        rests: Container[str] = (),
        witnesses: Sequence[Witness] = (),
        pace: float = 1.0,
        watch_voice: bool = False,
        voices: Sequence[SpokenBy] = (),
        check_room: Callable[[], None] = lambda: None,
        reword: Callable[[str], tuple[VoicePack, Phrasebook] | None] = lambda locale: None,
    ) -> None:
        self.log = Log()
        self.microphone = Microphone()
        self.keyboard = Keyboard()
        self.loudspeaker = Loudspeaker()
        self.notices = Notices()
        self.fed: list[float] = []
        self.fed_while_playing = 0
        self.ears = SharpEars(self.microphone, self._fed) if ears else None
        script = script or script_of(setup)
        self.typist = Typist(script, self.keyboard, digits=digits, rests=rests)
        watch = (MissingVoice(self.notices),) if watch_voice else ()
        everyone = (self.log, *witnesses, *watch, self.typist)
        self.mouth = Mouth(voice_pack(), bell, ClipCache(folder / "clips"), RATE, voices)
        self.session = Session(
            Moderator(setup),
            self.microphone,
            Performance(self.mouth, self.loudspeaker, everyone, pace),
            voice_pack(),
            phrasebook(),
            ears=self.ears,
            keyboard=self.keyboard,
            witnesses=everyone,
            pace=pace,
            notices=self.notices,
            check_room=check_room,
            reword=reword,
        )
        self.session.begin()

    def _fed(self) -> None:
        self.fed.append(self.session.elapsed)
        self.fed_while_playing += self.loudspeaker.playing

    @property
    def about(self) -> str:
        """What is being asked; empty while the microphone is shut."""
        return self.log.question.about if self.log.question else ""

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds / BLOCK_SECONDS)):
            self.log.now = self.session.elapsed + BLOCK_SECONDS
            self.session.tick(self.microphone.read())

    def until(self, condition: Callable[[], bool], within: float = 7200.0) -> None:
        """Let time pass until something is so."""
        latest = self.session.elapsed + within
        while not condition():
            assert self.session.elapsed < latest, f"not within {within} s, but {self.log.order[-8:]}"
            self.wait(BLOCK_SECONDS)

    def until_asked(self, about: str, within: float = 7200.0) -> None:
        """Let time pass until a question is open."""
        self.until(lambda: self.about == about, within)

    def until_taken(self, within: float = 7200.0) -> Input:
        """Let time pass until something goes to the moderator."""
        known = len(self.log.taken_)
        self.until(lambda: len(self.log.taken_) > known, within)
        return self.log.taken_[-1]

    def play(self) -> None:
        """To the goodbye."""
        self.until(lambda: self.session.over)


def script_of(setup: Setup, seed: int = 3) -> Script:
    """People who answer at the table that ``setup`` fixes."""
    assert setup.ruleset is not None
    assert setup.players is not None
    assert setup.secrets is not None
    return Script(rulesets.load(setup.ruleset), setup.players, setup.secrets, seed)
