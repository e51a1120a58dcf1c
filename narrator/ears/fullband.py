"""A microphone at its device's own rate: for recording a voice rather than understanding it."""

from __future__ import annotations

import queue
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from narrator.ears.microphone import PATIENCE, MicrophoneLost
from narrator.faults import Fault

Samples = NDArray[np.float32]


class FullBandMicrophone(Protocol):
    """Where a take comes from."""

    rate: int
    """Samples a second."""

    def read(self) -> Samples:
        """The next 20 ms, mono from -1 to 1; waits for them, raises ``MicrophoneLost`` in vain."""

    def close(self) -> None:
        """Let go of the device; may be called twice."""


class SoundDeviceFullBand:
    """A microphone of PortAudio, by (part of) its name; ``None`` takes the system's default.

    Raises ``Fault("no_portaudio")`` or ``Fault("no_microphone")``.
    """

    def __init__(self, device: str | None = None) -> None:
        # Imported late: without PortAudio the import itself fails.
        try:
            import sounddevice
        except OSError as error:
            raise Fault("no_portaudio") from error

        self._blocks: queue.SimpleQueue[Samples] = queue.SimpleQueue()
        try:
            self.rate = int(sounddevice.query_devices(device, "input")["default_samplerate"])
            self._stream: Any = sounddevice.InputStream(
                samplerate=self.rate,
                blocksize=self.rate // 50,
                device=device,
                channels=1,
                dtype="float32",
                callback=self._keep,
            )
            self._stream.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            raise Fault("no_microphone", device=device or "default", why=error) from error

    def read(self) -> Samples:
        """The next 20 ms; raises ``MicrophoneLost`` when none came for two seconds."""
        try:
            return self._blocks.get(timeout=PATIENCE)
        except queue.Empty:
            raise MicrophoneLost from None

    def close(self) -> None:
        """Stop the stream; a device that is already gone is no error."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close(ignore_errors=True)

    def _keep(self, samples: Samples, frames: int, time: object, status: object) -> None:
        # Called on PortAudio's thread: copy and leave, anything slower loses sound.
        self._blocks.put(samples[:, 0].copy())
