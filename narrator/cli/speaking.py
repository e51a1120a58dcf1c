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
from narrator.table.settings import Settings


def voices_for(pack: VoicePack, option: str | None, settings: Settings) -> tuple[SpokenBy, ...]:
    """The recorded voices of a table: that of ``--voice`` speaks first, or else that of the settings.

    The option's must be there: ``Fault("no_such_voice")``. The settings' may have been chosen with another
    pack: where this one lacks it, that is said, and the pack's first one speaks.
    """
    if option is not None:
        return open_voices(pack, option, settings.own_voice)
    voices = if_possible(lambda: open_voices(pack, settings.voice, settings.own_voice))
    return open_voices(pack, None, settings.own_voice) if voices is None else voices


def open_voices(pack: VoicePack, first: str | None, own: Path | None = None) -> tuple[SpokenBy, ...]:
    """The recorded voices of a pack, its own or lent, in a circle that begins with the one asked for.

    ``first`` is an id or the folder of a host's own recordings; ``Fault("no_such_voice")`` when it isn't
    there. Those in the folder ``own``, if there are any, are one of the voices too. What can't be read
    otherwise is said and left out. A neural synthesiser speaks alone, unless a voice is asked for.
    """
    if first is None and pack.engine.kind is not Kind.ESPEAK:
        return ()
    found = voices_of(pack)
    asked = own_folder(pack, first)
    if asked is None and first is not None and first not in found:
        raise Fault("no_such_voice", voice=first, voices=", ".join(found) or "-")
    for folder in (asked, own):
        if folder is not None and (folder / INDEX).is_file():
            found[str(folder)] = partial(RecordedVoice, folder, str(folder))
    circle = list(found)
    begins = 0 if first is None else circle.index(first if asked is None else str(asked))
    opened = (if_possible(found[voice]) for voice in (*circle[begins:], *circle[:begins]))
    return tuple(voice for voice in opened if voice is not None)


def own_folder(pack: VoicePack, asked: str | None) -> Path | None:
    """The folder of a host's own recordings, if it is that, and no voice of the pack, that is asked for."""
    if asked is None or asked in voices_of(pack):
        return None
    try:
        folder = Path(asked).expanduser().absolute()
    except RuntimeError:
        return None  # ~somebody, who has no home here
    return folder if (folder / INDEX).is_file() else None


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
