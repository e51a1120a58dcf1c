"""Games that agree in public and differ in secret, played at a whole table.

What is public: the table agreed on, hands and everything else said in the open, what goes wrong (not why),
who leaves and when, whose cards are shown by the rules, and that the game is not over yet. What is secret:
who holds which card, whom a role chooses or checks, the code sheet, and whether an answer at night was not
understood or not allowed. A surrender is left out: that it is refused while a comrade lives is the rule.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unittest import mock

import numpy as np
from hidden import Hidden
from noticed import (
    RATE,
    SILENCE,
    GrammarEars,
    Keyboard,
    Loudspeaker,
    Room,
    Trace,
    Voice,
    Watched,
    Watcher,
    listeners_of,
    phrasebook,
    voice_pack,
    without_codes,
)
from numpy.typing import NDArray
from public_events import Fact, Plan, Public, fact
from way_in import Value, WayIn

from narrator.moderator.effects import Expect
from narrator.moderator.evening import Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.secrets import sheet_of
from narrator.mouth.speech import ClipRenderer, Mouth
from narrator.rules.leaving import may_take_along
from narrator.table import listening
from narrator.table.performance import Performance
from narrator.table.screen import Screen
from narrator.table.session import Session
from narrator.table.view.board import Board, Facts
from narrator.table.view.panel import Look, Panel

MOST_INPUTS = 700
MOST_TICKS = 20_000
WIDTH, HEIGHT = 120, 24
ASKED = ("help", "living", "day", "time_left", "louder", "softer", "faster", "slower")
"""What anybody may ask or have turned, at night too."""


class Told(NamedTuple):
    """A secret told by code: the sheet's row, the seat that was meant and the number that was said."""

    row: str
    seat: int | None
    code: int


