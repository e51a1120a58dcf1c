"""Clips of speech, and their store on disk."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import struct
import tempfile
import wave
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from narrator.mouth.voicepack import Voice

Samples = NDArray[np.float32]

# Raise it when clips are made differently (trimming, loudness), so that old ones are not used again.
_FORMAT = 2
_FULL_SCALE = 32767
_TRAILER = struct.Struct("<4sII")


@dataclass(frozen=True, eq=False, slots=True)
class Clip:
    """Mono sound: ``samples`` float32 of shape (n,) in -1..1 on the 16-bit grid, ``rate`` in Hz."""

    samples: Samples
    rate: int

    @property
    def seconds(self) -> float:
        """The length in seconds."""
        return len(self.samples) / self.rate


def on_grid(samples: Samples) -> Samples:
    """Round to 16-bit steps, so that a clip fresh from the renderer equals the one read back from disk."""
    steps = np.round(np.clip(samples, -1.0, 1.0) * _FULL_SCALE)
    return (steps / np.float32(_FULL_SCALE)).astype(np.float32)


def write_wav(clip: Clip) -> bytes:
    """Return the clip as a 16-bit mono WAV file."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(clip.rate)
        file.writeframes(np.round(clip.samples * _FULL_SCALE).astype("<i2").tobytes())
    return buffer.getvalue()


def read_wav(data: bytes) -> Clip:
    """Return the clip of a 16-bit mono WAV file; ``ValueError`` when it is anything else."""
    try:
        with wave.open(io.BytesIO(data), "rb") as file:
            frames = file.readframes(file.getnframes())
            if file.getnchannels() != 1 or file.getsampwidth() != 2 or len(frames) != 2 * file.getnframes():
                raise ValueError("not a whole 16-bit mono WAV file")
            rate = file.getframerate()
    except (wave.Error, EOFError) as error:
        raise ValueError(str(error)) from error
    steps = np.frombuffer(frames, dtype="<i2").astype(np.float32)
    return Clip(np.clip(steps / np.float32(_FULL_SCALE), -1.0, 1.0), rate)


class ClipCache:
    """Rendered clips on disk, one WAV file each, the least recently used thrown away beyond ``limit`` bytes.

    The disk may be full, read-only or damaged: then a clip is simply not there. A checksum after the
    sound tells a damaged file from a good one.
    """

    def __init__(self, folder: Path | None = None, limit: int = 200_000_000) -> None:
        self.folder = folder or Path(platformdirs.user_cache_dir("narrator")) / "clips"
        self._limit = limit
        self._size: int | None = None

    def has(self, text: str, voice: Voice) -> bool:
        """Whether a clip is stored, damaged or not."""
        return self._file(text, voice).is_file()

    def get(self, text: str, voice: Voice) -> Clip | None:
        """Return the stored clip, or ``None`` when there is none; a damaged file is removed."""
        file = self._file(text, voice)
        try:
            data = file.read_bytes()
        except OSError:
            return None
        try:
            clip = self._opened(data)
        except ValueError:
            self._remove(file, len(data))
            return None
        with contextlib.suppress(OSError):
            os.utime(file)
        return clip

    def put(self, text: str, voice: Voice, clip: Clip) -> None:
        """Store a clip whole or not at all."""
        data = write_wav(clip)
        data += _TRAILER.pack(b"crc ", 4, zlib.crc32(data))
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as part:
                    part.write(data)
                Path(name).replace(self._file(text, voice))
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise
            self._size = self._stored() if self._size is None else self._size + len(data)
            if self._size > self._limit:
                self._prune()

    def _file(self, text: str, voice: Voice) -> Path:
        key = f"{_FORMAT}\n{voice.id}\n{voice.rate}\n{voice.pitch}\n{voice.volume}\n{text}"
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()}.wav"

    def _opened(self, data: bytes) -> Clip:
        sound, trailer = data[: -_TRAILER.size], data[-_TRAILER.size :]
        if trailer != _TRAILER.pack(b"crc ", 4, zlib.crc32(sound)):
            raise ValueError("checksum")
        return read_wav(sound)

    def _files(self) -> list[tuple[float, int, Path]]:
        """Return (last used, size, file) of everything stored, oldest first."""
        found = []
        with contextlib.suppress(OSError):
            for file in self.folder.iterdir():
                with contextlib.suppress(OSError):
                    status = file.stat()
                    found.append((status.st_mtime, status.st_size, file))
        return sorted(found)

    def _stored(self) -> int:
        """Return the bytes of everything stored; it is listed for the first new clip, not at every start."""
        return sum(size for _used, size, _file in self._files())

    def _prune(self) -> None:
        files = self._files()
        self._size = sum(size for _used, size, _file in files)
        for _used, size, file in files:
            # A tenth is freed at a time, so that a full store isn't listed again for every new clip.
            if self._size <= self._limit * 0.9:
                break
            self._remove(file, size)

    def _remove(self, file: Path, size: int) -> None:
        with contextlib.suppress(OSError):
            file.unlink()
            if self._size is not None:
                self._size -= size
