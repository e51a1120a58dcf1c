"""What can be seen: nothing on the screen tells one table's secrets from another's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from doubles import Evening, phrasebook, script_of, voice_pack

from narrator.heard import Heard
from narrator.moderator.effects import Expect
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Unclear, Why
from narrator.moderator.secrets import sheet_for, sheet_seed
from narrator.table.screen import Screen

SECRET = Expect(Expectation(Kind.SEAT, none=True, voice=False, private=True), "act")
OPEN = Expect(Expectation(Kind.SEAT), "amend")
THREE = Answer(Kind.SEAT, 3)


@dataclass(frozen=True)
class Cards:
    """Who holds what, and whom the police look at: nobody but they and the judge may know."""

    killers: tuple[int, ...]
    police: tuple[int, ...]
    checked: int


ONE = Cards((1, 2), (3, 4), checked=1)
OTHER = Cards((5, 6), (2, 7), checked=3)
VICTIM = 8


def shown(
    cards: Cards, secrets: Secrets, folder: Path, reveal: bool = False, slip: bool = False
) -> list[str]:
    """The screen of a first night and the morning after, up to the first speech.

    With ``slip`` the judge's first secret is typed wrong before it is typed right.
    """
    setup = Setup(3, ruleset="standard", players=8, secrets=secrets)
    lines: list[str] = []
    screen = Screen(voice_pack(), phrasebook(), keyboard=True, reveal=reveal, write=lines.append)
    rests = {"who", "act", "confirm", "last_words", "speech"}
    evening = Evening(setup, folder, ears=False, witnesses=(screen,), rests=rests)
    sheet = sheet_for(sheet_seed(setup.seed, 1), "standard", 8)
    secret = ""
    evening.until(lambda: evening.about in rests)
    while evening.about != "last_words":
        question = evening.log.question
        assert question is not None
        if question.about == "confirm":
            answer = "y" if question.expectation.kind is Kind.YESNO else secret
        else:
            seat = _seat(cards, question)
            secret = str(seat)
            if question.expectation.kind is Kind.NUMBER:
                secret = str(sheet.code(str(question.params["row"]), seat))
            answer, slip = ("恐龙", False) if slip else (secret, slip)
        evening.keyboard.type(answer)
        evening.until_taken()
        evening.until(lambda: evening.about in rests)
    return lines


def _seat(cards: Cards, question: Expect) -> int:
    if question.about == "act":
        return {"kill": VICTIM, "check": cards.checked}[str(question.params["act"])]
    index = question.params["index"]
    assert isinstance(index, int)
    return {"killer": cards.killers, "police": cards.police}[str(question.params["role"])][index - 1]


def without_codes(lines: list[str]) -> list[str]:
    """The lines with every code number the table hears struck out."""
    code = re.compile(r"(?<=📖 )(手势，)?[一二三四五六七八九十]+(，确定？|。给完)")
    return [code.sub(r"\1#\2", line) for line in lines]


@pytest.mark.parametrize("slip", [False, True], ids=["smoothly", "with a slip"])
def test_with_a_keypad_two_tables_with_other_cards_look_the_same(slip: bool, tmp_path: Path) -> None:
    one = shown(ONE, Secrets.KEYPAD, tmp_path, slip=slip)
    assert "📖 昨晚，8号死了。".replace("8", "八") in one
    assert one == shown(OTHER, Secrets.KEYPAD, tmp_path, slip=slip)
    assert one.count("   ***") == (13 if slip else 12)


@pytest.mark.parametrize("slip", [False, True], ids=["smoothly", "with a slip"])
def test_with_codes_they_differ_in_nothing_but_code_numbers(slip: bool, tmp_path: Path) -> None:
    one = shown(ONE, Secrets.CODES, tmp_path, slip=slip)
    other = shown(OTHER, Secrets.CODES, tmp_path, slip=slip)
    assert one != other
    assert without_codes(one) == without_codes(other)
    assert sum("#，确定？" in line for line in without_codes(one)) == 6


@pytest.mark.parametrize("secrets", [Secrets.KEYPAD, Secrets.CODES])
def test_in_a_whole_game_every_secret_entry_is_three_stars(secrets: Secrets, tmp_path: Path) -> None:
    setup = Setup(3, ruleset="standard", players=8, secrets=secrets)
    lines: list[str] = []
    screen = Screen(voice_pack(), phrasebook(), keyboard=True, write=lines.append)
    evening = Evening(setup, tmp_path, ears=False, script=script_of(setup), witnesses=(screen,))
    evening.play()
    private = [text for expect, text in evening.typist.typed if expect.expectation.private]
    assert len(private) >= 10
    assert lines.count("   ***") == len(private)
    # Besides the stars there are only lines that are said aloud and examples, the same at every question.
    others = [line for line in lines if line != "   ***"]
    assert {line[:1] for line in others} == {"📖", " "}
    examples = {line for line in others if line[0] == " "}
    assert all("> " in line for line in examples)
    assert len(examples) < 15


def test_a_secret_that_is_heard_is_starred_and_so_is_one_that_is_not_understood() -> None:
    lines: list[str] = []
    screen = Screen(voice_pack(), phrasebook(), keyboard=False, write=lines.append)
    screen.opened(SECRET)
    screen.heard(Heard("三号", typed=False), THREE)
    screen.heard(Heard("山号", typed=False), Unclear(Why.UNKNOWN))
    assert lines == ["   ***", "   ***"]


def test_public_answers_are_shown_as_they_were_heard() -> None:
    lines: list[str] = []
    screen = Screen(voice_pack(), phrasebook(), keyboard=False, write=lines.append)
    screen.opened(SECRET)
    screen.opened(OPEN)
    screen.heard(Heard("三号"), THREE)
    screen.heard(Heard("山号"), Unclear(Why.UNKNOWN))
    assert lines == ["   « 三号 »", "   « 山号 ? »"]


@pytest.mark.parametrize("typed", [False, True], ids=["spoken", "typed"])
def test_only_reveal_shows_secret_answers(typed: bool) -> None:
    lines: list[str] = []
    screen = Screen(voice_pack(), phrasebook(), keyboard=False, reveal=True, write=lines.append)
    screen.opened(SECRET)
    screen.heard(Heard("三号", typed=typed), THREE)
    assert lines == ["   « 三号 »"]
