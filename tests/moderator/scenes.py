"""Every question a table can be at: a scene for each of the machine's states that asks something."""

from __future__ import annotations

from collections.abc import Callable

from other_games import at_day as other_day
from other_games import votes_aloud
from table import Table, at_day, at_night, dealt, lobby

from narrator.moderator.evening import Agreement, Secrets


def at_ballot() -> Table:
    table = at_day(8)
    table.everyone_speaks()
    return table


def at_tally() -> Table:
    table = at_ballot()
    table.hands({1: 4, 7: 3})
    return table


def at_hint() -> Table:
    return at_night().tell(1).tell(2).tell(8).tell(3).tell(4).tell(1)


def at_tie() -> Table:
    return at_day(None).day({1: 4, 2: 4})


def at_over() -> Table:
    return dealt(Secrets.JUDGE).answer("ready").night(8).day({7: 4})


def at_first_vote(ruleset: str, way: Secrets) -> Table:
    table = other_day(ruleset, way, dead=(9,))
    votes_aloud(table, {}, otherwise=6)
    return table.answer(True)


SCENES: dict[str, Callable[[], Table]] = {
    "lobby.offering": lambda: lobby(previous=Agreement("standard", 8, Secrets.CODES)),
    "lobby.players": lobby,
    "lobby.ruleset": lambda: lobby().answer(12),
    "lobby.customising": lambda: (
        lobby(players=12, ruleset="standard").judge("own_rules").answer("secrets.codes")
    ),
    "lobby.secrets": lambda: lobby().answer(16),
    "lobby.agreeing": lambda: lobby().answer(16, "secrets.codes"),
    "dealing": dealt,
    "night.identifying": lambda: at_night(Secrets.CODES),
    "night.choosing": lambda: at_night().tell(1).tell(2),
    "night.hinting": at_hint,
    "dawn.reporting": lambda: at_night(Secrets.JUDGE).until_dawn(),
    "judging": at_over,
    "showing": lambda: at_first_vote("butterfly", Secrets.JUDGE),
    "parting": lambda: other_day("werewolf", kill=9),
    "naming": lambda: other_day("butterfly", kill=9).answer(True, True),
    "words": lambda: at_day(8),
    "speeches": lambda: at_day(None),
    "ballot.counting": at_ballot,
    "ballot.agreeing": at_tally,
    "ballot.amending": lambda: at_tally().answer(False),
    "ballot.recounting": lambda: at_tally().answer(False, 1),
    "tie.speeches": at_tie,
}
