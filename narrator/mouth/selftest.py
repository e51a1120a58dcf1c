"""Does the synthesiser's voice really speak Chinese? Several that are listed don't."""

from __future__ import annotations

import subprocess

from narrator.faults import Fault

# Two words that sound different in every Chinese language. A voice that can't read them calls both
# "Chinese letter"; one that reads their spelling as English marks that with "(en)".
_WORDS = ("号", "票")


def check_voice(voice: str) -> None:
    """Raise ``Fault("voice_not_chinese", voice=)``, or ``Fault("no_espeak")`` when nobody can tell."""
    readings = [_phonemes(voice, word) for word in _WORDS]
    if None in readings or len(set(readings)) < len(_WORDS) or any("(en)" in (r or "") for r in readings):
        raise Fault("voice_not_chinese", voice=voice)


def _phonemes(voice: str, word: str) -> str | None:
    """Return how the voice pronounces the word, ``None`` when there is no such voice."""
    try:
        done = subprocess.run(
            ["espeak-ng", "-q", "-x", "-v", voice, word], capture_output=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Fault("no_espeak") from error
    return done.stdout.decode(errors="replace").strip() or None if done.returncode == 0 else None