class SecretGame:
    """One game at a whole table; ``plan`` is what it should look like, as far as its secrets let it."""

    def __init__(
        self, public: Public, secret: int, plan: Plan | None = None, voice: ClipRenderer | None = None
    ) -> None:
        self.public = public
        self.openly = random.Random(f"{public.seed}:public")
        self.secretly = random.Random(f"{public.seed}:{secret}:secret")
        self.plan = plan or Plan()
        self.leads = plan is None
        self.hidden = Hidden(public, self.secretly, self.plan, self.leads)
        self.trace = Trace()
        self.facts: list[Fact] = []
        self.begun: list[int] = []
        self.told: list[Told] = []
        self.rows_said: list[str] = []
        setup = Setup(
            self.secretly.getrandbits(40),
            ruleset=public.ruleset,
            players=public.players,
            secrets=public.way,
            knobs=public.knobs,
            barred=self.openly.choice((None, *range(1, public.players + 1))),
            right_hand=self.openly.choice((1, -1)),
            speech_seconds=self.openly.choice((20, 45)),
        )
        self._secret: Expect | None = None
        self._meant: int | None = None
        self._sit_down(setup, voice)

    def _sit_down(self, setup: Setup, voice: ClipRenderer | None) -> None:
        trace = self.trace
        self.watcher = Watcher(trace)
        room, keyboard = Room(), Keyboard(trace)
        self.way_in = WayIn(room, keyboard, self.public.hears)
        self.ears = GrammarEars(phrasebook(), trace, room) if self.public.hears else None
        screen = Screen(
            voice_pack(),
            phrasebook(),
            keyboard=not self.public.hears,
            write=lambda line: trace.add("shows", without_codes(line)),
        )
        self._board, self._panel, self._facts = Board(phrasebook()), Panel(voice_pack()), Facts()
        witnesses = (self._board, screen, self.watcher)
        self.moderator = Watched(setup, trace)
        mouth = Mouth(voice_pack(), (voice or Voice()) if self.public.voiced else None, None, RATE)
        performance = Performance(
            mouth,
            Loudspeaker(trace),
            witnesses,
            waits_for_clips=voice is not None,
            listening=self.ears is not None,
        )
        self.session = Session(
            self.moderator,
            Clock(),
            performance,
            voice_pack(),
            phrasebook(),
            ears=self.ears,
            keyboard=keyboard,
            witnesses=witnesses,
        )
        self._board.follow(self.session, phrasebook())

    # Playing

    def play(self) -> SecretGame:
        """Play until the game is over (what follows is public by the rules)."""
        with self._listening():
            self.session.begin()
            while not self.over and len(self.facts) < MOST_INPUTS:
                question = self._until_asked()
                if question.about == "review":
                    break
                known = len(self.trace.inputs)
                self._until_taken(self._answer(question), known)
        if self.leads:
            self.plan.departures, self.plan.over = self.facts[-1].departures, self.over
        return self

    @property
    def over(self) -> bool:
        """Whether the last input ended the game."""
        return bool(self.facts) and self.facts[-1].over

    @contextmanager
    def _listening(self) -> Iterator[None]:
        if self.ears is None:
            yield
            return
        with mock.patch.multiple(listening, **listeners_of(self.ears)):
            yield

    def _tick(self) -> None:
        self.trace.tick += 1
        self.session.tick(SILENCE)
        facts = self._board.facts()
        if facts != self._facts:
            self._facts = facts
            view = [row.plain for row in self._panel.rows(Look(facts), WIDTH, HEIGHT)]
            self.trace.add("view", *view)

    def _until_asked(self) -> Expect:
        for _ in range(MOST_TICKS):
            question = self.watcher.question
            if question is not None:
                return question
            self._tick()
        raise AssertionError(f"nothing is asked after {self.trace.events[-5:]}")

    def _until_taken(self, said: str, known: int) -> None:
        for _ in range(MOST_TICKS):
            if len(self.trace.inputs) > known:
                self.facts.append(self._fact(said))
                return
            self._tick()
        raise AssertionError(f"nothing was taken of {said!r} after {self.trace.events[-5:]}")

    def _fact(self, said: str) -> Fact:
        evening = self.moderator.evening
        return fact(said, evening.game_, over=evening.verdict is not None)

    # What is said

    def _answer(self, question: Expect) -> str:
        """Do something about a question; what of it is public comes back."""
        for _ in range(self.openly.randrange(8, 60)):
            if self.watcher.question is not question:
                break
            self._tick()
        self.begun.append(len(self.trace.events))
        if self.watcher.question is not question:
            return "too late"
        if question.expectation.private:
            if question.about == "confirm":
                return self._type_again(question)
            self._secret = question
            return self._tell(question)
        if question.about == "confirm" and self._of_secret(question):
            return self._confirm_secret(question)
        return self._speak_openly(question)

    def _of_secret(self, question: Expect) -> bool:
        return self._secret is not None and question.params.get("of") == self._secret.about

    def _mishap(self, question: Expect, *kinds: str) -> str:
        """What goes wrong for everybody to notice; mostly nothing."""
        kind = self.openly.choice(kinds) if self.openly.random() < 0.3 else ""
        if kind == "ask":
            kind = self.openly.choice(ASKED)
        if (
            kind in (*ASKED, "pause", "repeat", "undo", "correct")
            and kind not in question.expectation.commands
        ):
            return ""
        return kind

    def _tell(self, question: Expect) -> str:
        """Answer a secret question; a refusal and a mumble are one and the same mishap to the table."""
        values = self._refused(question)
        mishap = self._mishap(
            question, "again", "again", "silence", "pause", "repeat", "undo", "correct", "ask"
        )
        if mishap == "silence":
            return mishap
        if mishap == "again":
            refused = [value for value, no in values.items() if no]
            if refused and self.secretly.random() < 0.7:
                self._say_value(question, self.secretly.choice(refused))
            else:
                self.way_in.mumble(question.expectation)
            return mishap
        if mishap:
            return self._command(question, mishap)
        self._meant = self.hidden.seat(question, self.moderator.evening.game)
        by_code = question.expectation.kind is Kind.NUMBER
        row = str(question.params.get("row", ""))
        value = self._code(row, self._meant) if by_code else self._meant
        if values[value]:
            # Whoever was chosen for tonight has been sent out meanwhile.
            self._meant = None
            value = self._code(row, None) if by_code else None
        assert not values[value], f"{question.about} of {self._meant} is refused: {question.params}"
        if by_code:
            assert value is not None
            self.told.append(Told(row, self._meant, value))
        self._say_value(question, value)
        return "secret"

    def _say_value(self, question: Expect, value: int | None) -> None:
        if question.expectation.kind is Kind.NUMBER:
            self.rows_said.append(str(question.params["row"]))
        self.way_in.say(question.expectation, value)

    def _command(self, question: Expect, name: str) -> str:
        seat = self.openly.randint(1, self.public.players) if name in ("eject", "warn") else None
        self.way_in.command(question.expectation, name, seat)
        return f"{name} {seat}"

    def _refused(self, question: Expect) -> dict[int | None, bool]:
        """Every value that can be said for a secret, and whether the program will have none of it."""
        asked = self.moderator._desk.dialog._stack[-1].question
        assert asked.refuse is not None
        by_code = question.expectation.kind is Kind.NUMBER
        seats = range(1, self.public.players + 2)
        values = (*seats, *(() if by_code else (None,)))
        return {value: asked.refuse(value) is not None for value in values}

    def _code(self, row: str, seat: int | None) -> int:
        assert self.moderator.sheet is not None
        return sheet_of(self.moderator.sheet).code(row, seat)

    def _confirm_secret(self, question: Expect) -> str:
        mishap = self._mishap(question, "again", "silence", "denied", "pause")
        if mishap == "silence" and (self.public.hears or question.expectation.private):
            return mishap
        if mishap == "again":
            self.way_in.mumble(question.expectation)
        elif mishap == "denied":
            self.way_in.say(question.expectation, False)
        elif mishap == "pause":
            return self._command(question, mishap)
        else:
            self.way_in.say(question.expectation, True)
        return f"confirm {mishap}"

    def _type_again(self, question: Expect) -> str:
        mishap = self._mishap(question, "again", "silence", "denied")
        if mishap == "silence":
            return mishap
        if mishap == "again":
            self.way_in.mumble(question.expectation)
        elif mishap == "denied":
            # Up to the first number that is no seat; a larger one may be no number at all to the keypad.
            others = [seat for seat in (None, *range(1, self.public.players + 2)) if seat != self._meant]
            self.way_in.say(question.expectation, self.secretly.choice(others))
        else:
            self.way_in.say(question.expectation, self._meant)
        return f"again {mishap}"

    def _speak_openly(self, question: Expect) -> str:
        kind, about = question.expectation.kind, question.about
        mishaps = ["again", "silence", "pause", "repeat", "eject", "warn", "remind", "doubt"]
        mishap = self._mishap(question, *mishaps, "undo", "correct", "ask")
        waits = self.public.hears or kind is Kind.PASS
        if mishap == "silence" and waits and self.openly.random() < 0.4 and about != "paused":
            return mishap
        if mishap == "again" and kind is not Kind.PASS:
            self.way_in.mumble(question.expectation)
            return mishap
        if mishap in question.expectation.commands and self.openly.random() < 0.3:
            return self._command(question, mishap)
        value = self._open_value(question)
        self.way_in.say(question.expectation, value, doubtful=mishap == "doubt")
        return f"{about} {value}"

    def _open_value(self, question: Expect) -> Value:
        if self.moderator.evening.game_ is None:
            # Everything but the assent was settled beforehand.
            return True
        game, day = self.moderator.evening.game, self.moderator.evening.day
        match question.expectation.kind, question.about:
            case Kind.VOTES, _:
                assert day.tally is not None
                return min(self.openly.choice((0, 0, 0, 1, 2, 3, 4)), day.tally.left)
            case Kind.YESNO, "over":
                return self.hidden.verdict(game) is not None
            case Kind.YESNO, "tally":
                return self.openly.random() < 0.9
            case Kind.CHOICE, "winner":
                end = self.hidden.verdict(game)
                assert end is not None
                return f"winner.{end.winner}"
            case Kind.YESNO, "shown":
                return self.hidden.truly(game).is_killer(_number(question, "seat"))
            case Kind.SEAT, "dawn" | "muted":
                dawn = self.hidden.dawn(game)
                told = dawn.deaths if question.about == "dawn" else dawn.muted
                count = _number(question, "told")
                return told[count] if count < len(told) else None
            case Kind.SEAT, "amend":
                return self.openly.choice([*day.named] or day.candidates)
            case Kind.SEAT, "parting":
                taken = self.openly.choice((None, *game.living))
                may = may_take_along(self.hidden.truly(game), _number(question, "seat"))
                return taken if may else None
            case Kind.SEAT, _:
                return self.openly.choice(game.living)
            case Kind.CHOICE, _:
                return question.expectation.choices[0]
            case _:
                return True


class Clock:
    """The blocks come from the test."""

    def read(self) -> NDArray[np.int16]:
        raise AssertionError("the test ticks")

    def close(self) -> None:
        """Nothing to close."""


def _number(question: Expect, param: str) -> int:
    value = question.params[param]
    assert isinstance(value, int)
    return value
