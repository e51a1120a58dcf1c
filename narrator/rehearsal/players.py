"""Synthetic players at a virtual table: they hear a question, think, and speak into the room."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from narrator.heard import Heard
from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Command, Input
from narrator.rehearsal.cast.people import Cast
from narrator.rehearsal.cast.repertoire import chatter
from narrator.rehearsal.room import Samples
from narrator.rehearsal.script import Reply, Script
from narrator.table.blocks import RATE
from narrator.table.witness import Witness
from narrator.understanding.phrasebook import Phrasebook

SHORT_OF_SURE = 0.15
"""Chance that somebody leaves out the unit and says a bare number."""


class Air(Protocol):
    """What carries voices to the microphone: a computed room, or a real one."""

    @property
    def now(self) -> float:
        """Seconds since the start."""

    def speak(self, samples: Samples, delay: float) -> float:
        """Let a voice (16 kHz) sound ``delay`` seconds from now; returns when it will have ended."""

    def hush(self) -> None:
        """Let whoever is still talking fall silent."""


@dataclass(slots=True)
class Figures:
    """What a rehearsal counts; see ``narrator rehearse --help``."""

    answers: int = 0
    understood_first_time: int = 0
    repaired: int = 0
    misunderstood: int = 0
    false_stops: int = 0
    latencies: list[float] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)


class VirtualKeyboard:
    """The judge's keypad in a rehearsal: what is typed arrives after a moment."""

    closed = False

    def __init__(self, room: Air) -> None:
        self._room = room
        self._lines: list[tuple[float, str]] = []

    def type(self, line: str, delay: float) -> None:
        """Type a line ``delay`` seconds from now."""
        self._lines.append((self._room.now + delay, line))

    def poll(self) -> str | None:
        """The line whose time has come."""
        if self._lines and self._lines[0][0] <= self._room.now:
            return self._lines.pop(0)[1]
        return None

    def hide(self, hidden: bool) -> None:
        """Nothing is ever echoed."""

    def close(self) -> None:
        """Nothing to restore."""


class Players(Witness):
    """Answers every question as the script decides, through voices and a microphone."""

    def __init__(
        self,
        script: Script,
        cast: Cast,
        room: Air,
        phrasebook: Phrasebook,
        seed: int,
        speech_share: float = 1.0,
    ) -> None:
        self.figures = Figures()
        self.keyboard = VirtualKeyboard(room)
        self._script = script
        self._cast = cast
        self._room = room
        self._phrasebook = phrasebook
        self._rng = random.Random(f"{seed}:players")
        self._speech_share = speech_share
        self._chatter = chatter()
        self._tries: dict[str, int] = {}
        self._reply: Reply | None = None
        self._about = ""
        self._said = ""
        self._too_early = False
        self._done_from = 0.0
        self._done_at = 0.0

    # Witness

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        """The judge listens along."""
        self._script.spoken(say)

    def opened(self, expect: Expect) -> None:
        """Think for a moment, then answer."""
        reply = self._script.reply(expect)
        self._reply, self._about = reply, expect.about
        self._tries[expect.about] = self._tries.get(expect.about, 0) + 1
        reaction = self._rng.uniform(0.25, 0.9)
        text = self._words(expect, reply)
        if not expect.expectation.voice:
            self._said = text
            self.keyboard.type(text, reaction)
            self._done_from = self._done_at = self._room.now + reaction
            return
        again = self._tries[expect.about] > 1
        if again and expect.expectation.kind is Kind.PASS and self._room.now < self._done_at:
            # Interrupted while still talking: whoever has the floor goes on to the end.
            return
        # Somebody else is called: whoever was cut short gives way.
        self._room.hush()
        self._said = text
        sound = self._cast.says(reply.speaker, text)
        if expect.expectation.kind is Kind.PASS:
            talk = np.zeros(0, np.float32) if again else self._talk(expect.about, reply.speaker)
            self._done_from = self._room.now + reaction + len(talk) / RATE
            sound = np.concatenate([talk, sound])
        else:
            self._done_from = self._room.now + reaction
        self._done_at = self._room.speak(sound, reaction)

    def heard(self, heard: Heard, event: Input) -> None:
        """Count how long the answer took to be heard, and what was made of it."""
        if not heard.typed:
            self.figures.latencies.append(self._room.now - self._done_at)
        reply = self._reply
        speaking = reply is not None and reply.kind is Kind.PASS
        if isinstance(event, Command) and reply is not None and event.name == reply.command:
            # The question comes again later, and is then asked for the first time.
            self._tries.pop(self._about, None)
        elif isinstance(event, Command):
            self._mistake(f"heard a command {event.name} in {self._said}")
        self._too_early = isinstance(event, Answer) and speaking and self._room.now < self._done_from

    def noted(self, note: Note) -> None:
        """An answer counts now: was it what somebody meant?"""
        self._script.noted(note)
        if note.what != "accepted":
            return
        about = str(note.data["about"])
        figures = self.figures
        figures.answers += 1
        if self._too_early:
            figures.false_stops += 1
            self._mistake("stopped a speaker who was not done")
            self._too_early = False
        tries = self._tries.pop(about, 1)
        confirmations = self._tries.pop("confirm", 1)
        if tries == 1 and confirmations == 1:
            figures.understood_first_time += 1
        else:
            figures.repaired += 1
        meant = self._script.meant(about)
        if about in ("votes", "name"):
            # A count that was heard wrong is settled when the whole ballot is read back.
            return
        if about == "tally" and note.data["value"] is True and self._script.unnoticed():
            self._mistake("a ballot was agreed to with a wrong count")
        if note.data["value"] != meant:
            secret = bool(note.data["private"])
            taken = "" if secret else f": meant {meant}, took {note.data['value']}"
            self._mistake(f"{about} misunderstood{taken}")

    # How they talk

    def _mistake(self, what: str) -> None:
        self.figures.misunderstood += 1
        self.figures.mistakes.append(f"{self._room.now:.1f} s: {what}")

    def _words(self, expect: Expect, reply: Reply) -> str:
        wanted = Answer(reply.kind, reply.value) if reply.command is None else Command(reply.command)
        # A number that isn't listened for is said all the same by whoever means it.
        sayable = self._phrasebook.phrases(replace(expect.expectation, but=()))
        options = [p for p in sayable if p.meaning == wanted]
        own = self._cast.sayable(reply.speaker, [p.text for p in options])
        plain = [p.text for p in options if not p.bare and p.text in own]
        bare = [p.text for p in options if p.bare and p.text in own]
        tries = self._tries[expect.about]
        # Whoever is asked again speaks in full.
        if bare and (not plain or (tries == 1 and self._rng.random() < SHORT_OF_SURE)):
            return self._rng.choice(bare)
        if tries == 1:
            return self._rng.choice(plain)
        # Nobody repeats a one-syllable answer that wasn't understood for ever.
        return self._rng.choice([text for text in plain if len(text) > 1] or plain)

    def _talk(self, about: str, seat: int) -> Samples:
        lines = self._cast.sayable(seat, self._chatter["last_words" if about == "last_words" else "speech"])
        count = max(1, round(self._rng.randint(1, 3) * self._speech_share))
        parts: list[Samples] = []
        for line in self._rng.sample(lines, min(count, len(lines))):
            parts.append(self._cast.says(seat, line))
            parts.append(np.zeros(int(self._rng.uniform(0.35, 0.8) * RATE), dtype=np.float32))
        return np.concatenate(parts)
