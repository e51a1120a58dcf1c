"""What only the judge and those awake know: who holds which card, and what is chosen at night."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from public_events import Choices, Dawn, Plan, Public, public_dawn

from narrator.moderator.effects import Expect
from narrator.rules.game import Game
from narrator.rules.library import library
from narrator.rules.night import may_choose, resolve
from narrator.rules.victory import Verdict, verdict

DEALS = 60
ATTEMPTS = 200


class Hidden:
    """Secrets drawn at random, but so that the game can look like ``plan`` for as long as possible.

    With ``leads`` this is the first game, which makes the plan.
    """

    def __init__(self, public: Public, rng: random.Random, plan: Plan, leads: bool) -> None:
        self._rng = rng
        self._plan = plan
        self._leads = leads
        self._ruleset = library().chosen(public.ruleset, public.knobs, public.players)
        self._players = public.players
        self._choices: dict[int, Choices] = {}
        self.roles: Mapping[int, str] = self._deal()

    def truly(self, game: Game) -> Game:
        """The game with the cards as they were dealt, also while the program doesn't know them."""
        return game if game.roles is not None else replace(game, roles=self.roles)

    def verdict(self, game: Game) -> Verdict | None:
        """How the game truly stands."""
        return verdict(self.truly(game))

    def seat(self, question: Expect, game: Game) -> int | None:
        """The true answer to a secret question."""
        if question.about == "who":
            index = question.params["index"]
            assert isinstance(index, int)
            return [seat for seat, held in sorted(self.roles.items()) if held == question.params["role"]][
                index - 1
            ]
        return self._tonight(self.truly(game))[str(question.params["act"])]

    def dawn(self, game: Game) -> Dawn:
        """What tonight's choices bring."""
        game = self.truly(game)
        return public_dawn(resolve(game, self._tonight(game)))

    def _deal(self) -> dict[int, str]:
        """Cards; every other time such that the game could go on for as long as the plan's."""
        deck = [role for role, count in self._ruleset.deal(self._players).items() for _ in range(count)]
        deals = []
        for _ in range(DEALS if not self._leads and self._rng.random() < 0.5 else 1):
            self._rng.shuffle(deck)
            deals.append(dict(enumerate(deck, start=1)))
        return max(deals, key=self._likeness)

    def _likeness(self, roles: dict[int, str]) -> int:
        """How many departures of the plan leave the game going on, or over, as they did there."""
        departures = self._plan.departures
        for count in range(1, len(departures) + 1):
            ended = verdict(Game(self._ruleset, self._players, roles, departures[:count])) is not None
            if ended != (self._plan.over and count == len(departures)):
                return count - 1
        return len(departures)

    def _tonight(self, game: Game) -> Choices:
        if game.round not in self._choices:
            self._choices[game.round] = self._choose(game)
            if self._leads:
                self._plan.choices[game.round] = self._choices[game.round]
                self._plan.dawns[game.round] = public_dawn(resolve(game, self._choices[game.round]))
        return self._choices[game.round]

    def _choose(self, game: Game) -> Choices:
        """Any choices that are allowed, but with the plan's dawn wherever that can be."""
        wanted = self._plan.dawns.get(game.round)
        choices: Choices = {}
        for attempt in range(ATTEMPTS):
            choices = self._some_choices(game, alike=attempt % 2 == 1)
            if wanted is None or public_dawn(resolve(game, choices)) == wanted:
                break
        return choices

    def _some_choices(self, game: Game, alike: bool) -> Choices:
        model = self._plan.choices.get(game.round, {})
        choices: Choices = {}
        for step in game.ruleset.tonight(game.round):
            if step.act is None:
                continue
            legal = [seat for seat in game.seats if may_choose(game, step, seat, choices) is None]
            chosen = self._rng.choice((None, *legal, *legal))
            if alike and model.get(step.act) in (None, *legal) and self._rng.random() < 0.7:
                chosen = model.get(step.act)
            choices[step.act] = chosen
        return choices
