"""Whole numbers as words, from the voice pack's own list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Numerals:
    """The number words of a voice pack: 0, 1, 2, ... at least to ten, and those that differ in counting."""

    words: tuple[str, ...]
    differing: Mapping[int, str]
    hundred: str = ""

    def plain(self, number: int) -> str:
        """Return the number as it names something: 二号, 第十二夜."""
        if number < 0:
            return str(number)
        if number < len(self.words):
            return self.words[number]
        if number < 100:
            tens, units = divmod(number, 10)
            return (
                (self.words[tens] if tens > 1 else "") + self.words[10] + (self.words[units] if units else "")
            )
        if number < 1000 and self.hundred:
            return self._hundreds(number)
        return self.digits(number)

    def counting(self, number: int) -> str:
        """Return the number as it counts something: 两票, 十二个."""
        return self.differing.get(number) or self.plain(number)

    def digits(self, number: int) -> str:
        """Return the number spelt digit by digit."""
        return "".join(self.words[int(digit)] if digit.isdecimal() else digit for digit in str(number))

    def _hundreds(self, number: int) -> str:
        hundreds, rest = divmod(number, 100)
        head = self.words[hundreds] + self.hundred
        if not rest:
            return head
        if rest < 10:
            return head + self.words[0] + self.words[rest]
        # After a hundred the ten is counted too: 一百一十二, not 一百十二.
        return head + (self.words[1] if rest < 20 else "") + self.plain(rest)
