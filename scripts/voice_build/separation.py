"""How well listening back tells a clip's own text from wrong ones."""

from __future__ import annotations

import random

import numpy as np

from narrator.mouth.takes import decoded
from voice_build.listening import Listener, astray, sounds
from voice_build.recording import Recording

LIMITS = (0.2, 0.3, 0.4, 0.5, 0.6)


def separation(voice: str, recording: Recording, listener: Listener, seed: int = 1) -> str:
    """Return, as lines of text, what share of right and of wrong texts each limit lets pass.

    The wrong text of a clip is any other one with as many syllables, which may share some of them.
    """
    rng = random.Random(seed)
    wanted = {text: sounds(said) for text, said in recording.readings.items()}
    right, wrong, nearest = [], [], []
    for text, own in wanted.items():
        data = recording.pack.read(text)
        others = sorted({said for said in wanted.values() if len(said) == len(own) and said != own})
        if data is None or not others:
            continue
        heard = listener.heard(decoded(data))
        right.append(astray(heard, own))
        wrong.append(astray(heard, rng.choice(others)))
        nearest.append(min(astray(heard, other) for other in others) > right[-1])
    lines = [
        f"{voice}: {len(right)} clips; astray on average {np.mean(right):.1%} of their own texts, "
        f"{np.mean(wrong):.1%} of wrong ones; nearer to their own than to any other: {np.mean(nearest):.1%}"
    ]
    for limit in LIMITS:
        passed = [f"{np.mean(np.array(shares) <= limit):.1%}" for shares in (right, wrong)]
        lines.append(f"  limit {limit:.0%}: {passed[0]} of right texts pass, {passed[1]} of wrong ones")
    return "\n".join(lines)
