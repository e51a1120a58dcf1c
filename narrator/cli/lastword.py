"""The last word of a speaker that can't even begin: what is wrong, said aloud, as nobody looks at its log."""

from __future__ import annotations

import os
import time
import tomllib
import zlib
from contextlib import closing
from pathlib import Path

from narrator.faults import Fault
from narrator.mouth.clips import Clip
from narrator.mouth.loudspeaker import Loudspeaker, SoundDeviceLoudspeaker
from narrator.mouth.renderer import Renderer, RenderFailed
from narrator.mouth.speech import resampled
from narrator.mouth.voicepack import Voice
from narrator.mouth.volume import at_volume
from narrator.resources import data_folder, voices_folder
from narrator.table.devices import look_again, quiet_alsa
from narrator.table.settings import Settings, load_settings

FILE = "faults.toml"
"""What is said, beside the lines of the locale that has everything."""

QUIET_SECONDS = 600.0
"""The same sentence is not said again for so long, however often whoever supervises the speaker starts it."""

POWER_ON_SECONDS = 90.0
"""Since the system's start: until then a sound card may still come, and a loudspeaker is waited for."""

RETRY_SECONDS = 3.0
_LONGEST_SECONDS = 30.0
_STEP_SECONDS = 0.05


def sentences() -> dict[str, str]:
    """What is said for each fault; ``other`` for those that have nothing of their own."""
    found = tomllib.loads((voices_folder() / "zh-CN" / FILE).read_text(encoding="utf-8"))
    return {key: str(sentence) for key, sentence in found.items()}


def sentence_for(fault: Fault) -> str:
    """What is said for this one; a family of faults (``impossible_…``) may share a sentence."""
    known = sentences()
    return known.get(fault.key) or known.get(fault.key.partition("_")[0]) or known["other"]


def say_last_word(fault: Fault) -> None:
    """Say it, unless it was said a moment ago; never raises: there may be nothing to say it with."""
    try:
        sentence = sentence_for(fault)
        if not _said_lately(sentence):
            _say(sentence, _settings())
            _note(sentence)
    except (Fault, RenderFailed, OSError, ValueError, KeyError):
        pass  # it has been printed, and one fault is enough


def _say(sentence: str, settings: Settings) -> None:
    with closing(_loudspeaker(settings)) as loudspeaker:
        clip = _rendered(sentence)
        loudspeaker.play(at_volume(resampled(clip, loudspeaker.rate), loudspeaker.rate, settings.volume))
        until = time.monotonic() + _LONGEST_SECONDS
        while loudspeaker.playing and time.monotonic() < until:
            time.sleep(_STEP_SECONDS)
            loudspeaker.advance(_STEP_SECONDS)


def _rendered(sentence: str) -> Clip:
    # espeak-ng whatever the settings say: it needs no file that could be missing or broken.
    voice = Voice("cmn-latn-pinyin", pitch=45)
    with closing(Renderer()) as renderer:
        return renderer.render(sentence, voice.id, voice.rate, voice.pitch, voice.volume)


def _settings() -> Settings:
    """The settings, or those of a new speaker where they are what is wrong."""
    try:
        return load_settings()
    except (Fault, OSError):
        return Settings()


def _loudspeaker(settings: Settings) -> Loudspeaker:
    """The loudspeaker of the settings, or else any other, as soon as there is one."""
    while True:
        for name in dict.fromkeys((settings.loudspeaker, None)):
            try:
                with quiet_alsa():
                    return SoundDeviceLoudspeaker(name)
            except Fault as fault:
                missing = fault
        if missing.key == "no_portaudio" or time.monotonic() > POWER_ON_SECONDS:
            raise missing
        time.sleep(RETRY_SECONDS)
        look_again()


# What was said is noted in memory that is gone with the power, by a clock that counts from there: nothing has
# to be written to a disk that may be full, and it doesn't matter when a clock is set.


def note_file() -> Path:
    """Where it is noted what this speaker said last, and when."""
    whose = zlib.crc32(str(data_folder()).encode())
    return Path(f"/dev/shm/narrator-last-word-{os.getuid()}-{whose:08x}")


def _said_lately(sentence: str) -> bool:
    try:
        with os.fdopen(os.open(note_file(), os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8") as note:
            when, _, what = note.read().partition(" ")
        return what == sentence and 0 <= time.monotonic() - float(when) < QUIET_SECONDS
    except (OSError, ValueError):
        return False


def _note(sentence: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with os.fdopen(os.open(note_file(), flags, 0o600), "w", encoding="utf-8") as note:
        note.write(f"{time.monotonic()} {sentence}")
