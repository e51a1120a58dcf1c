"""Secret questions: asked by code, by silent keypad, or left to the judge."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from narrator.moderator.codesheet import CodeSheet, Step, gestures_of, rows_for
from narrator.moderator.desk import AT_NIGHT, Desk
from narrator.moderator.effects import Say
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.question import Confirm, Question
from narrator.rules import ruleset as rulesets
from narrator.rules.ruleset import Ruleset

# More nights than games last, as far as a page holds them; those beyond use spare rows. Enough of those
# for a noisy room.
NIGHTS = 8
ROWS = 42
SPARE = 24


def sheet_of(note: Mapping[str, object]) -> CodeSheet:
    """The sheet that a game's ``sheet`` note describes, whatever rules that game has."""
    seed, players, rows = note["seed"], note["players"], note["rows"]
    assert isinstance(seed, int)
    assert isinstance(players, int)
    assert isinstance(rows, tuple | list)
    return CodeSheet(seed, players, tuple(map(str, rows)), SPARE)


def sheet_for(seed: int, ruleset: Ruleset | str, players: int) -> CodeSheet:
    """The one-time code sheet of one game; the same arguments always give the same sheet."""
    if isinstance(ruleset, str):
        ruleset = rulesets.load(ruleset)
    rows = rows_for(_steps_by_night(ruleset), ruleset.deal(players))
    return CodeSheet(seed, players, rows, SPARE)


def _steps_by_night(ruleset: Ruleset) -> list[list[Step]]:
    """Who does what in which night, for as many nights as fit on the sheet."""
    nights: list[list[Step]] = []
    rows = 0
    for night in range(1, NIGHTS + 1):
        steps = [(step.role, step.act, step.hint) for step in ruleset.tonight(night)]
        rows += sum((act is not None) + (hint is not None) for _, act, hint in steps)
        if not ruleset.has_night(night) or (nights and rows > ROWS):
            break
        nights.append(steps)
    return nights


def sheet_seed(evening_seed: int, game_number: int) -> int:
    """The seed of a game's own sheet, drawn from the evening's seed."""
    return random.Random(f"{evening_seed}:sheet:{game_number}").getrandbits(63)


class SecretQuestions:
    """Asks for a seat so that nobody but the judge and the program can tell which it is."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @property
    def way(self) -> Secrets:
        """How this table keeps its secrets."""
        return self.desk.evening.table.secrets

    def open_game(self) -> None:
        """Draw a fresh code sheet for the game that begins; its seed is noted for whoever prints it."""
        evening = self.desk.evening
        evening.sheet.seed, evening.sheet.spares = sheet_seed(evening.setup.seed, evening.number), 0
        if self.way is Secrets.CODES:
            table, sheet = evening.table, self._sheet
            assert sheet is not None
            self.desk.note(
                "sheet",
                seed=sheet.seed,
                ruleset=table.ruleset,
                players=table.players,
                rows=tuple(sheet.rows),
            )

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
        elif self._sheet is not None and not self._usable(row):
            self.desk.dialog.ask(self._by_spare(about, (prompt,), then, forbidden, params))
        else:
            prompts = (prompt, Say("secret.codes"))
            self.desk.dialog.ask(self._by_code(about, row, prompts, then, forbidden, params))

    def give_hint(self, row: str, answer: str | None) -> int | None:
        """The code number that tells the judge which gesture to give; None where he knows himself.

        Where there is no answer to give (nobody was checked, the role is gone) the number is drawn at
        random, so that it sounds the same. On nights that the sheet has no row for, and when the row was
        used for a choice that has been taken back, the judge, who can see the answer, is left to give the
        gesture himself.
        """
        sheet = self._sheet
        if sheet is None or not self._usable(row):
            return None
        if answer is None:
            answer = random.Random(f"{sheet.seed}:{row}:void").choice(gestures_of(row))
        self.desk.expose(row)
        return sheet.gesture_code(row, answer)

    @property
    def _sheet(self) -> CodeSheet | None:
        """The code sheet of the game in progress; None where secrets are kept another way."""
        if self.way is not Secrets.CODES:
            return None
        evening = self.desk.evening
        return sheet_for(evening.sheet.seed, evening.ruleset, evening.table.players)

    def _usable(self, row: str) -> bool:
        """The sheet has the row, and nothing was said under it that was taken back."""
        assert self._sheet is not None
        return row in self._sheet.rows and not self.desk.is_spent(row)

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
            Expectation(Kind.NUMBER, private=True, commands=AT_NIGHT),
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
        notes = self.desk.evening.sheet
        left = (n for n in range(notes.spares + 1, SPARE + 1) if not self.desk.is_spent(f"spare{n}"))
        spare = next(left, None)
        if spare is None:
            # Every spare row is used: the silent keypad is the way out.
            return self._by_keypad(about, (*before, Say("secret.no_spare")), then, forbidden, params)
        notes.spares = spare
        prompts = (*before, Say("secret.again", {"spare": spare}))
        return self._by_code(about, f"spare{spare}", prompts, then, forbidden, params)

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
            Expectation(Kind.SEAT, none=True, voice=False, private=True, commands=AT_NIGHT),
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
