"""A table's own rules as its host says them in the lobby: one knob at a time."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.moderator.effects import Expect
from narrator.moderator.expectations import Kind
from narrator.moderator.ownrules import KEEP, REST
from narrator.rules.custom import Setting


class Wishes:
    """What the host wants changed; asked for once, then each knob is answered when its turn comes."""

    COMMAND = "own_rules"

    def __init__(self, settings: Mapping[str, Setting]) -> None:
        self._settings = dict(settings)
        self._told: set[str] = set()
        self._heard = False

    @property
    def untold(self) -> bool:
        """Nobody has been asked about a knob yet: the host has still to say that there are wishes."""
        return not self._heard

    def answer(self, expect: Expect) -> tuple[Kind, int | str]:
        """What the host answers to the question about a knob, the same however often it is asked."""
        self._heard = True
        knob = str(expect.params["knob"])
        if knob in self._settings:
            self._told.add(knob)
            return _said(expect, knob, self._settings[knob])
        # Once everything is changed, nobody wants to hear the other knobs.
        return Kind.CHOICE, KEEP if set(self._settings) - self._told else REST


def _said(expect: Expect, knob: str, setting: Setting) -> tuple[Kind, int | str]:
    choice = f"{knob}.{setting}"
    if choice in expect.expectation.choices:
        return Kind.CHOICE, choice
    if isinstance(setting, int) and expect.expectation.kind is Kind.COUNT:
        return Kind.COUNT, setting
    raise LookupError(f"{choice} can't be said, only typed or written")
