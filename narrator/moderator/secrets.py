"""Secret questions: asked by code, by silent keypad, or left to the judge."""

from __future__ import annotations

import random
from collections.abc import Callable

from narrator.moderator.codesheet import CodeSheet, rows_for
from narrator.moderator.desk import Desk
from narrator.moderator.dialog import Confirm, Question
from narrator.moderator.effects import Say
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.rules import ruleset as rulesets

# More nights than games last; peaceful ones beyond use spare rows. Enough of those for a noisy room.
NIGHTS = 8
SPARE = 24

_COMMANDS = ("pause", "repeat", "eject", "warn", "stop")


def sheet_for(seed: int, ruleset_id: str, players: int) -> CodeSheet:
    """The one-time code sheet of one game; the same arguments always give the same sheet."""
    ruleset = rulesets.load(ruleset_id)
    steps = [(step.role, step.act, step.hint) for step in ruleset.night]
    rows = rows_for(steps, ruleset.deal(players), NIGHTS)
    return CodeSheet(seed, players, rows, SPARE)


def sheet_seed(evening_seed: int, game_number: int) -> int:
    """The seed of a game's own sheet, drawn from the evening's seed."""
    return random.Random(f"{evening_seed}:sheet:{game_number}").getrandbits(63)


class SecretQuestions:
    """Asks for a seat so that nobody but the judge and the program can tell which it is."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._sheet: CodeSheet | None = None
        self._spare = 0
        self._seed = 0

    @property
    def way(self) -> Secrets:
        """How this table keeps its secrets."""
        return self.desk.evening.table.secrets

    def open_game(self) -> None:
        """Draw a fresh code sheet for the game that begins; its seed is noted for whoever prints it."""
        evening = self.desk.evening
        if self.way is not Secrets.CODES:
            self._sheet = None
            return
        self._seed = sheet_seed(evening.setup.seed, evening.number)
        self._sheet = sheet_for(self._seed, evening.table.ruleset, evening.table.players)
        self._spare = 0
        self.desk.note("sheet", seed=self._seed, ruleset=evening.table.ruleset, players=evening.table.players)

    def ask_seat(
        self,
        about: str,
        row: str,
        prompt: Say,
        then: Callable[[int | None], None],
        forbidden: Callable[[int | None], bool],
        **params: str | int,
    ) -> None:
        """Ask for a seat (or 无); a forbidden one is met exactly like a misheard one."""
        if self.way is Secrets.KEYPAD:
            self.desk.dialog.ask(
                self._by_keypad(about, (prompt, Say("secret.keypad")), then, forbidden, params)
            )
        elif self._sheet is not None and row not in self._sheet.rows:
            self.desk.dialog.ask(self._by_spare(about, (prompt,), then, forbidden, params))
        else:
            prompts = (prompt, Say("secret.codes"))
            self.desk.dialog.ask(self._by_code(about, row, prompts, then, forbidden, params))

    def give_hint(self, row: str, answer: bool | None) -> int | None:
        """The code number that tells the judge which gesture to give; None where he knows himself.

        Where there is no answer to give (nobody was checked, the role is gone) the number is drawn at
        random, so that it sounds the same. On nights that the sheet has no row for, the judge, who can see
        the answer, is left to give the gesture himself.
        """
        if self._sheet is None or row not in self._sheet.rows:
            return None
        if answer is None:
            answer = random.Random(f"{self._seed}:{row}:void").random() < 0.5
        return self._sheet.gesture_code(row, answer)

    def _by_code(
        self,
        about: str,
        row: str,
        prompt: tuple[Say, ...],
        then: Callable[[int | None], None],
        forbidden: Callable[[int | None], bool],
        params: dict[str, str | int],
    ) -> Question:
        sheet = self._sheet
        assert sheet is not None

        def seat_of(code: int) -> int | None:
            return sheet.seat(row, code)

        def refuse(code: int) -> Say | None:
            try:
                return Say("again") if forbidden(seat_of(code)) else None
            except KeyError:
                return Say("again")

        return Question(
            about,
            Expectation(Kind.NUMBER, private=True, commands=_COMMANDS),
            prompt,
            lambda code: then(seat_of(code)),
            params={**params, "row": row},
            short=prompt[-1:],
            refuse=refuse,
            confirm=Confirm.ALWAYS,
            renew=lambda: self._by_spare(about, (), then, forbidden, params),
            quiet_refusal=True,
            patience="patience_night",
        )

    def _by_spare(
        self,
        about: str,
        before: tuple[Say, ...],
        then: Callable[[int | None], None],
        forbidden: Callable[[int | None], bool],
        params: dict[str, str | int],
    ) -> Question:
        if self._spare >= SPARE:
            # Every spare row is used: the silent keypad is the way out.
            return self._by_keypad(about, (*before, Say("secret.no_spare")), then, forbidden, params)
        self._spare += 1
        prompts = (*before, Say("secret.again", {"spare": self._spare}))
        return self._by_code(about, f"spare{self._spare}", prompts, then, forbidden, params)

    def _by_keypad(
        self,
        about: str,
        prompt: tuple[Say, ...],
        then: Callable[[int | None], None],
        forbidden: Callable[[int | None], bool],
        params: dict[str, str | int],
    ) -> Question:
        return Question(
            about,
            Expectation(Kind.SEAT, none=True, voice=False, private=True, commands=_COMMANDS),
            prompt,
            then,
            params=params,
            short=prompt[-1:],
            refuse=lambda seat: Say("again") if forbidden(seat) else None,
            confirm=Confirm.TWICE,
            again=Say("keypad.retry"),
            quiet_refusal=True,
            patience="patience_night",
        )
