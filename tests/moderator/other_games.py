"""Tables that play other games than the police ones: cards by role, nights by act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table import Table, lobby

from narrator.moderator.evening import Secrets

DOCTOR: Mapping[str, Sequence[int]] = {
    "killer": (1, 2),
    "police": (3, 4),
    "secret_police": (5,),
    "doctor": (6,),
}
BUTTERFLY: Mapping[str, Sequence[int]] = {
    "butterfly": (1,),
    "elder": (2,),
    "sniper": (3,),
    "doctor": (4,),
    "police": (5,),
    "killer": (6, 7, 8),
}
SHOWDOWN: Mapping[str, Sequence[int]] = {"killer": (1, 2)}
WEREWOLF: Mapping[str, Sequence[int]] = {
    "wolf": (1, 2, 3, 4),
    "seer": (5,),
    "witch": (6,),
    "hunter": (7,),
    "guard": (8,),
}
CARDS = {"doctor": DOCTOR, "butterfly": BUTTERFLY, "showdown": SHOWDOWN, "werewolf": WEREWOLF}
PLAYERS = {"doctor": 8, "butterfly": 13, "showdown": 7, "werewolf": 12}


def dealt(ruleset: str, way: Secrets = Secrets.KEYPAD, **known: Any) -> Table:
    """Cards are in hand; the judge has still to say so."""
    known = {"players": PLAYERS.get(ruleset), **known}
    table = lobby(ruleset=ruleset, secrets=way, **known)
    table.roles = CARDS.get(ruleset, {})
    return table.answer(True)


def at_night(ruleset: str, way: Secrets = Secrets.KEYPAD, **known: Any) -> Table:
    """Eyes are closed for the first time."""
    return dealt(ruleset, way, **known).answer("ready")


def night(
    table: Table, dead: Sequence[int] = (), muted: Sequence[int] = (), **choices: int | None
) -> list[str]:
    """From nightfall to the first question of the day, everybody choosing as told, nobody where not told.

    A judge who keeps the secrets tells who is ``dead`` and ``muted`` afterwards. What came back are all
    lines that were said meanwhile.
    """
    said: list[str] = []
    told = {"dawn": list(dead), "muted": list(muted)}
    while table.about in ("who", "act", "noted", "hint", "dawn", "muted"):
        if table.about == "who":
            table.tell(table.roles[str(table.asked.params["role"])][table.number("index") - 1])
        elif table.about == "act":
            table.tell(choices.get(str(table.asked.params["act"])))
        elif table.about in told:
            table.answer(told[table.about].pop(0) if told[table.about] else None, True)
        else:
            table.answer("ready")
        said += table.lines
        if "night.falls" in table.lines:
            return said
        assert len(said) < 400, f"the night does not get past {table.lines}"
    return said


def at_day(ruleset: str, way: Secrets = Secrets.KEYPAD, /, **told: Any) -> Table:
    """The first question after the first night."""
    table = at_night(ruleset, way)
    night(table, **told)
    return table


def votes_aloud(table: Table, names: Mapping[int, int], otherwise: int) -> list[int]:
    """Everybody speaks and names a seat at once; who had the floor."""
    spoke = []
    while table.about in ("speech", "last_words", "name"):
        if table.about == "name":
            table.answer(names.get(table.number("voter"), otherwise))
        else:
            spoke.append(table.seat)
            table.answer(True)
    return spoke
