"""The mouth: a line of the moderator becomes sound, or is reported missing; it never holds up the game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Protocol

import numpy as np
import soxr

from narrator.faults import Fault
from narrator.moderator.effects import Say
from narrator.mouth.clips import Clip, ClipCache, Samples
from narrator.mouth.joining import joined
from narrator.mouth.recorded import SpokenBy
from narrator.mouth.renderer import RenderFailed
from narrator.mouth.tempo import at_tempo, tempo_of
from narrator.mouth.voicepack import Voice, VoicePack

Progress = Callable[[int, int], None]


class ClipRenderer(Protocol):
    """Whatever makes clips; ``narrator.mouth.renderer.Renderer`` is the real one."""

    def submit(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Future[Clip]:
        """Start on a clip; the future raises ``RenderFailed`` when there is none."""


class ClipSource:
    """Clips by text and voice: from the store on disk, else from the renderer, which then fills the store."""

    def __init__(self, renderer: ClipRenderer | None, cache: ClipCache | None) -> None:
        self._renderer = renderer
        self._cache = cache
        self._lock = threading.Lock()
        self._coming: dict[tuple[str, Voice], Future[Clip]] = {}

    def clip(self, text: str, voice: Voice) -> Future[Clip]:
        """Return the clip to come, stored by the time it is there; it raises ``RenderFailed`` otherwise."""
        with self._lock:
            wanted = self._coming.get((text, voice))
            if wanted is not None:
                return wanted
            wanted = Future()
            stored = self._cache.get(text, voice) if self._cache is not None else None
            if stored is not None:
                wanted.set_result(stored)
                return wanted
            if self._renderer is None:
                wanted.set_exception(RenderFailed(f"nothing renders {text}"))
                return wanted
            self._coming[text, voice] = wanted
        # Outside the lock: a renderer that is done already delivers right here.
        rendered = self._renderer.submit(text, voice.id, voice.rate, voice.pitch, voice.volume)
        rendered.add_done_callback(lambda done: self._deliver(text, voice, done))
        return wanted

    def stores(self, text: str, voice: Voice) -> bool:
        """Whether the clip is in the store on disk, as far as can be told without reading it."""
        return self._cache is not None and self._cache.has(text, voice)

    def _deliver(self, text: str, voice: Voice, done: Future[Clip]) -> None:
        failure = RenderFailed("the renderer was closed") if done.cancelled() else done.exception()
        if failure is None and self._cache is not None:
            self._cache.put(text, voice, done.result())
        with self._lock:
            wanted = self._coming.pop((text, voice))
        if failure is None:
            wanted.set_result(done.result())
        else:
            wanted.set_exception(failure)


class Utterance:
    """A line on its way to the loudspeaker; ``text`` is what a screen shows."""

    def __init__(self, text: str, parts: Iterable[tuple[str, Future[Clip]]], rate: int) -> None:
        self.text = text
        self._parts = tuple(parts)
        self._rate = rate
        self._missing: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Every piece has come, or is known never to come."""
        return all(coming.done() for _text, coming in self._parts)

    @property
    def missing(self) -> tuple[str, ...]:
        """The pieces that the last call of ``samples`` had to leave out."""
        return self._missing

    def samples(self, timeout: float = 0.0) -> Samples:
        """Return the line as float32 samples at the mouth's rate, waiting ``timeout`` seconds at the most.

        Pieces that are broken or late are left out and named in ``missing``; the result may be empty.
        """
        deadline = time.monotonic() + timeout
        sounding: list[tuple[str, Clip]] = []
        missing: list[str] = []
        for text, coming in self._parts:
            try:
                sounding.append((text, coming.result(max(0.0, deadline - time.monotonic()))))
            except (RenderFailed, TimeoutError):
                missing.append(text)
        self._missing = tuple(missing)
        return joined([(text, resampled(clip, self._rate)) for text, clip in sounding], self._rate)


