"""A table at which tests play: it drives a moderator by what is said, typed and left unsaid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from narrator.moderator.codesheet import CodeSheet
from narrator.moderator.effects import Effect, End, Expect, Note, Say, Sound, StartTimer, StopTimer, Wait
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Certainty, Command, Elapsed, Input, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.moderator.secrets import sheet_of

Value = int | str | bool | None


class Table:
    """People around a moderator. Every call says something and keeps what came of it.

    ``latest`` are the effects of the last call, ``log`` all effects so far, ``question`` the open question,
    ``roles`` who holds which card, ``typed`` what was last typed blind.
    """

    def __init__(self, setup: Setup, moderated_by: type[Moderator] = Moderator) -> None:
        self.setup = setup
        self.moderator = moderated_by(setup)
        self.log: list[Effect] = []
        self.latest: tuple[Effect, ...] = ()
        self.question: Expect | None = None
        self.sheet: CodeSheet | None = None
        self.roles: Mapping[str, Sequence[int]] = {}
        self.typed: int | None = None
        self.hears_back(self.moderator.begin())

    # What is said to the moderator

    def hears(self, event: Input) -> Table:
        """Anything at all happens."""
        return self.hears_back(self.moderator.handle(event))

    def answer(self, *values: Value) -> Table:
        """Clear answers, one after another, each to the question then open."""
        for value in values:
            self.hears(Answer(self.kind, value))
        return self

    def doubtful(self, value: Value) -> Table:
        """An answer of which the ears are not sure."""
        return self.hears(Answer(self.kind, value, Certainty.DOUBTFUL))

    def mumbles(self) -> Table:
        """Something is said that can't be understood."""
        return self.hears(Unclear(Why.UNKNOWN))

    def stays_silent(self) -> Table:
        """Nobody says anything for as long as the moderator is patient."""
        return self.hears(Unclear(Why.SILENCE))

    def judge(
        self,
        command: str,
        seat: int | None = None,
        certainty: Certainty = Certainty.CLEAR,
        reading: int | None = None,
    ) -> Table:
        """A judge's command; ``reading`` is what the table read off its gauge, if the command has one."""
        return self.hears(Command(command, seat, certainty, reading=reading))

    def runs_out(self, timer: str) -> Table:
        """A timer runs out."""
        return self.hears(Elapsed(timer))

    # What came back

    def hears_back(self, effects: tuple[Effect, ...]) -> Table:
        """Keep what the moderator did."""
        self.latest = effects
        self.log += effects
        for effect in effects:
            if isinstance(effect, Expect):
                self.question = effect
            elif isinstance(effect, End):
                self.question = None
            elif isinstance(effect, Note) and effect.what == "sheet":
                self.sheet = sheet_of(effect.data)
        return self

    @property
    def asked(self) -> Expect:
        """The open question."""
        assert self.question is not None, "nothing is asked"
        return self.question

    @property
    def about(self) -> str:
        """What the open question is about; empty when nothing is asked."""
        return self.question.about if self.question else ""

    @property
    def kind(self) -> Kind:
        """The kind of answer that is expected."""
        return self.asked.expectation.kind

    @property
    def seat(self) -> int:
        """The seat that the open question is about."""
        return self.number("seat")

    def number(self, param: str) -> int:
        """A number among the open question's particulars."""
        value = self.asked.params[param]
        assert isinstance(value, int)
        return value

    @property
    def state(self) -> str:
        """Where the machine stands."""
        return self.moderator.state

    @property
    def says(self) -> list[Say]:
        """What the moderator just said."""
        return [effect for effect in self.latest if isinstance(effect, Say)]

    @property
    def lines(self) -> list[str]:
        """The ids of what the moderator just said."""
        return [say.line for say in self.says]

    def said(self, line: str) -> Mapping[str, object]:
        """The particulars of a line that was just said, once."""
        (params,) = [say.params for say in self.says if say.line == line]
        return params

    @property
    def timers(self) -> list[str]:
        """What just became of timers: ``+limit`` started, ``-limit`` forgotten."""
        return [
            f"+{effect.timer}" if isinstance(effect, StartTimer) else f"-{effect.timer}"
            for effect in self.latest
            if isinstance(effect, StartTimer | StopTimer)
        ]

    def noted(self, what: str) -> list[Mapping[str, object]]:
        """Everything noted under that name, from the beginning."""
        return [effect.data for effect in self.log if isinstance(effect, Note) and effect.what == what]

    @property
    def over(self) -> bool:
        """Whether the evening is over."""
        return any(isinstance(effect, End) for effect in self.latest)

    def answer_after_the_end(self) -> tuple[Effect, ...]:
        """What the moderator does when somebody still talks to it after the goodbye."""
        return self.moderator.handle(Answer(Kind.YESNO, True))

    # Whole scenes

    def tell(self, seat: int | None) -> Table:
        """The judge answers a secret question in the way agreed on, and confirms it."""
        self.whisper(seat)
        return self.answer(True) if self.kind is Kind.YESNO else self.answer(seat)

    def whisper(self, seat: int | None) -> Table:
        """The judge answers a secret question for the first time."""
        return self.answer(self.code(seat) if self.kind is Kind.NUMBER else seat)

    def code(self, seat: int | None) -> int:
        """The number that stands for a seat in the row that is asked for."""
        assert self.sheet is not None
        return self.sheet.code(str(self.asked.params["row"]), seat)

    def night(self, kill: int | None, check: int | None = None) -> Table:
        """From nightfall to the first question of the day; the cards are told where they are asked for."""
        steps = 0
        while self.about in ("dealt", "who", "act", "noted", "hint"):
            self.step(kill, check)
            steps += 1
            assert steps < 40, f"the night does not get past {self.lines}"
        if self.about == "dawn":
            self.answer(kill, True)
        return self

    def step(self, kill: int | None, check: int | None = None) -> Table:
        """One answer of the judge at night."""
        if self.about == "who":
            return self.tell(self.roles[str(self.asked.params["role"])][self.number("index") - 1])
        if self.about == "act":
            return self.tell({"kill": kill, "check": check}.get(str(self.asked.params["act"])))
        return self.answer("ready")

    def until_dawn(self) -> Table:
        """A judge who keeps the secrets says 好了 until he is asked what happened."""
        while self.about in ("noted", "hint"):
            self.answer("ready")
        assert self.about == "dawn"
        return self

    def everyone_speaks(self) -> list[int]:
        """Whoever has the floor says 过, until something else is asked; who they were."""
        heard: list[int] = []
        while self.about in ("speech", "last_words"):
            heard.append(self.seat)
            self.answer(True)
        return heard

    def hands(self, votes: Mapping[int, int]) -> list[int]:
        """Candidates are called and hands counted until something else is asked; who was called."""
        called: list[int] = []
        while self.about == "votes":
            called.append(self.seat)
            self.answer(votes.get(self.seat, 0))
        return called

    def day(self, votes: Mapping[int, int]) -> Table:
        """Everyone speaks, hands are counted, the count is agreed."""
        self.everyone_speaks()
        self.hands(votes)
        return self.answer(True)


