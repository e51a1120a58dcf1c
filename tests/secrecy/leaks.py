"""Deliberate leaks, each planted into the real program, to see that they are noticed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

import secret_game
from noticed import voice_pack

from narrator.moderator.codesheet import CodeSheet
from narrator.moderator.desk import Desk
from narrator.moderator.dialog import Dialog
from narrator.moderator.effects import Note, Say, Sound
from narrator.moderator.evening import Evening, Secrets
from narrator.moderator.inputs import Answer
from narrator.moderator.question import Question
from narrator.moderator.secrets import SecretQuestions
from narrator.moderator.standing import standing_of
from narrator.mouth.speech import Mouth, Utterance
from narrator.table.screen import Screen
from narrator.table.view import board

Plant = Callable[[], Any]

LEAKS: dict[str, tuple[Secrets, str, Plant]] = {}
"""What leaks: at tables with which way of keeping secrets and which ruleset, and how it is planted."""


def leak(
    name: str, way: Secrets, ruleset: str = "standard"
) -> Callable[[Callable[[], Iterator[None]]], Callable[[], Iterator[None]]]:
    def enter(plant: Callable[[], Iterator[None]]) -> Callable[[], Iterator[None]]:
        LEAKS[name] = way, ruleset, contextmanager(plant)
        return plant

    return enter


def gone(evening: Evening) -> bool:
    """Nobody who is awake now is still in the game."""
    game = evening.game_
    if game is None or game.roles is None:
        return False
    awake = game.ruleset.tonight(game.round)[evening.night.step :]
    return bool(awake) and not game.living_holders(awake[0].role)


def kills(evening: Evening, seat: int | None) -> bool:
    """Whether a seat is on the killers' side, once that is known."""
    game = evening.game_
    return game is not None and game.roles is not None and seat is not None and game.is_killer(seat) is True


@leak("a role that is out is not called any more", Secrets.KEYPAD, "butterfly")
def _not_called() -> Iterator[None]:
    real = Desk.say

    def say(self: Desk, line: str, **params: Any) -> None:
        if line != "night.wake" or not gone(self.evening):
            real(self, line, **params)

    with mock.patch.object(Desk, "say", say):
        yield


@leak("the wait for a role that is out is shorter", Secrets.KEYPAD, "butterfly")
def _short_wait() -> Iterator[None]:
    real = Desk.wait

    def wait(self: Desk, name: str) -> None:
        real(self, "breath" if self.evening.night.choices and gone(self.evening) else name)

    with mock.patch.object(Desk, "wait", wait):
        yield


@leak("day breaks later when the killers chose one of their own", Secrets.CODES)
def _late_dawn() -> Iterator[None]:
    real = Desk.wait

    def wait(self: Desk, name: str) -> None:
        real(self, name)
        if name == "eyes_open" and kills(self.evening, self.evening.night.choices.get("kill")):
            real(self, name)

    with mock.patch.object(Desk, "wait", wait):
        yield


@leak("the gesture for a killer has no number", Secrets.CODES)
def _telling_hint() -> Iterator[None]:
    real = SecretQuestions.give_hint

    def give_hint(self: SecretQuestions, row: str, answer: str | None) -> int | None:
        return None if answer == "yes" else real(self, row, answer)

    with mock.patch.object(SecretQuestions, "give_hint", give_hint):
        yield


@leak("the gesture for nobody has no number", Secrets.CODES)
def _no_hint() -> Iterator[None]:
    real = SecretQuestions.give_hint

    def give_hint(self: SecretQuestions, row: str, answer: str | None) -> int | None:
        return None if answer is None else real(self, row, answer)

    with mock.patch.object(SecretQuestions, "give_hint", give_hint):
        yield


@leak("an earcon sounds when a secret answer is refused", Secrets.KEYPAD)
def _refusal_earcon() -> Iterator[None]:
    with _at_refusal(lambda answer: Sound("not_understood")):
        yield


@leak("the view at the terminal names the cards", Secrets.KEYPAD)
def _telling_view() -> Iterator[None]:
    with mock.patch.object(board, "standing_of", lambda moderator, reveal: standing_of(moderator, True)):
        yield


@leak("a refused secret answer is told its reason", Secrets.CODES)
def _refusal_reason() -> Iterator[None]:
    with _at_refusal(lambda answer: Say("refuse.not_now")):
        yield


@contextmanager
def _at_refusal(effect: Callable[[Answer], Say | Sound]) -> Iterator[None]:
    real = Dialog.take

    def take(self: Dialog, answer: Answer) -> bool:
        question = self._stack[-1].question
        asked = question.quiet_refusal and self._stack[-1].pending is None and question.refuse is not None
        if asked and isinstance(answer.value, int | None) and question.refuse(answer.value):  # type: ignore[misc]
            self._emit(effect(answer))
        return real(self, answer)

    with mock.patch.object(Dialog, "take", take):
        yield


@contextmanager
def _dialog_knows_the_evening() -> Iterator[None]:
    real = Desk.clear

    def clear(self: Desk, *args: Any, **named: Any) -> None:
        real(self, *args, **named)
        self.dialog.evening = self.evening  # type: ignore[attr-defined]

    with mock.patch.object(Desk, "clear", clear):
        yield


