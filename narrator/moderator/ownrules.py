"""Tables' own rules in the lobby: one knob at a time, its present setting read first."""

from __future__ import annotations

from typing import cast

from narrator.faults import Fault
from narrator.moderator.desk import Desk
from narrator.moderator.effects import Say, Value
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Command
from narrator.moderator.question import Question
from narrator.rules.custom import Knob, Setting, knob_of, role_of, setting_of
from narrator.rules.registry import KNOBS
from narrator.rules.ruleset import Ruleset

KEEP, REST, DEFAULT = "knob.keep", "knob.rest", "knob.default"

_COMMANDS = ("repeat", "stop", "pause")


class OwnRules:
    """Changes the rules of the table being agreed; what can't be played is refused with the reason."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    # Conditions

    def wanted(self) -> bool:
        """The table asked for its own rules, and it is known what they are changes of."""
        draft = self.desk.evening.draft
        return draft.wants_own_rules and bool(draft.ruleset) and bool(draft.players)

    def knob_left(self) -> bool:
        """A knob has not been asked about yet."""
        return self.desk.evening.draft.knob < len(self._chosen().knobs)

    # The wish

    def request(self, command: Command) -> None:
        """The table wants its own rules: at once, or as soon as it is known which ruleset they change."""
        self.desk.evening.draft.wants_own_rules = True
        if self.desk.dialog.about == "agree":
            self.desk.dialog.drop()
        else:
            self.desk.say("own.later")
            self.desk.dialog.reopen()

    # States

    def begin(self) -> None:
        """From the first knob on."""
        draft = self.desk.evening.draft
        draft.wants_own_rules, draft.knob = False, 0
        self.desk.say("own.begin" if self._chosen().knobs else "own.nothing")

    def ask_knob(self) -> None:
        """Read the next knob's setting and ask for another."""
        draft, chosen = self.desk.evening.draft, self._chosen()
        if not self.knob_left():
            return
        name = chosen.knobs[draft.knob]
        knob = knob_of(chosen, name)
        draft.knob += 1

        def refuse(value: Setting) -> Say | None:
            try:
                if value not in (KEEP, REST):
                    self._chosen({name: self._meant(name, value)})
            except Fault as fault:
                params = {key: cast(Value, given) for key, given in fault.params.items()}
                return Say(f"own.{fault.key}", params)
            return None

        def take(value: Setting) -> None:
            if value == REST:
                draft.knob = len(chosen.knobs)
            elif value != KEEP:
                self._turn(name, self._meant(name, value))

        self.desk.dialog.ask(
            Question(
                "knob",
                knob_expectation(knob),
                (statement(chosen, name, self._now(chosen, name)), _asking(name)),
                take,
                params={"knob": name},
                short=(_asking(name),),
                refuse=refuse,
                help=_asking(name),
            )
        )

    # Helpers

    def _chosen(self, further: dict[str, Setting] | None = None) -> Ruleset:
        draft = self.desk.evening.draft
        assert draft.ruleset is not None
        knobs = {**dict(draft.knobs), **(further or {})}
        return self.desk.evening.setup.library.chosen(draft.ruleset, knobs, draft.players)

    def _now(self, chosen: Ruleset, name: str) -> Setting:
        assert self.desk.evening.draft.players is not None
        return setting_of(chosen, name, self.desk.evening.draft.players)

    def _default(self, name: str) -> Setting:
        """How the knob is set in the ruleset itself."""
        ruleset_id = self.desk.evening.draft.ruleset
        assert ruleset_id is not None
        return self._now(self.desk.evening.setup.library.load(ruleset_id), name)

    def _meant(self, name: str, value: Setting) -> Setting:
        """The setting an answer stands for."""
        if isinstance(value, int):
            return value
        if value == DEFAULT:
            return self._default(name)
        setting = value.removeprefix(f"{name}.")
        return int(setting) if setting.isdecimal() else setting

    def _turn(self, name: str, setting: Setting) -> None:
        draft = self.desk.evening.draft
        knobs = {**dict(draft.knobs), name: setting}
        if setting == self._default(name):
            del knobs[name]
        draft.knobs = tuple(knobs.items())
        self.desk.effects.append(statement(self._chosen(), name, setting))


def changed(ruleset: Ruleset) -> list[Say]:
    """What is other than in the base, to be read back; the numbers of cards are read with the deal."""
    return [statement(ruleset, name, setting) for name, setting in ruleset.changes if name in KNOBS]


def statement(ruleset: Ruleset, name: str, setting: Setting) -> Say:
    """How a knob is set, as a sentence."""
    if name not in KNOBS:
        return Say("own.cards_of", {"role": role_of(ruleset.base or ruleset, name), "count": setting})
    return (
        Say(f"own.{name}", {"count": setting}) if isinstance(setting, int) else Say(f"own.{name}.{setting}")
    )


def _asking(name: str) -> Say:
    return Say(f"own.ask.{name if name in KNOBS else 'cards_of'}")


def knob_expectation(knob: Knob) -> Expectation:
    """What can be answered about a knob: a number or a word that it takes, and what leaves it alone."""
    freely = knob.least is not None and not knob.spoken
    common = KNOBS[knob.name].words if knob.name in KNOBS else ()
    settings = (*common, *map(str, knob.spoken))
    choices = (*(f"{knob.name}.{setting}" for setting in settings), KEEP, REST, DEFAULT)
    return Expectation(Kind.COUNT if freely else Kind.CHOICE, choices, commands=_COMMANDS, at_ease=True)
