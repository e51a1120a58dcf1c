"""Tables' own rules: the knobs that change a ruleset, and the tables that can't be played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from narrator.faults import Fault
from narrator.rules.deals import Impossible, begin, deal_out
from narrator.rules.registry import KNOBS
from narrator.rules.roles import Side
from narrator.rules.ruleset import PEACEFUL, Ruleset

Setting = int | str
"""What a knob is set to: a number or a word."""

Knobs = Mapping[str, Setting]

KILLERS = "killers"
UNLIMITED = "unlimited"
PLURALITY = "plurality"
MOST_CARDS = 16
LONGEST_NUMBER = 9


@dataclass(frozen=True, slots=True)
class Knob:
    """Something a table may change.

    ``words`` are its named settings; numbers run from ``least`` to ``most``, or there are none.
    ``spoken`` are the numbers offered by voice where they are too many to choose freely. ``get`` reads
    the setting off a ruleset (for a number of players), ``turn`` gives the ruleset with another one.
    """

    name: str
    get: Callable[[Ruleset, int], Setting]
    turn: Callable[[Ruleset, Any], Ruleset]
    words: tuple[str, ...] = ()
    least: int | None = None
    most: int = 0
    spoken: tuple[int, ...] = ()

    def takes(self, setting: Setting) -> bool:
        """Whether the knob can be set so at all."""
        if isinstance(setting, str):
            return setting in self.words
        return self.least is not None and type(setting) is int and self.least <= setting <= self.most

    @property
    def range(self) -> str:
        """The settings it takes, for a person: ``all, none, 1–16``."""
        numbers = () if self.least is None else (f"{self.least}–{self.most}",)
        return ", ".join((*self.words, *numbers))


def customise(ruleset: Ruleset, knobs: Knobs, players: int | None = None) -> Ruleset:
    """The ruleset as a table plays it, its knobs turned on top of what was turned before.

    Only numbers of players that make a possible table are left. ``Fault("no_such_knob")`` for one that
    the ruleset doesn't offer, ``Fault("bad_knob")`` for a setting it doesn't take, and
    ``Fault("impossible_...")`` with the reason when ``players`` (or, without it, no number of players) can
    play it: more roles than players, no killers, killers already at parity, over before it begins.
    """
    base = ruleset.base or ruleset
    changes = {**dict(ruleset.changes), **knobs}
    for name, setting in knobs.items():
        _check(base, name, setting)
    if not changes:
        if players is not None:
            ruleset.deal(players)  # refuses a number that doesn't fit
        return ruleset
    # In the ruleset's own order: the same settings make the same game, however they were given.
    ordered = tuple((name, changes[name]) for name in base.knobs if name in changes)
    turned = replace(base, id=ruleset.id, name=ruleset.name, base=base, changes=ordered)
    for name, setting in ordered:
        turned = knob_of(base, name).turn(turned, setting)
    return _possible(turned, players)


def knob_of(ruleset: Ruleset, name: str) -> Knob:
    """The knob of that name; a role's name, or ``killers``, is the number of its cards."""
    if name in KNOBS:
        knob: Knob = KNOBS[name]
        own = knob.get(ruleset.base or ruleset, (ruleset.base or ruleset).most)
        # What a ruleset has by itself can always be gone back to.
        return knob if knob.takes(own) else replace(knob, words=(str(own), *knob.words))
    return _cards_of(name, role_of(ruleset, name))


def role_of(ruleset: Ruleset, name: str) -> str:
    """The role whose cards a knob counts: ``killers`` is whichever role plays for their side."""
    return ruleset.roles_of(Side.KILLERS)[0] if name == KILLERS else name


def setting_of(ruleset: Ruleset, name: str, players: int) -> Setting:
    """How a knob is set at a table of so many."""
    return knob_of(ruleset, name).get(ruleset, players)


def parse(text: str) -> tuple[str, Setting]:
    """``killers=3`` as a knob and its setting; ``Fault("bad_setting")`` when it has another shape."""
    name, equals, given = (part.strip() for part in text.partition("="))
    if not name or not equals or not given:
        raise Fault("bad_setting", text=text)
    number = given.isascii() and given.isdecimal() and len(given) <= LONGEST_NUMBER
    return name, int(given) if number else given


