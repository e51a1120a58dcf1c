"""The figures of a recorded voice."""

from __future__ import annotations

import numpy as np

from narrator.mouth.levels import LOUDNESS, audible
from narrator.mouth.loudness import loudness
from narrator.mouth.takes import RATE, decoded
from voice_build.recording import Recording


def report(voice: str, recording: Recording, limit: float) -> str:
    """Return the figures as lines of text: size, loudness, what was misheard."""
    entries = recording.pack.entries
    files = [data for text in entries if (data := recording.pack.read(text)) is not None]
    if not files:
        return f"{voice}: no clips"
    clips = [decoded(data) for data in files]
    loud = np.array([loudness(clip.samples, clip.rate) for clip in clips]) - LOUDNESS
    seconds = sum(clip.seconds for clip in clips)
    leads = [audible(clip.samples) for clip in clips]
    lead = max(start for start, _end in leads) / RATE
    tail = max((len(clip.samples) - end) / RATE for clip, (_start, end) in zip(clips, leads, strict=True))
    heard = [entry.astray for entry in entries.values() if entry.astray is not None]
    lines = [
        f"{voice}: {len(files)} clips, {seconds:.0f} s, {sum(map(len, files)) / 1e6:.2f} MB, "
        f"missing {len(set(recording.readings) - set(entries))}",
        f"  loudness {LOUDNESS:.0f} LUFS {loud.min():+.2f} to {loud.max():+.2f} LU; "
        f"longest lead {lead * 1000:.0f} ms, tail {tail * 1000:.0f} ms",
    ]
    if heard:
        passed = sum(share <= limit for share in heard)
        lines.append(
            f"  listened to {len(heard)}, of which {passed / len(heard):.1%} pass (at most {limit:.0%} "
            f"of the syllables astray); astray on average {np.mean(heard):.1%}; "
            f"taken again {sum(entry.speed != 1.0 for entry in entries.values())}"
        )
        lines += [f"  misheard: {text} ({share:.0%})" for text, share in recording.misheard(limit)]
    return "\n".join(lines)
