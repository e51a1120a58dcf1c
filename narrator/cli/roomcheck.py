"""Wiring of the room check: the devices it tries, what it changes, where it is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from narrator.cli.choice import tell
from narrator.cli.departure import Departure
from narrator.cli.edges import if_possible, open_microphone
from narrator.ears.microphone import Microphone, SoundDeviceMicrophone
from narrator.ears.preamplifier import Preamplifier
from narrator.faults import Fault
from narrator.mouth.loudspeaker import Loudspeaker, SilentLoudspeaker, SoundDeviceLoudspeaker
from narrator.room.measured import Room
from narrator.table.devices import choose, list_devices, look_again, output_name, quiet_alsa
from narrator.table.host import Host
from narrator.table.listening import Ears
from narrator.table.performance import Performance
from narrator.table.roomcheck import Conversation, RoomCheck, Sound, Told, suitable
from narrator.table.roomfile import fitting, lasting, remember, remembered
from narrator.table.settings import Settings
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.witness import Witness


def recalled(settings: Settings) -> Room | None:
    """What is known of the room with the devices that are there; what is wrong is said."""
    rooms = if_possible(remembered)
    if not rooms:
        return None
    try:
        microphones = list_devices().microphones
    except Fault:
        return None  # said when the microphone is opened
    room = fitting(rooms, microphones, output_name(settings.loudspeaker), settings.microphone)
    if room is None and rooms[0].microphone not in map(lasting, microphones):
        tell(Fault("room_gone", microphone=rooms[0].microphone))
    return room


def in_room(settings: Settings, room: Room | None) -> Settings:
    """The settings with the microphone that hears best in this room."""
    return settings if room is None else replace(settings, microphone=room.microphone)


def attune(room: Room, preamplifier: Preamplifier, performance: Performance, ears: Ears | None) -> None:
    """Have gain, gate and thresholds as the room needs them."""
    preamplifier.gain = room.gain
    performance.room = room
    if ears is not None:
        ears.attune(room.voicing)


def seek_devices(loudspeaker: Loudspeaker) -> None:
    """Find what was plugged in since the start, unless something is being said; no microphone may be open."""
    if loudspeaker.playing:
        return
    with quiet_alsa():
        if isinstance(loudspeaker, SoundDeviceLoudspeaker):
            # PortAudio looks for devices only while none is open.
            loudspeaker.renew(look_again)
        else:
            look_again()


@dataclass(frozen=True, slots=True)
class Checking:
    """A check that may be made at any time; whatever session it interrupts is left when the check is."""

    check: RoomCheck
    leaving: Departure

    def __call__(self) -> Room | None:
        """Make it; None when it found out nothing new."""
        outer, self.leaving.session = self.leaving.session, self.check
        try:
            return self.check.run()
        finally:
            self.leaving.session = outer
            if self.leaving.signal and outer is not None:
                outer.leave()


def open_room_check(
    settings: Settings,
    microphone: SteadyMicrophone,
    preamplifier: Preamplifier,
    loudspeaker: Loudspeaker,
    performance: Performance,
    ears: Ears | None,
    converse: Callable[[Host, Witness], Conversation],
    leaving: Departure,
    told: Told,
) -> Checking:
    """The check of a table with a microphone; without ears only the tone is played."""

    def held(host: Host, witness: Witness) -> Conversation:
        talk = converse(host, witness)
        # Whoever leaves now leaves the whole check, not just the line that is being said.
        leaving.session = check
        return talk

    def names() -> tuple[str, ...]:
        seek_devices(loudspeaker)
        try:
            return suitable(list_devices().microphones, settings.microphone)
        except Fault:
            return ()

    def keep(room: Room) -> None:
        try:
            remember(room)
        except Fault as fault:
            told(fault.key, **fault.params)

    sound = Sound(
        microphone,
        preamplifier,
        None if isinstance(loudspeaker, SilentLoudspeaker) else loudspeaker,
        output_name(settings.loudspeaker),
        names,
        _open,
        lambda: open_microphone(settings),
        lambda: performance.volume,
    )
    check = RoomCheck(
        sound,
        held,
        lambda room: attune(room, preamplifier, performance, ears),
        keep,
        told,
        voices=ears is not None,
    )
    return Checking(check, leaving)


def _open(name: str) -> Microphone:
    """A microphone by its name, in whatever slot it is now."""
    names = list_devices().microphones
    with quiet_alsa():
        return SoundDeviceMicrophone(name if name in names else choose(names, lasting(name)))
