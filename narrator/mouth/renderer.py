"""The renderer: text to clip through a worker process that may hang or die without harm."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from narrator.mouth.clips import Clip, read_wav
from narrator.mouth.engines import Engine
from narrator.mouth.levels import evened
from narrator.mouth.wire import decode, encode

VOICE = "cmn-latn-pinyin"
_IMPORTS = str(Path(__file__).parents[2])
_MEMORY = "/dev/shm"


def _memory() -> str | None:
    """A folder in memory, where there is one: clips pass through it also when the disk is full."""
    return _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) else None


class RenderFailed(Exception):  # noqa: N818 - it names what happened, as the game goes on regardless
    """A clip could not be made (in time); say the line in print and go on."""


class _WorkerGone(Exception):  # noqa: N818
    """The worker ended before it answered."""


class _WorkerLate(Exception):  # noqa: N818
    """The worker did not answer in time."""


class Renderer:
    """Renders one text at a time through a synthesiser: pyttsx3, or the neural ``engine``.

    ``limit`` is the longest a clip may take in seconds, ``start_limit`` the longest a worker may take to
    warm up. A worker that overruns is killed, its clip fails, and the next clip gets a new worker; a worker
    that died on its own is replaced and asked once more. Safe to use from several threads.
    """

    def __init__(self, limit: float = 10.0, start_limit: float = 30.0, engine: Engine | None = None) -> None:
        self._engine = engine or Engine()
        self._limit = limit
        self._start_limit = start_limit
        self._turn = threading.Lock()
        self._worker: _Worker | None = None
        self._closed = False
        self._folder = tempfile.TemporaryDirectory(prefix="narrator-", dir=_memory())
        self._queue = ThreadPoolExecutor(max_workers=1, thread_name_prefix="renderer")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def worker_pid(self) -> int | None:
        """The process id of the running worker."""
        worker = self._worker
        return worker.pid if worker is not None and worker.alive else None

    def warm_up(self) -> None:
        """Start the worker now rather than at the first clip; raises ``RenderFailed``."""
        with self._turn:
            try:
                self._running()
            except (_WorkerGone, _WorkerLate) as error:
                self._drop()
                raise RenderFailed(str(error)) from error

    def render(
        self, text: str, voice: str = VOICE, rate: int = 165, pitch: int = 50, volume: float = 1.0
    ) -> Clip:
        """Return the spoken text, trimmed and evened out; blocks, raises ``RenderFailed``.

        ``voice`` is an espeak voice id, with a variant if wanted (``cmn-latn-pinyin+f3``); ``rate`` is in
        words a minute, ``pitch`` 0 to 100, ``volume`` 0 to 1 of the common loudness. A neural engine has its
        own voice and pitch.
        """
        if not text.strip() or "\0" in text:
            raise RenderFailed(f"nothing to say in {text!r}")
        with self._turn:
            path = Path(self._folder.name) / "clip.wav"
            request = {"text": text, "voice": voice, "rate": rate, "pitch": pitch, "path": str(path)}
            try:
                clip = self._file(request, path)
                # Once in some thousand times espeak ends an utterance before its first sample.
                clip = clip if len(clip.samples) else self._file(request, path)
                return evened(clip, volume)
            except (OSError, ValueError) as failure:
                raise RenderFailed(f"{text}: {failure}") from failure
            finally:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)

    def submit(
        self, text: str, voice: str = VOICE, rate: int = 165, pitch: int = 50, volume: float = 1.0
    ) -> Future[Clip]:
        """Render behind whatever was submitted before; the future raises ``RenderFailed``."""
        try:
            return self._queue.submit(self.render, text, voice, rate, pitch, volume)
        except RuntimeError as error:
            failed: Future[Clip] = Future()
            failed.set_exception(RenderFailed(str(error)))
            return failed

    def close(self) -> None:
        """Stop the worker and forget what is still waiting."""
        self._closed = True
        worker = self._worker
        if worker is not None:
            worker.kill()
        self._queue.shutdown(wait=True, cancel_futures=True)
        with self._turn:
            self._drop()
        self._folder.cleanup()

    def _file(self, request: dict[str, Any], path: Path) -> Clip:
        error = self._ask(request)
        if error:
            raise RenderFailed(error)
        return read_wav(path.read_bytes())

    def _ask(self, request: dict[str, Any]) -> str:
        for _attempt in range(2):
            try:
                return self._running().ask(request, self._limit)
            except _WorkerGone as error:
                self._drop()
                gone = error
            except _WorkerLate as error:
                self._drop()
                raise RenderFailed(str(error)) from error
        raise RenderFailed(str(gone)) from gone

    def _running(self) -> _Worker:
        if self._closed:
            raise RenderFailed("the renderer is closed")
        if self._worker is not None and not self._worker.alive:
            self._drop()
        if self._worker is None:
            self._worker = _Worker(self._engine)
            self._worker.wait_until_ready(self._start_limit)
        return self._worker

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker.forget()
            self._worker = None


class _Worker:
    """One worker process in a session of its own, so that it can be killed with its child."""

    def __init__(self, engine: Engine) -> None:
        # It must find this very package, wherever the program was started from.
        imports = os.pathsep.join(filter(None, [_IMPORTS, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "narrator.mouth.worker", *engine.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": imports},
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def wait_until_ready(self, limit: float) -> None:
        error = self._answer(limit)
        if error:
            raise RenderFailed(error)

    def ask(self, request: dict[str, Any], limit: float) -> str:
        """Return the worker's complaint, empty when the file is written."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(encode(request))
        except OSError as error:
            raise _WorkerGone(str(error)) from error
        return self._answer(limit)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def forget(self) -> None:
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _answer(self, limit: float) -> str:
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        deadline = time.monotonic() + limit

        def read(count: int) -> bytes:
            ready, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise _WorkerLate(f"no answer within {limit:g} s")
            return os.read(handle, count)

        answer = decode(read)
        if answer is None:
            raise _WorkerGone("the worker ended")
        return str(answer["error"])
