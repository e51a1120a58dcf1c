"""How many games tiny tables can play with each ruleset: every choice of every night, every vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import narrator.rules
from narrator.rules.game import Cause, Game, leave, next_round
from narrator.rules.night import end_night, may_choose
from narrator.rules.ruleset import Ruleset, read_ruleset
from narrator.rules.victory import verdict

FOLDER = Path(narrator.rules.__file__).parent / "rulesets"

DEALS = {
    "standard": "players = [4, 4]\nkiller = 1\npolice = 1\n",
    "classic": "players = [4, 4]\nkiller = 1\npolice = 1\n",
    "showdown": "players = [6, 6]\nkiller = 2\n",
    "doctor": "players = [5, 5]\nkiller = 1\npolice = 1\nsecret_police = 1\ndoctor = 1\n",
    "butterfly": "players = [5, 5]\nbutterfly = 1\nsniper = 1\ndoctor = 1\nkiller = 1\n"
    "police = 0\nelder = 0\n",
    "werewolf": "players = [6, 6]\nwolf = 1\nseer = 1\nwitch = 1\nhunter = 1\nguard = 1\n",
}

# Rounds played; then the game stands open.
ROUNDS = {"showdown": 4, "standard": 2, "classic": 2, "doctor": 2, "butterfly": 2, "werewolf": 1}


Key = tuple[object, ...]

POSITIONS: dict[Key, Game] = {}
"""One game for each position that differs in something the rules can ask about."""


def tiny(ruleset_id: str) -> Ruleset:
    """A shipped ruleset with another deal."""
    text = (FOLDER / f"{ruleset_id}.toml").read_text(encoding="utf-8")
    parts = text.split("[[deals]]")
    rest = parts[-1][parts[-1].index("\n\n") :]
    content = f"{parts[0]}[[deals]]\n{DEALS[ruleset_id]}{rest}"
    return read_ruleset("tiny", content.encode(), "tiny.toml")


def first_position(ruleset: Ruleset) -> Game:
    """Cards dealt in the order they are named."""
    cards = [role for role, count in ruleset.deal(ruleset.most).items() for _ in range(count)]
    return Game(ruleset, ruleset.most, dict(enumerate(cards, start=1)))


def nights(game: Game, place: int = 0, tonight: tuple[tuple[str, int | None], ...] = ()) -> Iterator[Game]:
    """Every way the night can go, but for what only shows a gesture or mutes."""
    steps = [step for step in game.ruleset.tonight(game.round) if step.act not in (None, "check", "mute")]
    if place == len(steps):
        ended, dawn = end_night(game, dict(tonight))
        yield leave(ended, dawn.deaths, Cause.KILLED)
        return
    step = steps[place]
    assert step.act is not None
    for seat in (None, *game.seats):
        dead_role = not game.living_holders(step.role)
        if may_choose(game, step, seat, dict(tonight)) is None and not (dead_role and seat is not None):
            yield from nights(game, place + 1, (*tonight, (step.act, seat)))


@cache
def games(game_key: Key, rounds: int) -> Counter[str]:
    """How many games end for each reason from a position on; ``open`` where the rounds are used up."""
    game = POSITIONS[game_key]
    ends: Counter[str] = Counter()
    if game.round > rounds:
        return Counter({"open": 1})
    mornings = nights(game) if game.ruleset.has_night(game.round) else iter((game,))
    for key, ways in grouped(mornings).items():
        morning = POSITIONS[key]
        if found := verdict(morning):
            ends[found.reason] += ways
            continue
        for seat in (None, *morning.living):
            evening = morning if seat is None else leave(morning, (seat,), Cause.VOTED)
            if found := verdict(evening):
                ends[found.reason] += ways
            else:
                for reason, count in games(keyed(next_round(evening)), rounds).items():
                    ends[reason] += ways * count
    return ends


def keyed(game: Game) -> Key:
    """What of a position the rules can still ask about."""
    kept = [step.act for step in game.ruleset.night if step.uses or "not_twice_running" in step.limits]
    memory = tuple(
        (night.dawn.needles, tuple(night.choices.get(act) for act in kept if act)) for night in game.nights
    )
    shape = (game.ruleset.resolution, game.ruleset.victory, game.living, game.round, memory)
    POSITIONS.setdefault(shape, game)
    return shape


def grouped(mornings: Iterator[Game]) -> Counter[Key]:
    """Positions that differ in nothing, with how many ways lead there."""
    return Counter(keyed(morning) for morning in mornings)


PINNED = {
    "standard": {"open": 9, "killers_out": 16, "police_out": 16, "civilians_out": 12},
    "classic": {"open": 9, "killers_out": 16, "police_out": 16, "civilians_out": 12},
    "showdown": {"open": 313, "killers_out": 124, "level": 168},
    "doctor": {"open": 8_742, "killers_out": 6_095, "police_out": 6_413, "half": 2_430},
    "butterfly": {
        "open": 728_933,
        "killers_out": 398_508,
        "specials_out": 57_050,
        "parity": 251_092,
        "both_out": 4_114,
    },
    "werewolf": {"open": 877, "killers_out": 311, "civilians_out": 299},
}


@pytest.mark.parametrize("ruleset_id", DEALS)
def test_the_number_of_games_stays_what_it_was(ruleset_id: str) -> None:
    ends = games(keyed(first_position(tiny(ruleset_id))), ROUNDS[ruleset_id])
    assert dict(ends) == PINNED[ruleset_id]
