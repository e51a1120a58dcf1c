"""The sound devices of this machine, chosen by name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from narrator.faults import Fault


@dataclass(frozen=True, slots=True)
class Devices:
    """The names of what can record and what can play, in PortAudio's order."""

    microphones: tuple[str, ...]
    loudspeakers: tuple[str, ...]


def list_devices() -> Devices:
    """What PortAudio finds; ``Fault("no_portaudio")`` without the library.

    PortAudio looks once per process: what is plugged in later is seen after ``look_again``.
    """
    with quiet_alsa():
        try:
            import sounddevice
        except (ImportError, OSError) as error:
            raise Fault("no_portaudio") from error
        try:
            found = list(sounddevice.query_devices())
        except sounddevice.PortAudioError:
            found = []
    return Devices(
        microphones=tuple(device["name"] for device in found if device["max_input_channels"] > 0),
        loudspeakers=tuple(device["name"] for device in found if device["max_output_channels"] > 0),
    )


def look_again() -> None:
    """Let PortAudio see what was plugged in since it started; every stream has to be closed before."""
    with quiet_alsa(), suppress(ImportError, OSError):
        import sounddevice

        # The only way to it: PortAudio lists the devices once, when it is initialised.
        with suppress(sounddevice.PortAudioError):
            sounddevice._terminate()
        with suppress(sounddevice.PortAudioError):
            sounddevice._initialize()


def output_name(wanted: str | None) -> str:
    """The full name of a loudspeaker, or of the system's default; empty when there is none."""
    with quiet_alsa(), suppress(ImportError, OSError):
        import sounddevice

        with suppress(sounddevice.PortAudioError, ValueError):
            return str(sounddevice.query_devices(wanted, "output")["name"])
    return ""


def choose(names: Sequence[str], wanted: str) -> str:
    """The one device called ``wanted``, in full or, whatever the case, in part.

    Names stay when a device is plugged in again; numbers don't. ``Fault("no_such_device")`` lists what
    there is.
    """
    if wanted in names:
        return wanted
    for name in names:
        if wanted.casefold() in name.casefold():
            return name
    raise Fault("no_such_device", device=wanted, known=", ".join(names) or "—")


@contextmanager
def quiet_alsa() -> Iterator[None]:
    """Keep ALSA's remarks on every plug-in it tries away from standard error.

    They are written by C code past ``sys.stderr``, so the file descriptor itself is turned aside.
    """
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)
