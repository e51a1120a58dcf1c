"""Loudspeakers: the sound card, and a silent one that only keeps time."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from narrator.faults import Fault
from narrator.mouth.bed import Bed

# An unplugged device raises nothing, it just stops asking for sound.
# Some servers need two seconds before they ask for the first time after being opened.
_LOST_SECONDS = 4.0
_REOPEN_SECONDS = 3.0
_BELIEVABLE_LATENCY = 2.0
# Left to themselves some servers ask for a few milliseconds at a time, which costs twice the processor.
_BLOCKS_PER_SECOND = 50


class Loudspeaker(Protocol):
    """Something that plays mono samples at ``rate`` Hz, one sound after another."""

    rate: int

    def play(self, samples: NDArray[np.float32]) -> None:
        """Append samples to what is playing."""

    def stop(self) -> None:
        """Fall silent at once, a bed excepted."""

    def bed(self, samples: NDArray[np.float32] | None) -> None:
        """Loop samples under everything from now on, or let what lies there end; both fade.

        It takes a fifth of a second, and doesn't count as ``playing``.
        """

    @property
    def playing(self) -> bool:
        """True until the last sample has left the device."""

    @property
    def lost(self) -> bool:
        """The device is gone; it may come back."""

    def advance(self, seconds: float) -> None:
        """Let the table's clock tick; real devices have a clock of their own and ignore it."""

    def close(self) -> None:
        """Give the device back."""


class SilentLoudspeaker:
    """Plays nothing, but for as long as it would take; time passes only by ``advance``."""

    def __init__(self, rate: int = 16000) -> None:
        self.rate = rate
        self._left = 0.0

    def play(self, samples: NDArray[np.float32]) -> None:
        """Append the samples' duration."""
        self._left += len(samples) / self.rate

    def stop(self) -> None:
        """Forget what is left."""
        self._left = 0.0

    def bed(self, samples: NDArray[np.float32] | None) -> None:
        """Do nothing: it takes no time."""

    @property
    def playing(self) -> bool:
        """True until as much time has passed as was played."""
        return self._left > 1e-9

    @property
    def lost(self) -> bool:
        """Nothing can be unplugged here."""
        return False

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._left = max(0.0, self._left - seconds)

    def close(self) -> None:
        """Nothing to give back."""


class SoundDeviceLoudspeaker:
    """A sound card's output, opened at the device's own rate.

    ``device`` is a name (or part of one) or an index; ``None`` is the system's default. Raises
    ``Fault("no_portaudio")`` without the PortAudio library and ``Fault("no_loudspeaker", device=, why=)``
    when there is no such output. A device that vanishes while playing never holds up the game: ``playing``
    turns false, ``lost`` true, and later sounds try to open it again.
    """

    def __init__(self, device: str | int | None = None) -> None:
        self._device = device
        self._sounddevice = _portaudio()
        self._lock = threading.Lock()
        self._device_lock = threading.RLock()
        self._away = False
        self._queue: deque[NDArray[np.float32]] = deque()
        self._bed = Bed()
        self._silent_from = 0.0
        self._called = 0.0
        self._opened = 0.0
        self._latency = 0.0
        self._closed = False
        self._stream: Any = None
        self.rate = 0
        self._open()

    @property
    def lost(self) -> bool:
        """The device has stopped asking for sound."""
        if self._away:
            return False
        return self._stream is None or time.monotonic() - self._called > _LOST_SECONDS

    @property
    def playing(self) -> bool:
        """True until the last sample has left the device, its latency included."""
        with self._lock:
            if not self._queue and time.monotonic() >= self._silent_from:
                return False
        return not self.lost

    def play(self, samples: NDArray[np.float32]) -> None:
        """Append samples to what is playing."""
        if self.lost and not self._closed and time.monotonic() - self._opened > _REOPEN_SECONDS:
            self._reopen()
        if len(samples):
            with self._lock:
                self._queue.append(np.asarray(samples, dtype=np.float32))

    def stop(self) -> None:
        """Drop what hasn't gone to the device yet; what has is gone within the device's latency."""
        with self._lock:
            self._queue.clear()

    def bed(self, samples: NDArray[np.float32] | None) -> None:
        """Loop samples under everything from now on, or let what lies there end."""
        with self._lock:
            self._bed.lay(samples)

    def advance(self, seconds: float) -> None:
        """Do nothing: the device has its own clock."""

    def close(self) -> None:
        """Give the device back for good."""
        with self._device_lock:
            self._closed = True
            self._let_go()

    def renew(self, between: Callable[[], None]) -> None:
        """Give the device back for as long as ``between`` takes, from any thread; what is queued waits."""
        with self._device_lock:
            if self._closed:
                return
            self._away = True
            try:
                self._let_go()
                between()
                with contextlib.suppress(Fault):
                    self._open()
            finally:
                self._away = False

    def _open(self) -> None:
        sounddevice = self._sounddevice
        self._opened = time.monotonic()
        try:
            found = sounddevice.query_devices(self._device, "output")
            # A device that comes back is asked for the first rate: lines in flight were made for it.
            rate = self.rate or int(found["default_samplerate"])
            channels = min(2, int(found["max_output_channels"]))
            self._stream = sounddevice.OutputStream(
                samplerate=rate,
                blocksize=rate // _BLOCKS_PER_SECOND,
                device=self._device,
                channels=channels,
                dtype="float32",
                callback=self._fill,
            )
            self.rate, self._latency, self._called = rate, float(self._stream.latency), time.monotonic()
            self._stream.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            self._let_go()
            name = "default" if self._device is None else str(self._device)
            # PortAudio's explanations may span lines; a fault is one sentence.
            why = " ".join(str(error).split())
            raise Fault("no_loudspeaker", device=name, why=why) from error

    def _reopen(self) -> None:
        with self._device_lock:
            self._let_go()
            # What was said to nobody is not said again.
            self.stop()
            with contextlib.suppress(Fault):
                self._open()

    def _let_go(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.abort(ignore_errors=True)
            stream.close(ignore_errors=True)

    def _fill(self, out: NDArray[np.float32], frames: int, moment: Any, _status: Any) -> None:
        """Hand the device its next frames; runs on PortAudio's thread."""
        now = time.monotonic()
        with self._lock:
            filled = 0
            while filled < frames and self._queue:
                head = self._queue[0]
                count = min(frames - filled, len(head))
                out[filled : filled + count] = head[:count, np.newaxis]
                filled += count
                if count == len(head):
                    self._queue.popleft()
                else:
                    self._queue[0] = head[count:]
            out[filled:] = 0.0
            self._bed.mix_into(out, self.rate)
            self._called = now
            if filled:
                self._silent_from = now + self._delay(moment) + filled / self.rate

    def _delay(self, moment: Any) -> float:
        """Return the seconds until the frames asked for now are heard."""
        ahead = float(moment.outputBufferDacTime - moment.currentTime)
        # Some host interfaces leave these times at zero.
        return ahead if 0.0 < ahead < _BELIEVABLE_LATENCY else self._latency


def _portaudio() -> Any:
    """Import sounddevice, which needs a library of the system."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise Fault("no_portaudio") from error
    return sounddevice
