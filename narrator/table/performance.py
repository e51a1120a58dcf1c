"""Performing the moderator's effects one after another, a tick at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from narrator.moderator.effects import Backdrop, Effect, Expect, Pace, Say, Sound, Tempo, Voice, Volume, Wait
from narrator.mouth.backdrop import backdrop
from narrator.mouth.clips import Samples
from narrator.mouth.earcons import earcon
from narrator.mouth.loudspeaker import Loudspeaker
from narrator.mouth.speech import Mouth, Utterance
from narrator.mouth.volume import at_volume
from narrator.room.measured import Room
from narrator.table.witness import Witness

# A clip that is not there by then is left out; its line stands on the screen.
LATE_SECONDS = 4.0
# How long a line without sound is held, so that it can be read.
READING_SECONDS_A_CHARACTER = 0.15
# From the last sample to the opened microphone, unless the room was measured: it falls silent.
TAIL_SECONDS = 0.3


class _Line:
    """A line waiting for its sound."""

    def __init__(self, say: Say, utterance: Utterance) -> None:
        self.say = say
        self.utterance = utterance


class Performance:
    """What is being said and what comes next.

    ``ready`` is the expectation to be listened for once everything before it has been performed.
    """

    def __init__(
        self,
        mouth: Mouth,
        loudspeaker: Loudspeaker,
        witnesses: Iterable[Witness],
        pace: float = 1.0,
        waits_for_clips: bool = False,
        listening: bool = True,
        with_backdrop: bool = False,
        volume: int = 0,
        tempo: int = 0,
    ) -> None:
        self._mouth = mouth
        self.loudspeaker = loudspeaker
        self._witnesses = tuple(witnesses)
        self._pace = pace
        # In virtual time nothing is ever late: time stands still until the clip is there.
        self._waits_for_clips = waits_for_clips
        # Without ears there is no microphone to open, and no earcon to tell so.
        self._listening = listening
        self._agenda: deque[_Line | Wait | Pace | Sound | Expect] = deque()
        self._silence = 0.0
        self._late = 0.0
        self._sounding = False
        self._speaking = False
        self._announced: Expect | None = None
        self._night = False
        self._backdrop = False
        self._bed: Samples | None = None
        self._mouth.tempo_step = tempo
        self.volume = volume
        """Steps louder than recorded."""
        self.pauses = 1.0
        """What the rhythm of the game multiplies every silence by, on top of the table's own pace."""
        self.room: Room | None = None
        """The room as it was measured, if it was."""

        self._want_backdrop(with_backdrop)

    @property
    def tempo(self) -> int:
        """Steps faster than recorded, the rhythm of the game left aside."""
        return self._mouth.tempo_step

    @property
    def next_voice(self) -> int | None:
        """The place of the recorded voice that comes next in turn; None where there is no other."""
        return self._mouth.next_turn

    @property
    def tail(self) -> float:
        """Seconds from the loudspeaker's last sample to the open microphone: the louder, the longer."""
        return TAIL_SECONDS if self.room is None else self.room.at(self.volume).tail

    @property
    def idle(self) -> bool:
        """Nothing is being said and nothing is left to say."""
        return not self._agenda and self._silence <= 0 and not self._sounding

    def add(self, effects: Iterable[Effect]) -> None:
        """Put effects on the agenda; the sound of every line is asked for at once."""
        for effect in effects:
            if isinstance(effect, Say):
                self._agenda.append(_Line(effect, self._mouth.speak(effect)))
            elif isinstance(effect, Voice):
                self._mouth.give_turn(effect.turn)
            elif isinstance(effect, Backdrop):
                self._want_backdrop(effect.on)
            elif isinstance(effect, Volume):
                self.volume = effect.step
                self._want_backdrop(self._backdrop)
            elif isinstance(effect, Tempo):
                self._mouth.tempo_step = effect.step
            elif isinstance(effect, Wait | Pace | Sound | Expect):
                if isinstance(effect, Pace):
                    self._mouth.tempo = effect.rate
                self._agenda.append(effect)

    @property
    def coming(self) -> Expect | None:
        """What will be listened for once everything is said."""
        return next((item for item in self._agenda if isinstance(item, Expect)), None)

    @property
    def unsaid(self) -> int:
        """How many lines have not been said to their end."""
        sounding = self._sounding and self._speaking
        return sounding + sum(isinstance(item, _Line) for item in self._agenda)

    def drop(self) -> None:
        """Fall silent and forget what was still to come."""
        self.loudspeaker.stop()
        self._silence, self._late, self._sounding = 0.0, 0.0, False
        self._agenda.clear()

    def interject(self, say: Say) -> None:
        """Say a line next, before all that is still to come."""
        self._agenda.appendleft(_Line(say, self._mouth.speak(say)))
        self._announced = None

    def cut(self) -> None:
        """Somebody answers already: fall silent and go on to the question; cut lines are still shown."""
        self.loudspeaker.stop()
        self._silence, self._late, self._sounding = 0.0, 0.0, False
        kept: deque[_Line | Wait | Pace | Sound | Expect] = deque()
        for item in self._agenda:
            if isinstance(item, _Line):
                self._show(item, silent=True)
            elif isinstance(item, Pace):
                self.pauses = item.pauses
            elif isinstance(item, Expect):
                kept.append(item)
        self._agenda = kept

    def tick(self, seconds: float) -> Expect | None:
        """Move on by a tick; return the expectation whose turn has come, if any."""
        if self._sounding:
            if self.loudspeaker.playing:
                return None
            self._sounding = False
        if self._silence > 0:
            self._silence -= seconds
            return None
        if not self._agenda:
            return None
        return self._next(seconds)

    def _next(self, seconds: float) -> Expect | None:
        item = self._agenda[0]
        if isinstance(item, _Line):
            self._lay_bed()
            self._speak(item, seconds)
            return None
        self._agenda.popleft()
        if isinstance(item, Wait):
            self._lay_bed()
            self._silence = self._mouth.pack.wait(item.wait) * self._pace * self.pauses
        elif isinstance(item, Pace):
            self.pauses = item.pauses
        elif isinstance(item, Sound):
            self._night = {"nightfall": True, "dawn": False}.get(item.earcon, self._night)
            self._lay_bed()
            self._play_earcon(item.earcon)
        elif not self._tail_kept(item):
            return None
        else:
            return item
        return None

    def _tail_kept(self, expect: Expect) -> bool:
        """Keep the tail's silence once, and announce the open microphone by an earcon; then it may open."""
        if expect is self._announced:
            return True
        self._announced = expect
        self._agenda.appendleft(expect)
        if expect.expectation.voice and self._listening:
            # Nothing may sound while the microphone is open; the bed has faded before it opens.
            self.loudspeaker.bed(None)
            self._play_earcon("listen")
            self._silence = self.tail
        return False

    def _want_backdrop(self, on: bool) -> None:
        self._backdrop = on
        rate = self.loudspeaker.rate
        # Made now, in the lobby's time, and kept: it takes longer than a tick.
        self._bed = at_volume(backdrop(rate), rate, self.volume) if on else None

    def _lay_bed(self) -> None:
        """Have the backdrop of the night under what comes, or nothing."""
        self.loudspeaker.bed(self._bed if self._night else None)

    def _play(self, samples: Samples) -> None:
        self.loudspeaker.play(at_volume(samples, self.loudspeaker.rate, self.volume))

    def _play_earcon(self, name: str) -> None:
        self._play(earcon(name, self.loudspeaker.rate))
        self._sounding, self._speaking = True, False

    def _speak(self, line: _Line, seconds: float) -> None:
        late = self._late >= LATE_SECONDS
        if not (self._waits_for_clips or line.utterance.ready or late):
            self._late += seconds
            return
        self._agenda.popleft()
        self._late = 0.0
        samples = line.utterance.samples(timeout=LATE_SECONDS * 5 if self._waits_for_clips else 0.0)
        if len(samples):
            self._play(samples)
        silent = bool(line.utterance.missing) or not len(samples) or self.loudspeaker.lost
        text = self._show(line, silent)
        if len(samples) and not self.loudspeaker.lost:
            self._sounding = self._speaking = True
            self._silence = self._mouth.pack.wait("breath") * self._pace * self.pauses
        else:
            self._silence = len(text) * READING_SECONDS_A_CHARACTER * self._pace

    def _show(self, line: _Line, silent: bool) -> str:
        text = line.utterance.text
        for witness in self._witnesses:
            witness.spoken(line.say, text, silent)
        return text
