"""How a short text is read aloud: toned syllables as they change in speech, in groups between pauses."""

from __future__ import annotations

import re
from itertools import pairwise

_PAUSES = "，、：。！？；"
_PLAIN_AFTER = ("号", "")
"""After 一 in a number that names something, and at an end, it keeps its tone."""


def reading(text: str) -> tuple[tuple[str, ...], ...]:
    """``text`` as toned pinyin, one group between two pauses; ``ValueError`` for what isn't Mandarin.

    >>> reading("一票"), reading("不对，三号")
    ((('yi2', 'piao4'),), (('bu2', 'dui4'), ('san1', 'hao4')))
    """
    return tuple(_group(part) for part in re.split(f"[{_PAUSES}]", text) if part)


def _group(text: str) -> tuple[str, ...]:
    from pypinyin import Style, lazy_pinyin

    said = lazy_pinyin(text, style=Style.TONE3, neutral_tone_with_five=True, v_to_u=False, tone_sandhi=True)
    if len(said) != len(text) or any(syllable[-1] not in "12345" for syllable in said):
        raise ValueError(f"not Mandarin: {text!r}")
    tones = [*said, ""]
    for place, (character, following) in enumerate(pairwise([*text, ""])):
        if character == "一":
            said[place] = _one(text[:place], following, tones[place + 1])
    return tuple(said)


def _one(before: str, following: str, next_syllable: str) -> str:
    """一 by what surrounds it: first in rank or alone, between a doubled verb, or counting."""
    if following in _PLAIN_AFTER or before.endswith(("第", "十")):
        return "yi1"
    if before.endswith(following):
        return "yi5"
    return "yi2" if next_syllable[-1] in "45" else "yi4"
