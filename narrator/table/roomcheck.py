"""The room check, 试音: the tone first, then two voices, then one sentence about the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from narrator.ears.microphone import Microphone
from narrator.ears.preamplifier import Preamplifier
from narrator.heard import Heard
from narrator.messages import message
from narrator.moderator.effects import Expect
from narrator.moderator.inputs import Answer, Input
from narrator.moderator.soundcheck import FAR, JUDGE, SoundCheck
from narrator.mouth.loudspeaker import Loudspeaker
from narrator.room.measured import Room, Verdict
from narrator.room.survey import Survey, survey
from narrator.table.announcement import Announcement
from narrator.table.host import Host
from narrator.table.roomfile import lasting
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.witness import Witness

MOST_TRIED = 8
"""So many microphones are tried at the most; each takes some four seconds."""

_CONVERTERS = frozenset(
    ("lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "null", "jack", "oss", "sysdefault")
)

Told = Callable[..., None]


class Conversation(Protocol):
    """A session at the table where the check is made."""

    def begin(self) -> None:
        """Say the first line."""

    def run(self) -> None:
        """Go on until the host has come to an end."""

    def leave(self) -> None:
        """Stop in the middle."""


@dataclass(frozen=True, slots=True)
class Sound:
    """The devices of the table, and the ways to others.

    ``names`` lists the microphones to try, ``open_`` opens one (raising ``Fault``), and ``otherwise`` the
    one that is used when none hears the tone. ``loudspeaker`` is None where there is none; ``volume`` tells
    how many steps louder than recorded the host wants it.
    """

    microphone: SteadyMicrophone
    preamplifier: Preamplifier
    loudspeaker: Loudspeaker | None
    loudspeaker_name: str
    names: Callable[[], Sequence[str]]
    open_: Callable[[str], Microphone]
    otherwise: Callable[[], Microphone]
    volume: Callable[[], int]


class RoomCheck:
    """Checks the room whenever asked to.

    ``converse`` makes a session for a host and one more witness; ``attune`` fits ears and gate to a room,
    ``keep`` remembers it, and ``told`` takes the figures for the screen, as keys of the messages.
    ``voices`` is false where nobody can be understood: then only the tone is played.
    """

    def __init__(
        self,
        sound: Sound,
        converse: Callable[[Host, Witness], Conversation],
        attune: Callable[[Room], None],
        keep: Callable[[Room], None],
        told: Told,
        voices: bool = True,
    ) -> None:
        self._sound = sound
        self._converse = converse
        self._attune = attune
        self._keep = keep
        self._told = told
        self._voices = voices
        self._talk: Conversation | None = None
        self._left = False
        self.survey: Survey | None = None
        """What came of every microphone, of the last check."""

    def leave(self) -> None:
        """Stop as soon as the line or the tone that sounds is over; may be called by a signal's handler."""
        self._left = True
        if self._talk is not None:
            self._talk.leave()

    def run(self) -> Room | None:
        """Check the room, and use what was found from now on; None when that is nothing new."""
        self._left = False
        if self._sound.loudspeaker is None:
            self._told("room_no_loudspeaker")
            return None
        self._say("room.begins")
        room = self._listen(self._sound.loudspeaker)
        if room is None or self._left:
            return None
        self._attune(room)
        if self._voices:
            room = room.with_voices(*self._hear_voices())
            self._attune(room)
        if self._left:
            return None
        self._report(room)
        self._keep(room)
        return room

    def _listen(self, loudspeaker: Loudspeaker) -> Room | None:
        """The tone, through every microphone; the table's clock is the one that hears it best afterwards."""
        sound = self._sound
        sound.microphone.release()
        found = self.survey = survey(
            sound.names(),
            sound.open_,
            loudspeaker,
            sound.loudspeaker_name,
            lambda: self._left,
            sound.volume(),
        )
        room = found.room
        if room is not None:
            name = room.microphone
            sound.microphone.adopt(lambda: sound.open_(name))
            return replace(room, microphone=lasting(name), loudspeaker=lasting(room.loudspeaker))
        sound.microphone.adopt(sound.otherwise)
        if self._left:
            return None
        if found.working:
            self._told("room_no_tone")
            self._say("room.no_tone")
        else:
            self._told("room_no_microphone", tried=", ".join(trial.name for trial in found.trials) or "-")
            self._say("room.no_microphone")
        return None

    def _hear_voices(self) -> tuple[float | None, float | None]:
        """How loud the judge and the far end are, in dB of full scale before any gain."""
        levels = _Levels(self._sound.preamplifier)
        try:
            self._hold(SoundCheck(), levels)
        finally:
            self._sound.preamplifier.end_metering()
        return levels.of.get(JUDGE), levels.of.get(FAR)

    def _report(self, room: Room) -> None:
        self._told("room_figures", **figures(room))
        if not self._voices:
            self._say("room.measured")
            return
        self._told("room_voices", judge=_or_not(room.judge), far=_or_not(room.far))
        if room.verdict is Verdict.NOISY:
            self._told("room_noisy", floor=room.floor)
        self._say(f"room.{room.verdict.value}")

    def _say(self, line: str) -> None:
        if not self._left:
            self._hold(Announcement(line), Witness())

    def _hold(self, host: Host, witness: Witness) -> None:
        self._talk = self._converse(host, witness)
        try:
            self._talk.begin()
            if self._left:
                self._talk.leave()
            self._talk.run()
        finally:
            self._talk = None


class _Levels(Witness):
    """Takes down how loud each voice was that was understood."""

    def __init__(self, preamplifier: Preamplifier) -> None:
        self._preamplifier = preamplifier
        self._asked = ""
        self.of: dict[str, float] = {}

    def opened(self, expect: Expect) -> None:
        self._asked = expect.about
        self._preamplifier.begin_metering()

    def heard(self, heard: Heard, event: Input) -> None:
        if isinstance(event, Answer) and not heard.typed:
            self.of[self._asked] = round(self._preamplifier.loudest, 1)


def figures(room: Room) -> dict[str, object]:
    """What the sentence ``room_figures`` is filled with: levels in dB of full scale, times in ms."""
    return {
        "microphone": room.microphone,
        "loudspeaker": room.loudspeaker,
        "floor": room.floor,
        "echo": room.echo,
        "delay": round(room.delay * 1000),
        "decay": round(room.decay * 1000),
        "gain": room.gain,
        "tail": round(room.tail * 1000),
        "on": room.voicing.on,
    }


def _or_not(level: float | None) -> object:
    return message("room_not_heard") if level is None else message("room_level", level=level)


def suitable(names: Sequence[str], wanted: str | None = None) -> tuple[str, ...]:
    """The microphones worth trying: the one that is fixed, or all but ALSA's converters of the same ones."""
    if wanted is not None:
        return tuple(name for name in names if wanted.casefold() in name.casefold())[:1]
    return tuple(dict.fromkeys(name for name in names if name not in _CONVERTERS))[:MOST_TRIED]
