"""The worker process: text in, WAV file out, through a synthesiser and nothing else of the game.

Without an argument that is pyttsx3, else the neural engine that the argument tells of (``Engine.arguments``).
For pyttsx3 it stays warm with espeak loaded, and renders each text in a child of its own that makes a fresh
engine. So a clip never depends on the texts before it (espeak carries its voice's flutter from one
utterance into the next): the same request gives the same samples, every time. No engine exists when
the child is made, as one made before a fork would hang.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from narrator.mouth.wire import decode, encode

_NICENESS = 10

Render = Callable[[dict[str, Any]], str]
"""Makes the file that a request asks for; what went wrong comes back, empty for nothing."""


def render(text: str, path: Path, voice: str, rate: int, pitch: int) -> None:
    """Write the spoken text to a WAV file; once in a process. Raises what pyttsx3 only calls back with."""
    from pyttsx3.drivers import _espeak
    from pyttsx3.engine import Engine

    errors: list[Exception] = []
    engine = Engine("espeak")
    engine.connect("error", lambda name, exception: errors.append(exception))
    # The first loop of an engine returns at once, before any file exists: spend it on nothing.
    engine.runAndWait()
    # espeak takes properties on a thread of its own. Synthesis that starts before they have arrived
    # speaks with half of them and loses its beginning, now and then, without an error.
    _espeak.Synchronize()
    for name, value in (("voice", voice), ("rate", rate), ("pitch", pitch), ("volume", 1.0)):
        engine.setProperty(name, value)
    _espeak.Synchronize()
    if not errors:
        engine.save_to_file(text, str(path))
        engine.runAndWait()
    if errors:
        raise errors[0]


def _render_in_child(request: dict[str, Any]) -> str:
    """Render one request in a child process; return what went wrong, empty for nothing."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            render(
                request["text"], Path(request["path"]), request["voice"], request["rate"], request["pitch"]
            )
            status = 0
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}".encode()[:4000])
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        why = pipe.read().decode(errors="replace")
    _pid, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return why or (f"the synthesiser crashed ({code})" if code else "")


def _espeak() -> Render:
    import pyttsx3.drivers.espeak
    import pyttsx3.engine  # noqa: F401

    return _render_in_child


def _neural(argument: str) -> Render:
    from narrator.mouth.clips import Clip, on_grid, write_wav
    from narrator.mouth.engines import USUAL_RATE, Engine
    from narrator.mouth.neural import load

    # Most of what it renders is for later: whoever listens meanwhile comes first.
    os.nice(_NICENESS)
    speaker = load(Engine.of(argument))

    def render_here(request: dict[str, Any]) -> str:
        try:
            samples, rate = speaker.say(request["text"], request["rate"] / USUAL_RATE)
            Path(request["path"]).write_bytes(write_wav(Clip(on_grid(samples), rate)))
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return ""

    return render_here


def main() -> None:
    """Serve requests from standard input until it is closed."""
    answers = os.dup(1)
    # Synthesisers print to standard output, which must carry nothing but answers.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        rendered = _neural(sys.argv[1]) if len(sys.argv) > 1 else _espeak()
    except Exception as error:
        os.write(answers, encode({"error": f"{type(error).__name__}: {error}"}))
        sys.exit(1)
    os.write(answers, encode({"error": ""}))
    while (request := decode(lambda count: os.read(0, count))) is not None:
        os.write(answers, encode({"error": rendered(request)}))


if __name__ == "__main__":
    main()
