"""Recording a host's own voice: one text after another is shown, spoken, listened to, and kept or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import soxr

from narrator.ears.fullband import FullBandMicrophone, Samples
from narrator.ears.sound import BLOCK, SAMPLE_RATE
from narrator.ears.voicing import Voicing
from narrator.mouth.earcons import earcon
from narrator.mouth.loudspeaker import Loudspeaker
from narrator.mouth.packfile import PackFile
from narrator.mouth.takes import decoded, take
from narrator.table.keyboard import Keyboard

PERSON = "person"
"""The recipe of a clip that a person has spoken."""

BLOCK_SECONDS = 0.02
COUNTDOWN = 3
QUIET_SECONDS = 0.9
"""So long a silence after a voice ends a take."""
PATIENCE_SECONDS = 8.0
"""So long nobody need speak before a take is given up."""
LONGEST_SECONDS = 20.0
_KEY_SECONDS = 0.15
_TAIL_SECONDS = 0.2
_AROUND_SECONDS = 0.16
_TOO_LOUD = 0.99
_TOO_QUIET = 0.02

Show = Callable[..., None]
"""Shows a sentence by its key, with parameters."""


class Wish(Enum):
    """What whoever records wants to do with a take."""

    KEEP = ""
    AGAIN = "a"
    SKIP = "s"
    QUIT = "q"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text to be spoken; with it and all before it ``share`` of what a game says is recorded."""

    text: str
    share: float


def prompts(segments: Sequence[str], heard: dict[str, int]) -> list[Prompt]:
    """The segments in the order of how often they are heard, most often first."""
    ordered = sorted(segments, key=lambda text: -heard.get(text, 0))
    total, so_far, found = max(1, sum(heard.get(text, 0) for text in segments)), 0, []
    for text in ordered:
        so_far += heard.get(text, 0)
        found.append(Prompt(text, so_far / total))
    return found


@dataclass(slots=True)
class _Voiced:
    """The first and the last block of a take with a voice in it."""

    first: int = 0
    last: int = 0
    any: bool = False

    def at(self, number: int) -> None:
        if not self.any:
            self.first, self.any = number, True
        self.last = number


class Studio:
    """Walks a person through prompts. The microphone is the clock: each of its blocks is 20 ms."""

    def __init__(
        self, microphone: FullBandMicrophone, loudspeaker: Loudspeaker, keyboard: Keyboard, show: Show
    ) -> None:
        self._microphone = microphone
        self._loudspeaker = loudspeaker
        self._keyboard = keyboard
        self._show = show

    def walk(self, wanted: Sequence[Prompt], pack: PackFile) -> bool:
        """Record what ``pack`` doesn't have yet, each clip stored at once; False when it was broken off."""
        for number, prompt in enumerate(wanted, start=1):
            if pack.current(prompt.text, PERSON) is not None:
                continue
            position = {"number": number, "count": len(wanted), "share": f"{prompt.share:.0%}"}
            wish = Wish.AGAIN
            while wish is Wish.AGAIN:
                self._show("record_prompt", text=prompt.text, **position)
                clip = self._take()
                wish = self._verdict(clip)
            if wish is Wish.QUIT:
                return False
            if wish is Wish.KEEP and clip is not None:
                pack.put(prompt.text, clip, decoded(clip).seconds, PERSON)
                pack.save()
        return True

    def _take(self) -> bytes | None:
        """Count down, record and code one take; None when nothing usable was said."""
        for left in range(COUNTDOWN, 0, -1):
            self._show("record_countdown", left=left)
            self._pass(1.0)
        self._play(earcon("listen", self._loudspeaker.rate))
        self._pass(_TAIL_SECONDS)
        while self._keyboard.poll() is not None:
            pass  # typed too early to end anything
        self._show("record_speak")
        samples = self._record()
        if not len(samples):
            self._show("record_nothing")
            return None
        loudest = float(np.abs(samples).max())
        if loudest >= _TOO_LOUD:
            self._show("record_too_loud")
            return None
        if loudest < _TOO_QUIET:
            self._show("record_too_quiet")
            return None
        try:
            return take(samples, self._microphone.rate)
        except ValueError:
            self._show("record_nothing")
            return None

    def _record(self) -> Samples:
        """What is said until it is quiet, or until Enter, with little around it; empty when nobody spoke."""
        voicing, voiced = Voicing(), _Voiced()
        narrow = soxr.ResampleStream(self._microphone.rate, SAMPLE_RATE, 1, dtype="float32")
        blocks: list[Samples] = []
        rest = np.zeros(0, np.float32)
        for number in range(round(LONGEST_SECONDS / BLOCK_SECONDS)):
            blocks.append(self._microphone.read())
            if self._keyboard.poll() is not None:
                # The key itself is heard too.
                voiced.last = min(voiced.last, number - round(_KEY_SECONDS / BLOCK_SECONDS))
                break
            rest = np.concatenate([rest, narrow.resample_chunk(blocks[-1])])
            while len(rest) >= BLOCK:
                if voicing.feed((rest[:BLOCK] * 32767).astype(np.int16)):
                    voiced.at(number)
                rest = rest[BLOCK:]
            quiet = (number - (voiced.last if voiced.any else 0)) * BLOCK_SECONDS
            if quiet >= (QUIET_SECONDS if voiced.any else PATIENCE_SECONDS):
                break
        around = round(_AROUND_SECONDS / BLOCK_SECONDS)
        kept = blocks[max(0, voiced.first - around) : voiced.last + around] if voiced.any else []
        return np.concatenate(kept) if kept else np.zeros(0, np.float32)

    def _verdict(self, clip: bytes | None) -> Wish:
        """Play the take, and ask what is to become of it; a take that is none is not kept."""
        if clip is not None:
            sound = decoded(clip)
            self._play(soxr.resample(sound.samples, sound.rate, self._loudspeaker.rate).astype(np.float32))
        self._show("record_ask" if clip is not None else "record_ask_again")
        while True:
            line = self._typed()
            if line is None:
                return Wish.QUIT
            typed = line.strip().lower()[:1]
            if clip is None and not typed:
                return Wish.AGAIN
            if typed in {wish.value for wish in Wish}:
                return Wish(typed)
            self._show("record_ask" if clip is not None else "record_ask_again")

    def _typed(self) -> str | None:
        """The next typed line; None when nothing more can be typed."""
        while True:
            line = self._keyboard.poll()
            if line is not None:
                return line
            if self._keyboard.closed:
                return None
            self._pass(BLOCK_SECONDS)

    def _play(self, samples: Samples) -> None:
        self._loudspeaker.play(samples)
        while self._loudspeaker.playing:
            self._pass(BLOCK_SECONDS)

    def _pass(self, seconds: float) -> None:
        """Let time pass; what the microphone hears meanwhile is nobody's take."""
        for _ in range(round(seconds / BLOCK_SECONDS)):
            self._microphone.read()
            self._loudspeaker.advance(BLOCK_SECONDS)
