"""The words of recap and statistics in one language: ``recap.toml`` of a voice pack, and the pack's names."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from narrator.faults import Fault
from narrator.mouth.voicepack import VoicePack
from narrator.rules.ruleset import Ruleset
from narrator.rules.victory import Verdict

FILE = "recap.toml"


@dataclass(frozen=True)
class Words:
    """Everything a recap is told in; ``find`` fills a template, the rest are names."""

    pack: VoicePack
    file: Path
    tables: Mapping[str, Mapping[str, str]]

    def find(self, table: str, key: str, **params: object) -> str:
        """The template ``key`` filled; ``Fault("broken_recap_words")`` when it is missing or doesn't fit."""
        try:
            return self.tables[table][key].format_map(params)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            raise Fault("broken_recap_words", file=self.file, entry=f"[{table}] {key}") from error

    def seat(self, seat: int) -> str:
        """A seat: 3号."""
        return self.find("recap", "seat", n=seat)

    def role(self, role: str) -> str:
        """A role's name; one that has none stands for itself."""
        return self.pack.names.get("role", {}).get(role, role)

    def act(self, act: str) -> str:
        """What a role does, as a verb."""
        return self.tables.get("acts", {}).get(act, act)

    def ruleset(self, ruleset: Ruleset) -> str:
        """A ruleset's name, a host's own included."""
        return ruleset.name or self.pack.names.get("ruleset", {}).get(ruleset.id, ruleset.id)

    def side(self, side: str) -> str:
        """A side's name, or that of a draw."""
        return self.pack.names.get("side", {}).get(side, side)

    def secrets(self, way: str) -> str:
        """A way of keeping secrets."""
        return self.pack.names.get("secrets", {}).get(way, way)

    def verdict(self, verdict: Verdict) -> str:
        """Who has won, and why, as the moderator said it."""
        winner = "end.draw" if verdict.winner == "draw" else f"end.{verdict.winner}_win"
        lines = (winner, f"end.{verdict.reason}")
        return "".join(self.pack.text(line, {}) for line in lines if line in self.pack.lines)


def load_words(folder: Path, pack: VoicePack) -> Words:
    """The words beside the lines of ``pack`` in ``folder``; ``Fault("broken_recap_words")`` without them."""
    file = folder / FILE
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Fault("broken_recap_words", file=file, entry=error) from error
    return Words(pack, file, tables)
