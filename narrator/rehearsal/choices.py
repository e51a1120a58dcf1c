"""What synthetic players decide: whom to choose at night, whom to take along, whom to name aloud."""

from __future__ import annotations

import random
from collections.abc import Mapping

from narrator.rules.game import Game
from narrator.rules.leaving import may_take_along
from narrator.rules.night import may_choose
from narrator.rules.steps import NightStep

# Chances: killers choose one of their own, an act that can be done only so often is saved for later,
# whoever may take somebody along leaves alone.
_OWN, _SAVED, _ALONE = 0.05, 0.6, 0.3


def pick(game: Game, step: NightStep, tonight: Mapping[str, int | None], rng: random.Random) -> int | None:
    """Whom a role chooses: somebody it may choose, mostly of another role; nobody is obliged to be clever."""
    assert game.roles is not None
    if not game.living_holders(step.role) or (step.uses is not None and rng.random() < _SAVED):
        return None
    legal = [seat for seat in game.living if may_choose(game, step, seat, tonight) is None]
    if not legal:
        return None
    others = [seat for seat in legal if game.roles[seat] != step.role]
    return rng.choice(legal if rng.random() < _OWN or not others else others)


def take_along(game: Game, seat: int, rng: random.Random) -> int | None:
    """Whom somebody who leaves takes along, if the card allows it."""
    if not may_take_along(game, seat) or rng.random() < _ALONE:
        return None
    return rng.choice(game.living)


def name_aloud(candidates: tuple[int, ...], tie_chance: float, rng: random.Random) -> dict[int, int]:
    """Everybody's spoken vote for one of the candidates; sometimes two share all the votes."""
    if len(candidates) > 1 and len(candidates) % 2 == 0 and rng.random() < tie_chance:
        pair = rng.sample(candidates, 2)
        return {voter: pair[place % 2] for place, voter in enumerate(candidates)}
    favourite = rng.choice(candidates)
    return {voter: favourite if rng.random() < 0.4 else rng.choice(candidates) for voter in candidates}
