"""Speaks a clip faster or slower at the same pitch, by overlapping it with itself (WSOLA)."""

from __future__ import annotations

import numpy as np

from narrator.mouth.clips import Clip

_FRAME_SECONDS = 0.03
_SEARCH_SECONDS = 0.008
_STEP = 1.1
_SLOWEST, _FASTEST = 0.5, 2.0
# Nobody hears less than this.
_LEAST = 0.01


def tempo_of(step: int, beside: float = 1.0) -> float:
    """Return the tempo that is ``step`` steps of a tenth faster, times another; never beyond 0.5 to 2."""
    return min(max(beside * _STEP**step, _SLOWEST), _FASTEST)


def at_tempo(clip: Clip, tempo: float) -> Clip:
    """Return the clip at ``tempo`` times its rate of speaking, 0.5 to 2; the same clip when close to 1."""
    if not _SLOWEST <= tempo <= _FASTEST:
        raise ValueError(f"tempo {tempo}")
    step = round(_FRAME_SECONDS * clip.rate) // 2
    frame, search = 2 * step, round(_SEARCH_SECONDS * clip.rate)
    if abs(tempo - 1) < _LEAST or len(clip.samples) < 2 * frame:
        return clip
    count = int(len(clip.samples) / tempo / step)
    source = np.concatenate(
        [np.zeros(search, np.float32), clip.samples, np.zeros(frame + step + 2 * search, np.float32)]
    )
    window = np.hanning(frame + 1)[:-1].astype(np.float32)
    made = np.zeros((count + 1) * step, dtype=np.float32)
    taken = search
    for number in range(count):
        wanted = search + round(number * step * tempo)
        # What would have followed the last frame is what the next one should look like.
        follows = source[taken + step : taken + step + frame]
        around = source[wanted - search : wanted + search + frame]
        best = int(np.argmax(np.correlate(around, follows, "valid"))) if number else search
        taken = wanted - search + best
        made[number * step : number * step + frame] += source[taken : taken + frame] * window
    # The first half frame has nothing before it to overlap with: it is taken as it was.
    made[:step] = source[search : search + step]
    return Clip(made, clip.rate)
