"""How Chinese text sounds: toneless pinyin, and how near two syllables are."""

from __future__ import annotations

from functools import lru_cache

NEAR_INITIALS = ({"zh", "z"}, {"ch", "c"}, {"sh", "s"}, {"l", "n"}, {"l", "r"}, {"f", "h"})
"""Initials that accents mix up."""

_READ_RIGHT = str.maketrans("著複", "着复")
"""Traditional characters that the dictionary reads wrong (接著, 重複), and those it reads right for them."""

_INITIALS = ("zh", "ch", "sh", *"bpmfdtnlgkhjqxrzcsyw")


@lru_cache(maxsize=4096)
def syllables(text: str) -> tuple[str, ...]:
    """Toneless pinyin of ``text``, one syllable per character, ``ü`` as ``v``; other text passes unchanged.

    >>> syllables("说完了")
    ('shuo', 'wan', 'le')
    >>> syllables("重複")
    ('chong', 'fu')
    """
    # Imported late: the dictionary costs a noticeable part of a second on a small computer.
    from pypinyin import Style, lazy_pinyin

    return tuple(lazy_pinyin(text.translate(_READ_RIGHT), style=Style.NORMAL, v_to_u=False))


@lru_cache(maxsize=1024)
def tone(character: str) -> int | None:
    """The tone (1 to 4) that one ``character`` is said in by itself; ``None`` for a neutral one or none.

    >>> tone("四"), tone("了")
    (4, None)
    """
    from pypinyin import Style, lazy_pinyin

    (said,) = lazy_pinyin(character.translate(_READ_RIGHT), style=Style.TONE3)
    return int(said[-1]) if said[-1] in "1234" else None


def distance(left: str, right: str) -> float:
    """0 for the same syllable, 0.5 for a usual accent's mix-up (z/zh, n/l, -n/-ng …), else 1."""
    if left == right:
        return 0.0
    left_initial, left_final = parts(left)
    right_initial, right_final = parts(right)
    initials = left_initial == right_initial or {left_initial, right_initial} in NEAR_INITIALS
    finals = left_final.removesuffix("g") == right_final.removesuffix("g")
    return 0.5 if initials and finals else 1.0


def edits(heard: tuple[str, ...], wanted: tuple[str, ...]) -> float:
    """Least cost of turning the syllables ``heard`` into ``wanted``; adding or losing one costs 1."""
    row = [float(index) for index in range(len(wanted) + 1)]
    for count, syllable in enumerate(heard, start=1):
        diagonal, row[0] = row[0], float(count)
        for index, target in enumerate(wanted, start=1):
            cost = min(diagonal + distance(syllable, target), row[index] + 1, row[index - 1] + 1)
            diagonal, row[index] = row[index], cost
    return row[-1]


def parts(syllable: str) -> tuple[str, str]:
    """A syllable's initial, which may be empty, and the rest of it."""
    initial = next((start for start in _INITIALS if syllable.startswith(start)), "")
    return initial, syllable[len(initial) :]