def written(knobs: Iterable[tuple[str, Setting]]) -> tuple[str, ...]:
    """Knobs as ``parse`` reads them, one text each."""
    return tuple(f"{name}={setting}" for name, setting in knobs)


def _check(base: Ruleset, name: str, setting: Setting) -> None:
    if name not in base.knobs:
        raise Fault("no_such_knob", knob=name, ruleset=base.id, known=", ".join(base.knobs) or "–")
    knob = knob_of(base, name)
    if not knob.takes(setting):
        raise Fault("bad_knob", knob=name, setting=setting, known=knob.range)


def _possible(turned: Ruleset, players: int | None) -> Ruleset:
    """Keep the numbers of players that make a game; the reason against the wanted (or last) one is raised."""
    deals: dict[int, Mapping[str, int]] = {}
    against: Impossible | None = None
    latest: Impossible | None = None
    for number, dealt in turned.deals.items():
        specials = {role: count for role, count in dealt.items() if role != "civilian" and count}
        try:
            deals[number] = deal_out(number, specials, turned.sides)
            begin(number, deals[number], turned.victory)
        except Impossible as impossible:
            deals.pop(number, None)
            latest = impossible
            if players in (None, number):
                against = impossible
    if not deals:
        against = against or latest
    if against is not None and (players is not None or not deals):
        raise Fault(f"impossible_{against.reason}", **against.params)
    woken = {role for dealt in deals.values() for role in dealt}
    night = tuple(step for step in turned.night if step.role in woken)
    sides = {role: side for role, side in turned.sides.items() if role in woken}
    fit = replace(turned, deals=deals, fewest=min(deals), most=max(deals), night=night, sides=sides)
    if players is not None:
        fit.deal(players)  # refuses a number that even the base doesn't have
    return fit


def _cards_of(name: str, role: str) -> Knob:
    def get(chosen: Ruleset, players: int) -> int:
        return chosen.deal(players).get(role, 0)

    def turn(chosen: Ruleset, count: int) -> Ruleset:
        deals = {number: {**dealt, role: count} for number, dealt in chosen.deals.items()}
        return replace(chosen, deals=deals)

    return Knob(name, get, turn, least=0, most=MOST_CARDS)


def _field(name: str, **shape: Any) -> None:
    """Register a knob that is a field of the ruleset."""

    def turn(chosen: Ruleset, setting: Any) -> Ruleset:
        return replace(chosen, **{name: setting})

    KNOBS[name] = Knob(name, lambda chosen, _: getattr(chosen, name), turn, **shape)


def _checks(chosen: Ruleset, players: int) -> Setting:
    """How often a game a role that is answered by a gesture may ask."""
    uses = next((step.uses for step in chosen.night if step.hint is not None), None)
    return UNLIMITED if uses is None else uses


def _limit_checks(chosen: Ruleset, setting: Setting) -> Ruleset:
    uses = setting if isinstance(setting, int) else None
    night = tuple(step if step.hint is None else replace(step, uses=uses) for step in chosen.night)
    return replace(chosen, night=night)


def _vote(chosen: Ruleset, players: int) -> Setting:
    """Most votes decide, or so many runners-up stand in a second vote."""
    return chosen.runners_up or PLURALITY


def _count_again(chosen: Ruleset, setting: Setting) -> Ruleset:
    return replace(chosen, runners_up=setting if isinstance(setting, int) else 0)


def _speech(chosen: Ruleset, players: int) -> Setting:
    return "paced" if chosen.speech_seconds is None else chosen.speech_seconds


def _limit_speech(chosen: Ruleset, setting: Setting) -> Ruleset:
    return replace(chosen, speech_seconds=setting if isinstance(setting, int) else None)


_field("last_words", words=("killers", "all", "none"), least=1, most=MOST_CARDS)
_field("tie", words=("three_step", "once_more", "nobody_leaves", "draw"))
_field("cards", words=("hidden", "shown", "second"))
_field("peaceful", words=PEACEFUL)
KNOBS["checks"] = Knob("checks", _checks, _limit_checks, words=(UNLIMITED,), least=1, most=MOST_CARDS)
KNOBS["vote"] = Knob("vote", _vote, _count_again, words=(PLURALITY,), least=1, most=4)
KNOBS["speech"] = Knob(
    "speech",
    _speech,
    _limit_speech,
    words=("paced",),
    least=10,
    most=600,
    spoken=(30, 60, 90, 120, 180),
)
