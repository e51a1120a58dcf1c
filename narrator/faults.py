"""Faults a person can mend: each becomes one sentence (what, why, what to do) in the person's language."""

from __future__ import annotations


class Fault(Exception):  # noqa: N818 - the word people use
    """Something is wrong that the person at the keyboard can put right.

    ``key`` names a sentence in ``narrator/messages/*.toml``; ``params`` fill it. Commands print that
    sentence and leave with exit code 2.
    """

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(f"{key} {params}" if params else key)
        self.key = key
        self.params = params
