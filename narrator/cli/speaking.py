"""The mouth of a table: recorded voices first, a synthesiser on standby for what they lack."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from threading import Thread

from narrator.cli.edges import if_possible
from narrator.faults import Fault
from narrator.mouth.clips import ClipCache
from narrator.mouth.engines import Kind
from narrator.mouth.recorded import INDEX, BorrowingVoice, RecordedVoice, SpokenBy, recorded_voices, voice_of
from narrator.mouth.speech import Mouth
from narrator.mouth.standby import StandbyRenderer
from narrator.mouth.voicepack import VoicePack


def open_voices(pack: VoicePack, first: str | None) -> tuple[SpokenBy, ...]:
    """The recorded voices of a pack, its own or lent, the one asked for first.

    ``first`` is an id or the folder of a host's own recordings; ``Fault("no_such_voice")`` when it isn't
    there. What can't be read otherwise is said and left out. A neural synthesiser speaks alone, unless a
    voice is asked for.
    """
    if first is None and pack.engine.kind is not Kind.ESPEAK:
        return ()
    found = voices_of(pack)
    if first is not None and first not in found:
        own = Path(first).expanduser()
        if not (own / INDEX).is_file():
            raise Fault("no_such_voice", voice=first, voices=", ".join(found) or "-")
        found = {first: lambda: RecordedVoice(own), **found}
    ordered = sorted(found, key=lambda voice: voice != first)
    opened = (if_possible(found[voice]) for voice in ordered)
    return tuple(voice for voice in opened if voice is not None)


def voices_of(pack: VoicePack) -> dict[str, Callable[[], SpokenBy]]:
    """How to open each recorded voice of a pack, by id: its own ones, and those that its lender lends."""
    folder, lender = pack.file.parent, pack.lender_folder
    own = recorded_voices(folder)
    lent = recorded_voices(lender) if lender is not None else ()

    def borrowing(voice: str) -> SpokenBy:
        assert lender is not None
        return BorrowingVoice(
            voice_of(lender, voice), pack.lent, voice_of(folder, voice) if voice in own else None
        )

    return {
        voice: partial(borrowing, voice) if voice in lent else partial(voice_of, folder, voice)
        for voice in sorted({*own, *lent})
    }


def open_mouth(
    stack: ExitStack,
    pack: VoicePack,
    voices: tuple[SpokenBy, ...],
    rate: int,
    told: Callable[[Fault], None],
    tempo: int = 0,
) -> Mouth:
    """The mouth for a loudspeaker of ``rate`` Hz, speaking ``tempo`` steps faster than recorded.

    Without any recorded voice everything is rendered ahead of its turn, in the background, what games say
    most often first; a line that is said meanwhile needn't wait behind all of it.
    """
    renderer = stack.enter_context(closing(StandbyRenderer(told, engine=pack.engine)))
    mouth = Mouth(pack, renderer, ClipCache(), rate, voices, told)
    mouth.tempo_step = tempo
    prepare_ahead(mouth)
    return mouth


def prepare_ahead(mouth: Mouth) -> None:
    """Begin to render all that is said, in the background, unless a recorded voice has most of it."""
    if mouth.recorded is None:
        Thread(target=_prepare, args=(mouth,), name="preparing", daemon=True).start()


def _prepare(mouth: Mouth) -> None:
    # Imported late, and counted here: both take a while.
    from narrator.rehearsal.census import segments_heard

    heard = segments_heard(mouth.pack, games=1)
    mouth.prepare(sorted(mouth.pack.every_segment(), key=lambda text: -heard[text]))
