"""The parts of a table that may be missing: what is wrong with one is said, and the game does without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from narrator.cli.choice import tell
from narrator.ears.microphone import Microphone, SoundDeviceMicrophone
from narrator.ears.model import ModelToCome, find_model
from narrator.faults import Fault
from narrator.mouth.loudspeaker import Loudspeaker, SilentLoudspeaker, SoundDeviceLoudspeaker
from narrator.table.devices import quiet_alsa
from narrator.table.journal import Journal
from narrator.table.listening import Ears
from narrator.table.resume import Interrupted, interrupted
from narrator.table.settings import Settings, database_file
from narrator.understanding.phrasebook import Phrasebook

_Part = TypeVar("_Part")


def if_possible(open_: Callable[[], _Part]) -> _Part | None:
    """A part the game can do without: what is wrong with it is said, and None comes back."""
    try:
        return open_()
    except Fault as fault:
        tell(fault)
        return None


def open_microphone(settings: Settings) -> Microphone:
    """The microphone of the settings; raises what ``SoundDeviceMicrophone`` raises."""
    with quiet_alsa():
        return SoundDeviceMicrophone(settings.microphone)


def open_ears(model: Path | None, phrasebook: Phrasebook) -> Ears | None:
    """Ears with the recogniser's model; one that was asked for by name must be there.

    It is loaded later, while the first lines are being said; what goes wrong then is said then.
    """

    def find() -> Ears:
        phrases = (phrase.text for phrase in phrasebook.everything())
        return Ears(ModelToCome(find_model(model), phrases, tell), phrasebook)

    return find() if model is not None else if_possible(find)


def open_loudspeaker(settings: Settings) -> Loudspeaker:
    """The loudspeaker of the settings, or a silent one."""

    def open_() -> Loudspeaker:
        with quiet_alsa():
            return SoundDeviceLoudspeaker(settings.loudspeaker)

    return if_possible(open_) or SilentLoudspeaker()


def open_journal(told: Callable[..., None]) -> Journal:
    """The journal; a damaged one is set aside, said, and a new one begun."""
    try:
        return Journal(database_file(), told)
    except Fault as fault:
        if fault.key != "journal_damaged":
            raise
        tell(fault)
        return Journal(database_file(), told)


def interrupted_evening(journal: Journal, resume: bool) -> Interrupted | None:
    """The evening that can be gone on with; where it must be (``resume``), ``Fault`` tells why it can't."""
    if not resume:
        return if_possible(lambda: interrupted(journal))
    found = interrupted(journal)
    if found is None:
        raise Fault("nothing_to_resume")
    return found
