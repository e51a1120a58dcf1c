"""How the evening sounds: louder or faster at any question; another voice or wording, a backdrop at night."""

from __future__ import annotations

from narrator.moderator.desk import Desk
from narrator.moderator.effects import Backdrop, CheckRoom, Effect, Note, Say, Tempo, Voice, Volume, Wording
from narrator.moderator.inputs import Command, Gauge

VOLUMES = range(-6, 4)
"""Steps of the volume, around 0 as recorded."""

TEMPOS = range(-3, 4)
"""Steps of the tempo, around 0 as recorded."""

WORDINGS = ("zh-CN", "zh-TW")
"""The wordings there are, by the locales of their voice packs."""

WORDING_COMMANDS = ("wording", *(f"wording.{locale}" for locale in WORDINGS))
"""The next wording, or one by its name."""

_TURNS = {
    "louder": (Gauge.VOLUME, +1),
    "softer": (Gauge.VOLUME, -1),
    "faster": (Gauge.TEMPO, +1),
    "slower": (Gauge.TEMPO, -1),
}


class Sounds:
    """Carries out the table's wishes, and tells how it is when an evening is gone on with.

    Volume, tempo, wording and voice are no part of the evening's memory: they belong to the room and its
    people, outlast the evening, and stay as they are when an answer is taken back.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def turn(self, command: Command) -> None:
        """A step louder, softer, faster or slower; the question stays open."""
        self.desk.effects.extend(turned(command))
        self.desk.dialog.reopen()

    def change_voice(self, command: Command) -> None:
        """The next recorded voice speaks, where there is another one."""
        turn = command.reading
        if turn is None:
            self.desk.say("voice.only")
        else:
            self.desk.note("setting", name="voice", turn=turn)
            self.desk.effects.append(Voice(turn))
            self.desk.say("voice.changed")
        self.desk.dialog.reopen()

    def change_wording(self, command: Command) -> None:
        """The wording that is named is spoken from now on, or else the next one; a word is said in it."""
        locale = command.name.partition(".")[2]
        if not locale:
            # A pack of the host's own isn't among them: then the first is the next.
            now = -1 if command.reading is None else command.reading
            locale = WORDINGS[(now + 1) % len(WORDINGS)]
        self.desk.note("setting", name="locale", value=locale)
        self.desk.effects.append(Wording(locale))
        self.desk.say("wording.changed", wording=locale)
        self.desk.dialog.reopen()

    def change_backdrop(self, command: Command) -> None:
        """Nights get a backdrop, or lose it."""
        evening = self.desk.evening
        now = evening.setup.backdrop if evening.sound.backdrop is None else evening.sound.backdrop
        evening.sound.backdrop = not now
        self.desk.effects.append(Backdrop(not now))
        self.desk.say("backdrop.off" if now else "backdrop.on")
        self.desk.dialog.reopen()

    def check_room(self, command: Command) -> None:
        """The room is listened to anew; then the question that was open is put again."""
        self.desk.effects.append(CheckRoom())
        self.desk.dialog.repeat()

    def as_wished(self) -> list[Effect]:
        """What makes the table sound as it was asked to."""
        wished = self.desk.evening.sound.backdrop
        return [Backdrop(self.desk.evening.setup.backdrop if wished is None else wished)]


def is_turn(command: Command) -> bool:
    """Whether a command is about volume or tempo."""
    return command.name in _TURNS


def turned(command: Command) -> tuple[Effect, ...]:
    """What a command about volume or tempo causes: the new step, noted, and a word at it.

    Beyond the last step only a word is said. Without a reading the setting counts as untouched.
    """
    gauge, by = _TURNS[command.name]
    step = (command.reading or 0) + by
    if step not in (VOLUMES if gauge is Gauge.VOLUME else TEMPOS):
        return (Say(f"{gauge.value}.{'most' if by > 0 else 'least'}"),)
    effect = Volume(step) if gauge is Gauge.VOLUME else Tempo(step)
    note = Note("setting", {"name": gauge.value, "step": step})
    return note, effect, Say(f"{gauge.value}.{'up' if by > 0 else 'down'}")
