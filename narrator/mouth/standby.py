"""A synthesiser on standby: nothing of it runs before the first text that nobody has recorded."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from narrator.faults import Fault
from narrator.mouth.clips import Clip
from narrator.mouth.engines import Engine, Kind
from narrator.mouth.renderer import Renderer, RenderFailed

# A neural network takes its time, above all on a small computer.
_NEURAL_SECONDS = 30.0
_NEURAL_START_SECONDS = 90.0


def started(engine: Engine) -> Renderer:
    """Return a renderer of the engine; ``Fault("engine_broken")`` when a neural one can't load its files."""
    if engine.kind is Kind.ESPEAK:
        return Renderer()
    renderer = Renderer(_NEURAL_SECONDS, _NEURAL_START_SECONDS, engine)
    try:
        renderer.warm_up()
    except RenderFailed as failure:
        renderer.close()
        why = " ".join(str(failure).split())
        raise Fault("engine_broken", engine=engine.kind.title(), file=engine.model, why=why) from failure
    return renderer


class StandbyRenderer:
    """Renders like ``Renderer``, whose process it starts when it is first asked for a clip.

    A synthesiser that is missing, broken, or whose voice isn't Chinese, is told once through ``told`` (from a
    thread of its own) and not tried again; every clip then fails with ``RenderFailed``.
    """

    def __init__(
        self,
        told: Callable[[Fault], None],
        start: Callable[[], Renderer] | None = None,
        check: Callable[[str], None] | None = None,
        engine: Engine | None = None,
    ) -> None:
        engine = engine or Engine()
        self._told = told
        self._start = start or partial(started, engine)
        self._check = check or engine.check
        self._renderer: Renderer | None = None
        self._useless = False
        # The voice's check takes longer than a tick of the table, so it isn't made on the table's thread.
        self._queue = ThreadPoolExecutor(max_workers=1, thread_name_prefix="standby")

    @property
    def worker_pid(self) -> int | None:
        """The process id of the synthesiser's process; ``None`` while there is none."""
        return self._renderer.worker_pid if self._renderer is not None else None

    def submit(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Future[Clip]:
        """Render behind whatever was submitted before; the future raises ``RenderFailed``."""
        try:
            return self._queue.submit(self._render, text, voice, rate, pitch, volume)
        except RuntimeError as error:
            failed: Future[Clip] = Future()
            failed.set_exception(RenderFailed(str(error)))
            return failed

    def close(self) -> None:
        """Stop the process, if any, and forget what is still waiting."""
        if self._renderer is not None:
            self._renderer.close()
        self._queue.shutdown(wait=True, cancel_futures=True)
        if self._renderer is not None:
            self._renderer.close()

    def _render(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Clip:
        if self._useless:
            raise RenderFailed("there is no synthesiser")
        if self._renderer is None:
            try:
                self._check(voice)
                self._renderer = self._start()
            except Fault as fault:
                self._useless = True
                self._told(fault)
                raise RenderFailed(str(fault)) from fault
        return self._renderer.render(text, voice, rate, pitch, volume)
