"""What a table hears with, and what is known of its room: the first that ``narrator play`` opens."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from narrator.cli.edges import if_possible, open_ears, open_microphone
from narrator.cli.poweron import wait_for_sound
from narrator.cli.roomcheck import in_room, recalled
from narrator.ears.microphone import Microphone
from narrator.ears.model import find_model
from narrator.faults import Fault
from narrator.mouth.loudspeaker import Loudspeaker
from narrator.mouth.recorded import SpokenBy
from narrator.room.measured import Room
from narrator.table.houserules import Words
from narrator.table.listening import Ears
from narrator.table.settings import Settings
from narrator.table.wallclock import WallClock


@dataclass(frozen=True, slots=True)
class Senses:
    """Microphone, ears and room of a table, as far as there are any.

    ``asked`` are the settings as they were given, ``settings`` those with the microphone that hears best in
    the ``room``. ``loudspeaker`` is there if the microphone was waited for together with it. ``deaf`` says
    that there is no real microphone.
    """

    asked: Settings
    settings: Settings
    room: Room | None
    microphone: Microphone | None
    loudspeaker: Loudspeaker | None
    ears: Ears | None
    deaf: bool

    def close(self) -> None:
        """Let both devices go; whoever has them already may have done so."""
        for device in (self.microphone, self.loudspeaker):
            if device is not None:
                device.close()


def open_senses(
    args: argparse.Namespace, settings: Settings, words: Words, voices: tuple[SpokenBy, ...]
) -> Senses:
    """Open what the options and the settings ask for; what is missing is said, and done without.

    ``--speaker`` waits for microphone and loudspeaker: ``voices`` say in ``words`` what is missing. ``Fault``
    for options that exclude each other, and for a model named by ``--model`` that isn't there.
    """
    if args.model is not None:
        find_model(args.model)  # a wrong path is worth a word even where nobody listens
    model = args.model or settings.model
    room = None if args.keyboard else recalled(settings)
    asked, settings = settings, in_room(settings, room)
    loudspeaker: Loudspeaker | None = None
    microphone: Microphone | None
    if args.speaker:
        if args.keyboard or args.mute:
            raise Fault("speaker_has_no_keyboard")
        model = find_model(model)  # without it nobody can answer, ever
        sound = wait_for_sound(settings, words, voices)
        if sound.waited:
            # Only now is there what this room may be known by.
            sound.close()
            room = recalled(asked)
            settings = in_room(asked, room)
            sound = wait_for_sound(settings, words, voices)
        microphone, loudspeaker = sound.microphone, sound.loudspeaker
    else:
        microphone = None if args.keyboard else if_possible(lambda: open_microphone(settings))
    deaf = microphone is None
    if args.first_word and not args.keyboard:
        microphone = microphone or WallClock()
    ears = open_ears(model, words.phrasebook) if microphone is not None else None
    if microphone is not None and ears is None:
        microphone.close()  # nobody reads from it, and its blocks would pile up
    if args.record is not None and ears is None:
        raise Fault("record_needs_microphone")
    return Senses(asked, settings, room, microphone, loudspeaker, ears, deaf)
