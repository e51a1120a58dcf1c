"""The host's own rulesets: TOML files in the folder ``rulesets`` beside the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from narrator.faults import Fault
from narrator.messages import message
from narrator.mouth.voicepack import VoicePack
from narrator.resources import config_folder
from narrator.rules.library import Library, OwnRules, library, read_own
from narrator.rules.ruleset import Ruleset
from narrator.understanding.phrasebook import Phrasebook

Told = Callable[[Fault], object]


class Words:
    """The voice pack and the phrases, as they grow by the names of the host's own rulesets."""

    def __init__(self, pack: VoicePack, phrasebook: Phrasebook) -> None:
        self.pack = pack
        self.phrasebook = phrasebook
        self._learnt: dict[str, Ruleset] = {}

    def in_other_words(self, pack: VoicePack, phrasebook: Phrasebook) -> Words:
        """Another voice pack and its phrases, which know the same rulesets; raises as ``learn`` does."""
        words = Words(pack, phrasebook)
        for ruleset in self._learnt.values():
            words.learn(ruleset)
        return words

    def learn(self, ruleset: Ruleset) -> None:
        """Be able to say a ruleset and to understand its name.

        ``Fault("own_rules_name_taken")`` for a name that already means another ruleset, and
        ``Fault("voice_pack_lacks")`` for a role or an act that the pack has no words for.
        """
        key, choice = f"ruleset.{ruleset.id}", self.phrasebook.choice
        others = {other: texts for other, texts in choice.items() if other != key}
        taken = {text for other, texts in others.items() if other.startswith("ruleset.") for text in texts}
        if ruleset.name in taken:
            raise Fault("own_rules_name_taken", name=ruleset.name)
        for role in ruleset.sides:
            self.pack.say_value("role", role)
        acts = (f"night.{step.act}" for step in ruleset.night if step.act)
        self.pack.check(ruleset.day.wording.get(line, line) for line in acts)
        for table, entry in (("ruleset", ruleset.id), ("rulesets", ruleset.id), ("choice", key)):
            self.pack = self.pack.naming(table, {entry: ruleset.name})
        self.phrasebook = replace(self.phrasebook, choice={**choice, key: (ruleset.name,)})
        self._learnt[ruleset.id] = ruleset


def own_rules(told: Told, words: Words | None = None, folder: Path | None = None) -> tuple[OwnRules, ...]:
    """The host's own rulesets in the order of their files' names; a broken one is told and left out.

    ``words`` learns their names; without it nothing has to be said, and words are not looked at.
    """
    folder = folder or config_folder() / "rulesets"
    found = []
    for file in sorted(folder.glob("*.toml")):
        try:
            rules = OwnRules(file.stem, _text(file))
            ruleset = read_own(rules, str(file))
            if words is not None:
                words.learn(ruleset)
        except Fault as fault:
            broken = fault.key == "broken_ruleset"
            why = fault.params["why"] if broken else message(fault.key, **fault.params)
            told(Fault("own_rules_left_out", file=file, why=str(why).rstrip(".。")))
        else:
            found.append(rules)
    return tuple(found)


def own_library(told: Told, folder: Path | None = None) -> Library:
    """All rulesets there are for this host."""
    return library(own_rules(told, folder=folder))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise Fault("broken_ruleset", file=file, why=error.strerror or error) from error
    except UnicodeDecodeError as error:
        raise Fault("broken_ruleset", file=file, why=error) from error
