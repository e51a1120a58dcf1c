"""The microphone: 20 ms blocks at 16 kHz from whatever sound card there is."""

from __future__ import annotations

import queue
from typing import Any, Protocol

import numpy as np

from narrator.ears.sound import BLOCK, SAMPLE_RATE, Block
from narrator.faults import Fault

PATIENCE = 2.0
"""Seconds without a block after which the microphone counts as lost: PortAudio tells of no unplugging."""


class MicrophoneLost(Exception):  # noqa: N818 - an event at the table, not a programming error
    """The microphone gives no more sound; it may come back."""


class Microphone(Protocol):
    """Where blocks come from."""

    def read(self) -> Block:
        """The next 320 samples (20 ms) at 16 kHz; waits for them, raises ``MicrophoneLost`` in vain."""
        ...

    def close(self) -> None:
        """Let go of the device; may be called twice."""
        ...


class SoundDeviceMicrophone:
    """A microphone of PortAudio, by (part of) its name; ``None`` takes the system's default.

    The device runs at its own rate, because many refuse 16 kHz, and is resampled here, outside the
    audio callback. Raises ``Fault("no_portaudio")`` or ``Fault("no_microphone")``.
    """

    def __init__(self, device: str | None = None) -> None:
        # Imported late: without PortAudio the import itself fails, and the keyboard must still work.
        try:
            import sounddevice
        except OSError as error:
            raise Fault("no_portaudio") from error
        import soxr

        self._blocks: queue.SimpleQueue[Block] = queue.SimpleQueue()
        self._rest = np.zeros(0, np.int16)
        try:
            rate = int(sounddevice.query_devices(device, "input")["default_samplerate"])
            self._resampler: Any = soxr.ResampleStream(rate, SAMPLE_RATE, 1, dtype="int16")
            self._stream: Any = sounddevice.InputStream(
                samplerate=rate,
                blocksize=rate // 50,
                device=device,
                channels=1,
                dtype="int16",
                callback=self._keep,
            )
            self._stream.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            raise Fault("no_microphone", device=device or "default", why=error) from error

    def read(self) -> Block:
        """The next 320 samples; raises ``MicrophoneLost`` when none came for two seconds, or once closed."""
        while len(self._rest) < BLOCK:
            if self._resampler is None:
                raise MicrophoneLost
            try:
                fresh = self._blocks.get(timeout=PATIENCE)
            except queue.Empty:
                raise MicrophoneLost from None
            self._rest = np.concatenate([self._rest, self._resampler.resample_chunk(fresh)])
        block, self._rest = self._rest[:BLOCK], self._rest[BLOCK:]
        return block

    def close(self) -> None:
        """Stop the stream; a device that is already gone is no error."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close(ignore_errors=True)
        # Whoever still knows this object at the end of the process mustn't keep soxr's alive: it complains.
        self._resampler = None

    def _keep(self, samples: Block, frames: int, time: object, status: object) -> None:
        # Called on PortAudio's thread: copy and leave, anything slower loses sound.
        self._blocks.put(samples[:, 0].copy())
