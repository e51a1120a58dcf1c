"""The mouth of a table: recorded voices first, a synthesiser on standby for what they lack."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from narrator.cli.edges import if_possible
from narrator.cli.parts import prepare_with_progress
from narrator.faults import Fault
from narrator.mouth.clips import ClipCache
from narrator.mouth.recorded import RecordedVoice, recorded_voices, voice_of
from narrator.mouth.speech import Mouth
from narrator.mouth.standby import StandbyRenderer
from narrator.mouth.voicepack import VoicePack


def open_voices(folder: Path, first: str | None) -> tuple[RecordedVoice, ...]:
    """The recorded voices of a locale's ``folder``, the one asked for first.

    ``Fault("no_such_voice")`` when that isn't there; what can't be read otherwise is said and left out.
    """
    found = recorded_voices(folder)
    if first is not None and first not in found:
        raise Fault("no_such_voice", voice=first, voices=", ".join(found) or "-")
    ordered = sorted(found, key=lambda voice: voice != first)
    opened = (if_possible(partial(voice_of, folder, voice)) for voice in ordered)
    return tuple(voice for voice in opened if voice is not None)


def open_mouth(
    stack: ExitStack,
    pack: VoicePack,
    voices: tuple[RecordedVoice, ...],
    rate: int,
    told: Callable[[Fault], None],
) -> Mouth:
    """The mouth for a loudspeaker of ``rate`` Hz; without any recorded voice everything is rendered now."""
    renderer = stack.enter_context(closing(StandbyRenderer(told)))
    mouth = Mouth(pack, renderer, ClipCache(), rate, voices, told)
    if not voices:
        prepare_with_progress(mouth, pack.every_segment())
    return mouth