class Mouth:
    """Speaks a voice pack's lines at ``rate`` Hz: recorded clips first, then the synthesiser, else nothing.

    Without a renderer only what is recorded or stored already is heard. Of several ``recorded`` voices the
    first speaks until it is another one's turn. A recorded clip that is missing or
    damaged is told through ``told``, the first time only, and synthesised instead.
    """

    def __init__(
        self,
        pack: VoicePack,
        renderer: ClipRenderer | None,
        cache: ClipCache | None,
        rate: int,
        recorded: Sequence[SpokenBy] = (),
        told: Callable[[Fault], None] = lambda fault: None,
    ) -> None:
        self.pack = pack
        self.rate = rate
        self._voices = tuple(recorded)
        self.recorded = self._voices[0] if self._voices else None
        """The recorded voice that speaks."""
        self.synthesised = 0
        """How many pieces were asked for that no recorded voice had."""
        self._told = told
        self._broken = False
        self.tempo = 1.0
        """Multiplies the voice's rate of speaking, for the lines asked for from now on."""
        self.tempo_step = 0
        """How many steps faster the table wants it on top of that."""
        self._source = ClipSource(renderer, cache)
        self._turns: dict[str, int] = {}

    @property
    def voices(self) -> tuple[str, ...]:
        """The ids of the recorded voices, in the order of their turns."""
        return tuple(voice.id for voice in self._voices)

    @property
    def next_turn(self) -> int | None:
        """The place of the voice whose turn comes after the one that speaks; None where there is no other."""
        if self.recorded is None or len(self._voices) < 2:
            return None
        return (self._voices.index(self.recorded) + 1) % len(self._voices)

    def give_turn(self, turn: int) -> None:
        """Let the recorded voice speak that is ``turn`` places after the first, in a circle."""
        if self._voices:
            self.recorded = self._voices[turn % len(self._voices)]

    def reword(self, pack: VoicePack, recorded: Sequence[SpokenBy]) -> None:
        """Speak another pack from now on, with its recorded voices; the one that spoke goes on if it can."""
        speaking = self.recorded
        self.pack, self._voices, self.recorded = pack, tuple(recorded), None
        going_on = speaking is not None and speaking.id in self.voices
        self.give_turn(self.voices.index(speaking.id) if speaking is not None and going_on else 0)

    def speak(self, say: Say, pick: int | None = None) -> Utterance:
        """Ask for the line's sound at once; ``pick`` chooses the variant, which otherwise take turns."""
        if pick is None:
            pick = self._turns.get(say.line, 0)
            self._turns[say.line] = pick + 1
        segments = self.pack.segments(say.line, say.params, pick)
        return Utterance("".join(segments), [(text, self._clip(text)) for text in segments], self.rate)

    def prepare(self, texts: Iterable[str], progress: Progress | None = None) -> tuple[str, ...]:
        """Render those segments beforehand that nobody has recorded; return those that failed.

        ``progress(done, total)`` follows each. One at a time is asked for, so that a line spoken meanwhile
        needn't wait behind all of them.
        """
        wanted = self.unrecorded(texts)
        failed = []
        for done, text in enumerate(wanted, start=1):
            # A long evening's clips are not read just to see that they are there.
            if not self._source.stores(*self._wanted(text)) and self._clip(text).exception() is not None:
                failed.append(text)
            if progress is not None:
                progress(done, len(wanted))
        return tuple(failed)

    def unrecorded(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the segments that the recorded voice, if any, doesn't have."""
        return tuple(text for text in texts if self.recorded is None or text not in self.recorded)

    def _clip(self, segment: str) -> Future[Clip]:
        recording = self._recording(segment)
        if recording is not None:
            there: Future[Clip] = Future()
            there.set_result(recording)
            return there
        self.synthesised += 1
        return self._source.clip(*self._wanted(segment))

    def _wanted(self, segment: str) -> tuple[str, Voice]:
        """What the synthesiser is asked for."""
        voice = self.pack.voice
        rate = round(voice.rate * tempo_of(self.tempo_step, self.tempo))
        return self.pack.spoken(segment), replace(voice, rate=rate)

    def _recording(self, segment: str) -> Clip | None:
        if self.recorded is None or segment not in self.recorded:
            return None
        try:
            return at_tempo(self.recorded.clip(segment), tempo_of(self.tempo_step, self.tempo))
        except Fault as fault:
            if not self._broken:
                self._broken = True
                self._told(fault)
            return None


def resampled(clip: Clip, rate: int) -> Samples:
    """Return the clip's samples at another rate in Hz."""
    if clip.rate == rate:
        return clip.samples
    samples: Samples = soxr.resample(clip.samples, clip.rate, rate).astype(np.float32)
    return samples
