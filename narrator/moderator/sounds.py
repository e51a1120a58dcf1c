"""How the evening sounds: another voice, a backdrop for the nights; asked for in the lobby."""

from __future__ import annotations

from narrator.moderator.desk import Desk
from narrator.moderator.effects import Backdrop, Effect, Voice
from narrator.moderator.inputs import Command


class Sounds:
    """Carries out the table's wishes, and tells how it is when an evening is gone on with."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def change_voice(self, command: Command) -> None:
        """The next recorded voice speaks, where there is another one."""
        evening = self.desk.evening
        if evening.setup.voices > 1:
            evening.sound.voice = (evening.sound.voice + 1) % evening.setup.voices
            self.desk.effects.append(Voice(evening.sound.voice))
            self.desk.say("voice.changed")
        else:
            self.desk.say("voice.only")
        self.desk.dialog.reopen()

    def change_backdrop(self, command: Command) -> None:
        """Nights get a backdrop, or lose it."""
        evening = self.desk.evening
        now = evening.setup.backdrop if evening.sound.backdrop is None else evening.sound.backdrop
        evening.sound.backdrop = not now
        self.desk.effects.append(Backdrop(not now))
        self.desk.say("backdrop.off" if now else "backdrop.on")
        self.desk.dialog.reopen()

    def as_wished(self) -> list[Effect]:
        """What makes the table sound as it was asked to."""
        sound = self.desk.evening.sound
        backdrop = self.desk.evening.setup.backdrop if sound.backdrop is None else sound.backdrop
        return [Voice(sound.voice), Backdrop(backdrop)]