@leak("while a role is called that is out, the grammar holds no commands", Secrets.CODES, "butterfly")
def _narrow_grammar() -> Iterator[None]:
    real = Dialog.ask

    def ask(self: Any, question: Question) -> None:
        asked = question.expectation
        if asked.private and gone(self.evening):
            question = replace(question, expectation=replace(asked, commands=()))
        real(self, question)

    with _dialog_knows_the_evening(), mock.patch.object(Dialog, "ask", ask):
        yield


@leak("the judge is hurried while a role is called that is out", Secrets.CODES, "butterfly")
def _impatient() -> Iterator[None]:
    real = Dialog.ask

    def ask(self: Any, question: Question) -> None:
        hurried = question.expectation.private and gone(self.evening)
        real(self, replace(question, patience="patience") if hurried else question)

    with _dialog_knows_the_evening(), mock.patch.object(Dialog, "ask", ask):
        yield


@leak("who is first in the deal speaks longer if that is a killer", Secrets.KEYPAD)
def _long_speech() -> Iterator[None]:
    real = Desk.start_timer

    def start_timer(self: Desk, timer: str, seconds: float) -> None:
        real(self, timer, seconds + 5 * kills(self.evening, 1))

    with mock.patch.object(Desk, "start_timer", start_timer):
        yield


@leak("a code that was said in vain is asked for again", Secrets.CODES)
def _same_row() -> Iterator[None]:
    real = SecretQuestions._by_code

    def by_code(self: SecretQuestions, *args: Any, **named: Any) -> Question:
        return replace(real(self, *args, **named), renew=None)

    with mock.patch.object(SecretQuestions, "_by_code", by_code):
        yield


@leak("the screen prints what was accepted in secret", Secrets.KEYPAD)
def _shown_role() -> Iterator[None]:
    def noted(self: Screen, note: Note) -> None:
        if note.what == "accepted" and note.data.get("private"):
            self._write(f"{note.data['about']}: {note.data['value']}")

    with mock.patch.object(Screen, "noted", noted):
        yield


@leak("the voice tells by its wording whether a role is out", Secrets.KEYPAD, "butterfly")
def _telling_variant() -> Iterator[None]:
    out: dict[object, bool] = {}
    two = {line: (*said, "{role}回去睡吧。") for line, said in voice_pack().lines.items() if line in _BACK}
    pack = replace(voice_pack(), lines={**voice_pack().lines, **two})
    say, speak = Desk.say, Mouth.speak

    def remember(self: Desk, line: str, **params: Any) -> None:
        if line == "night.sleep":
            out[params["role"]] = gone(self.evening)
        say(self, line, **params)

    def choose(self: Mouth, line: Say, *args: Any, **named: Any) -> Utterance:
        telling = line.line in _BACK
        return (
            speak(self, line, int(out.get(line.params["role"], False)))
            if telling
            else speak(self, line, *args, **named)
        )

    with (
        mock.patch.object(secret_game, "voice_pack", return_value=pack),
        mock.patch.object(Desk, "say", remember),
        mock.patch.object(Mouth, "speak", choose),
    ):
        yield


_BACK = ("night.sleep", "night.goes_back")


# Leaks of numbers that are said aloud

CODE_LEAKS: dict[str, Plant] = {}


def code_leak(name: str) -> Callable[[Callable[[], Iterator[None]]], Callable[[], Iterator[None]]]:
    def enter(plant: Callable[[], Iterator[None]]) -> Callable[[], Iterator[None]]:
        CODE_LEAKS[name] = contextmanager(plant)
        return plant

    return enter


@contextmanager
def _numbered(numbering: Callable[[CodeSheet, str, list[int]], list[int]]) -> Iterator[None]:
    real = CodeSheet._numbering

    def biased(self: CodeSheet, row: str, *, gesture: bool) -> list[int]:
        return numbering(self, row, real(self, row, gesture=gesture))

    with mock.patch.object(CodeSheet, "_numbering", biased):
        yield


@code_leak("numberings are never shuffled")
def _plain() -> Iterator[None]:
    with _numbered(lambda sheet, row, codes: sorted(codes)):
        yield


@code_leak("a numbering is shuffled by a hasty exchange of places")
def _hasty() -> Iterator[None]:
    def shuffled(sheet: CodeSheet, row: str, codes: list[int]) -> list[int]:
        rng, codes = random.Random(f"{sheet.seed}:{row}"), sorted(codes)
        for place in range(len(codes)):
            # Every place with any other, not only with those still to come: a classic mistake.
            other = rng.randrange(len(codes))
            codes[place], codes[other] = codes[other], codes[place]
        return codes

    with _numbered(shuffled):
        yield


@code_leak("the second row of a night is the first one shifted by one")
def _shifted() -> Iterator[None]:
    def shifted(sheet: CodeSheet, row: str, codes: list[int]) -> list[int]:
        if "check" not in row:
            return codes
        model = random.Random(f"{sheet.seed}:{row.split('.')[0]}.killer.kill")
        codes = sorted(codes)
        model.shuffle(codes)
        return codes[1:] + codes[:1]

    with _numbered(shifted):
        yield


@code_leak("spare rows repeat after a while")
def _repeating() -> Iterator[None]:
    def repeating(sheet: CodeSheet, row: str, codes: list[int]) -> list[int]:
        if row in ("spare7", "spare13"):
            row = "spare1"
        codes = sorted(codes)
        random.Random(f"{sheet.seed}:{row}").shuffle(codes)
        return codes

    with _numbered(repeating):
        yield
