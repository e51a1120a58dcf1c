"""The sounds the model tells apart: toneless syllables, their phones, and the states of the network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

SILENCE = "SIL"
UNKNOWN = "SPN"

# A syllable without a consonant begins with a glide or with a glottal onset; each is a sound of its own,
# because a single "nothing" would have to stand for the beginnings of 一, 五, 月 and 二 alike.
GLIDES = {"i": "^y", "u": "^w", "v": "^v"}
ONSET = "^"

INITIALS = (
    *("b", "p", "m", "f", "d", "t", "n", "l", "g", "k", "h", "j", "q", "x"),
    *("zh", "ch", "sh", "r", "z", "c", "s"),
    *GLIDES.values(),
    ONSET,
)

FINALS = (
    *("a", "ai", "an", "ang", "ao", "e", "ei", "en", "eng", "er"),
    *("i", "ia", "ian", "iang", "iao", "ie", "ii", "iii", "in", "ing", "iong", "iou"),
    *("ong", "ou", "u", "ua", "uai", "uan", "uang", "uei", "uen", "ueng", "uo"),
    *("v", "van", "ve", "vn"),
)

PHONES = (SILENCE, *INITIALS, *FINALS)
"""Every phone but the unknown one; phone numbers in the model start at 1 in this order."""

FINAL_STATES = 3

_WITHOUT_CONSONANT = {
    "yi": "i", "ya": "ia", "yo": "iou", "ye": "ie", "yao": "iao", "you": "iou", "yan": "ian", "yin": "in",
    "yang": "iang", "ying": "ing", "yong": "iong", "yai": "ia", "yu": "v", "yue": "ve", "yuan": "van",
    "yun": "vn", "wu": "u", "wa": "ua", "wo": "uo", "wai": "uai", "wei": "uei", "wan": "uan", "wen": "uen",
    "wang": "uang", "weng": "ueng", "o": "uo",
}  # fmt: skip
_OPEN = ("a", "ai", "an", "ang", "ao", "e", "ei", "en", "eng", "er", "ou")
_SHORTENED = {"ui": "uei", "iu": "iou", "un": "uen", "o": "uo", "ue": "ve"}
_CONSONANTS = ("zh", "ch", "sh", *"bpmfdtnlgkhjqxrzcs")


@dataclass(frozen=True, slots=True)
class State:
    """One state of one phone; its position in ``STATES`` is the network's output for it."""

    phone: str
    index: int


STATES = tuple(
    State(phone, index) for phone in PHONES for index in range(FINAL_STATES if phone in FINALS else 1)
)
"""The network's outputs, in order; the first one is silence."""

FIRST_STATE = {phone: next(n for n, state in enumerate(STATES) if state.phone == phone) for phone in PHONES}


@lru_cache(maxsize=4096)
def split(syllable: str) -> tuple[str, str] | None:
    """Initial and final of a toneless pinyin ``syllable`` (ü as ``v``); ``None`` if it is no such syllable.

    >>> split("guo"), split("yi"), split("er"), split("shi")
    (('g', 'uo'), ('^y', 'i'), ('^', 'er'), ('sh', 'iii'))
    """
    if syllable in _WITHOUT_CONSONANT or syllable in _OPEN:
        final = _WITHOUT_CONSONANT.get(syllable, syllable)
        return GLIDES.get(final[0], ONSET), final
    consonant = next((start for start in _CONSONANTS if syllable.startswith(start)), None)
    if consonant is None:
        return None
    final = syllable[len(consonant) :]
    if consonant in ("j", "q", "x") and final.startswith("u"):
        final = "v" + final[1:]
    elif consonant in ("zh", "ch", "sh", "r") and final == "i":
        final = "iii"
    elif consonant in ("z", "c", "s") and final == "i":
        final = "ii"
    final = _SHORTENED.get(final, final)
    return (consonant, final) if final in FINALS and final != "er" else None


@lru_cache(maxsize=4096)
def states(syllable: str) -> tuple[int, ...]:
    """The network's outputs that ``syllable`` passes through; raises ``ValueError`` for no syllable."""
    parts = split(syllable)
    if parts is None:
        raise ValueError(f"not a Mandarin syllable: {syllable!r}")
    initial, final = parts
    start = FIRST_STATE[final]
    return (FIRST_STATE[initial], *range(start, start + FINAL_STATES))


def toneless(syllable: str) -> str:
    """``syllable`` without its tone digit.

    >>> toneless("lv4")
    'lv'
    """
    return syllable.rstrip("012345")
