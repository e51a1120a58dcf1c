"""Toned pinyin in the phonetic writing of Kokoro, the synthesiser."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.mouth.reading import Stretch
from narrator.pinyin import parts

# Where the tone's mark stands is written as 0.
_INITIALS = {
    **{"zh": "ꭧ", "ch": "ꭧʰ", "sh": "ʂ", "r": "ɻ", "z": "ʦ", "c": "ʦʰ", "s": "s", "j": "ʨ", "q": "ʨʰ"},
    **{"x": "ɕ", "h": "x", "": ""},
    **{"b": "p", "p": "pʰ", "m": "m", "f": "f", "d": "t", "t": "tʰ", "n": "n", "l": "l", "g": "k", "k": "kʰ"},
}
_FINALS = {
    **{"a": "a0", "ai": "ai0", "an": "a0n", "ang": "a0ŋ", "ao": "au0", "e": "ɤ0", "ei": "ei0", "en": "ə0n"},
    **{"eng": "ə0ŋ", "i": "i0", "ia": "ja0", "ian": "jɛ0n", "iang": "ja0ŋ", "iao": "jau0", "ie": "je0"},
    **{"in": "i0n", "iu": "jou0", "ing": "i0ŋ", "iong": "jʊ0ŋ", "ong": "ʊ0ŋ", "ou": "ou0", "u": "u0"},
    **{"ui": "wei0", "ua": "wa0", "uai": "wai0", "uan": "wa0n", "un": "wə0n", "uang": "wa0ŋ", "ueng": "wə0ŋ"},
    **{"uo": "wo0", "o": "wo0", "v": "y0", "ve": "ɥe0", "ue": "ɥe0", "van": "ɥɛ0n", "vn": "y0n"},
}
# Pinyin hides the final behind y and w; some syllables are nothing but it.
_WHOLE = {"er": "ɚ0", "o": "ɔ0", "yo": "wo0", "you": "jou0", "wei": "wei0", "wen": "wə0n", "weng": "wə0ŋ"}
_TONES = {"1": "→", "2": "↗", "3": "↓", "4": "↘", "5": ""}
_MARKS = str.maketrans({"，": ", ", "、": ", ", "：": ": ", "；": "; ", "。": ". ", "！": "! ", "？": "? "})


def ipa(syllable: str) -> str:
    """Return a toned syllable (``ü`` as ``v``, ``5`` the neutral tone); ``KeyError`` if there is no such one.

    >>> ipa("xue2"), ipa("zhi1"), ipa("yong4")
    ('ɕɥe↗', 'ꭧɨ→', 'jʊ↘ŋ')
    """
    sound, tone = syllable[:-1], syllable[-1]
    return (_WHOLE.get(sound) or _spelled(sound)).replace("0", _TONES[tone])


def phonemes(reading: Sequence[Stretch]) -> str:
    """Return a reading: a space between words, and its punctuation as the synthesiser knows it."""
    return "".join(
        " ".join("".join(map(ipa, word)) for word in stretch.words) + stretch.mark.translate(_MARKS)
        for stretch in reading
    ).strip()


def _spelled(sound: str) -> str:
    initial, final = parts(sound)
    if initial == "y":
        initial, final = "", "v" + final[1:] if final.startswith("u") else "i" + final.removeprefix("i")
    elif initial == "w":
        initial, final = "", "u" + final.removeprefix("u")
    elif initial in ("j", "q", "x") and final.startswith("u"):
        final = "v" + final[1:]
    elif initial in ("zh", "ch", "sh", "r", "z", "c", "s") and final == "i":
        return _INITIALS[initial] + "ɨ0"
    return _INITIALS[initial] + _FINALS[final]
