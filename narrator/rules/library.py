"""All rulesets a table can choose from: the shipped ones and the host's own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from narrator.faults import Fault
from narrator.rules import ruleset as shipped
from narrator.rules.custom import Knobs, Setting, customise
from narrator.rules.ruleset import Ruleset, read_ruleset


@dataclass(frozen=True, slots=True)
class OwnRules:
    """A host's own ruleset as it was written: its id (the file's name) and its TOML text."""

    id: str
    text: str


@dataclass(frozen=True)
class Library:
    """The shipped rulesets and ``own``, in the order they are offered, the default first."""

    own: tuple[Ruleset, ...] = ()

    def all(self) -> tuple[Ruleset, ...]:
        """Every ruleset."""
        return (*shipped.all_rulesets(), *self.own)

    def load(self, ruleset_id: str) -> Ruleset:
        """The ruleset of that id; ``Fault("unknown_ruleset")`` names those there are."""
        for ruleset in self.all():
            if ruleset.id == ruleset_id:
                return ruleset
        known = ", ".join(ruleset.id for ruleset in self.all())
        raise Fault("unknown_ruleset", ruleset=ruleset_id, known=known)

    def chosen(
        self, ruleset_id: str, knobs: Knobs | tuple[tuple[str, Setting], ...] = (), players: int | None = None
    ) -> Ruleset:
        """The ruleset of that id with its knobs turned, as ``players`` (if given) play it."""
        return customise(self.load(ruleset_id), dict(knobs), players)

    def fitting(self, players: int) -> tuple[Ruleset, ...]:
        """The rulesets that so many can play."""
        return tuple(ruleset for ruleset in self.all() if players in ruleset.deals)

    def playable(self, players: int) -> tuple[Ruleset, ...]:
        """The same; ``Fault("no_ruleset_fits")`` when there is none."""
        chosen = self.fitting(players)
        return chosen or shipped.playable(players)


@cache
def library(own: tuple[OwnRules, ...] = ()) -> Library:
    """The library with these own rulesets; ``Fault("broken_ruleset")`` for the first that is broken."""
    return Library(tuple(read_own(rules) for rules in own))


def read_own(rules: OwnRules, file: str = "") -> Ruleset:
    """Read a host's own ruleset: a shipped one's ``base`` and knobs, or a whole ruleset of its own.

    Either has a ``name``, which is what is said and answered. ``Fault("broken_ruleset")`` says what is
    wrong; what can't be played is refused with the sentence of ``customise``.
    """
    file = file or f"{rules.id}.toml"
    try:
        data = tomllib.loads(rules.text)
        if rules.id in {ruleset.id for ruleset in shipped.all_rulesets()}:
            raise ValueError(f"{rules.id} is the name of a ruleset that exists already")
        name = data.get("name")
        if not isinstance(name, str) or not name.strip():
            raise ValueError("name is missing")
        if "base" not in data:
            return read_ruleset(rules.id, rules.text.encode(), file)
        return _based(rules.id, name, data)
    except ValueError as error:
        raise Fault("broken_ruleset", file=file, why=str(error)) from error


def _based(ruleset_id: str, name: str, data: Mapping[str, Any]) -> Ruleset:
    base = shipped.load(str(data["base"]))
    knobs = {key: value for key, value in data.items() if key not in ("base", "name")}
    return replace(customise(base, knobs), id=ruleset_id, name=name)