def lobby(seed: int = 1, **known: Any) -> Table:
    """A table that has just been greeted."""
    return Table(Setup(seed, **known))


def dealt(
    secrets: Secrets = Secrets.KEYPAD,
    *,
    players: int = 8,
    ruleset: str = "standard",
    killers: Sequence[int] = (1, 2),
    police: Sequence[int] = (3, 4),
    **known: Any,
) -> Table:
    """A table with cards in hand; the judge has still to say that all are dealt."""
    table = lobby(ruleset=ruleset, players=players, secrets=secrets, **known)
    table.roles = {"killer": killers, "police": police}
    return table.answer(True)


def at_night(secrets: Secrets = Secrets.KEYPAD, **known: Any) -> Table:
    """A table whose eyes are closed for the first time."""
    return dealt(secrets, **known).answer("ready")


def at_day(
    kill: int | None = 8, check: int | None = None, secrets: Secrets = Secrets.KEYPAD, **known: Any
) -> Table:
    """A table after its first night."""
    return at_night(secrets, **known).night(kill, check)


def heard(effects: Sequence[Effect]) -> list[Effect]:
    """Only what people at the table can notice: lines, earcons, silences, and when they may speak."""
    return [effect for effect in effects if isinstance(effect, Say | Sound | Wait | Expect | StartTimer)]
