"""Are a voice's recorded clips complete, whole, and made as they would be now?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from narrator.faults import Fault
from narrator.messages import message
from narrator.mouth.reading import Readings
from narrator.mouth.recipes import Carrier, engine_recipe, recipe
from narrator.mouth.recorded import RecordedVoice, recorded_voices, voice_of
from narrator.mouth.voicepack import VoicePack
from narrator.table.findings import Finding, State
from narrator.table.takescheck import load_voices, voices_file


def clips_of(pack: VoicePack) -> Iterator[Finding]:
    """Look at every recorded voice of a pack, its own or lent."""
    folder, lender = pack.file.parent, pack.lender_folder
    own = recorded_voices(folder)
    lent = recorded_voices(lender) if lender is not None else ()
    if not own and not lent:
        yield Finding("clips", State.NOTE, message("voices_none_recorded", folder=folder))
    said = pack.every_segment()
    for voice in sorted({*own, *lent}):
        try:
            borrowed = voice_of(lender, voice) if lender is not None and voice in lent else None
            recorded = voice_of(folder, voice) if voice in own else None
        except Fault as fault:
            yield Finding("clips", State.WRONG, message(fault.key, **fault.params))
            continue
        yield from clip_findings(voice, said, recorded, borrowed, pack.lent)
        if recorded is not None:
            yield from stale_findings(pack, recorded)


def clip_findings(
    voice: str,
    said: Iterable[str],
    own: RecordedVoice | None,
    lender: RecordedVoice | None = None,
    lent: Callable[[str], str] = str,
) -> Iterator[Finding]:
    """How a voice's clips are: how many are there, which are damaged, and which nobody says any more."""
    said = list(said)
    takes = own.takes if own is not None else {}
    borrowed = [text for text in said if text not in takes and lender is not None and lent(text) in lender]
    missing = len(said) - len(borrowed) - sum(text in takes for text in said)
    figures = {"voice": voice, "count": len(said), "missing": missing, "lent": len(borrowed)}
    key = "voices_clips_lack" if missing else "voices_clips_fine"
    yield Finding("clips", State.NOTE if missing else State.FINE, message(key, **figures))
    if own is None:
        return
    left_over = takes.keys() - set(said)
    if left_over:
        text = message("voices_clips_left_over", folder=own.folder, count=len(left_over), text=min(left_over))
        yield Finding("clips", State.NOTE, text)
    for text in takes:
        try:
            own.checked(text)
        except Fault as fault:
            yield Finding("clips", State.WRONG, message(fault.key, **fault.params))


def stale_findings(pack: VoicePack, own: RecordedVoice) -> Iterator[Finding]:
    """Which clips of a synthesised voice were made by another reading, voice or format than now.

    A voice that isn't in ``voices.toml``, such as a host's own, has no recipe to compare with.
    """
    try:
        settings, readings = load_voices(voices_file(pack)).get(own.id), Readings.load(pack.readings_file)
    except (OSError, ValueError):
        return  # what is wrong with these files is told as a part of its own
    if settings is None:
        return
    if not _has_jieba():
        yield Finding("clips", State.NOTE, message("voices_clips_age_unknown", voice=own.id))
        return
    engine, carrier = engine_recipe(settings), Carrier.of(settings)
    known, _unreadable = readings.read_all(own.takes, pack.lent)
    wanted = {text: recipe(engine, reading, carrier) for text, reading in known.items()}
    stale = [text for text, made in wanted.items() if own.takes[text].recipe != made]
    if stale:
        figures = {"folder": own.folder, "count": len(stale), "text": stale[0]}
        yield Finding("clips", State.WRONG, message("voices_clips_stale", **figures))


def _has_jieba() -> bool:
    try:
        import jieba  # noqa: F401
    except ImportError:
        return False
    return True
