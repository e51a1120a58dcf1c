"""Secrets at a table with one loudspeaker: codes, a silent keypad, or the judge's own memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from table import Table, at_day, at_night, dealt

from narrator.moderator.effects import Note, Say
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Kind
from narrator.moderator.secrets import NIGHTS, SPARE


def row(table: Table) -> str:
    return str(table.asked.params["row"])


def unused(table: Table) -> int:
    """A number that no row has."""
    assert table.sheet is not None
    return table.sheet.seats + 2


# Codes


def test_codes_ask_by_row_every_holder_first_and_then_the_choice() -> None:
    table = at_night(Secrets.CODES)
    rows = []
    while table.about in ("who", "act", "hint"):
        rows.append(str(table.asked.params.get("row", table.about)))
        table.step(8, 1)
    assert rows == [
        "n1.killer.who1",
        "n1.killer.who2",
        "n1.killer.kill",
        "n1.police.who1",
        "n1.police.who2",
        "n1.police.check",
        "hint",
    ]


def test_the_second_night_asks_by_rows_of_its_own() -> None:
    table = at_day(8, secrets=Secrets.CODES)
    table.day({7: 4})
    table.everyone_speaks()
    assert row(table) == "n2.killer.kill"
    assert table.tell(6).lines[-1] == "secret.codes"
    assert row(table) == "n2.police.check"


def test_a_code_is_heard_by_voice_but_kept_private() -> None:
    table = at_night(Secrets.CODES)
    assert table.kind is Kind.NUMBER
    assert table.asked.expectation.voice
    assert table.asked.expectation.private
    assert table.asked.patience == "patience_night"


def test_the_clearest_code_is_confirmed_and_nothing_but_the_code_is_said_aloud() -> None:
    table = at_night(Secrets.CODES)
    code = table.code(1)
    assert table.answer(code).says == [Say("confirm.code", {"code": code})]
    table.answer(True)
    assert table.said("night.who") == {"role": "killer", "nth": 2}


def test_what_is_accepted_is_noted_as_private() -> None:
    table = at_night(Secrets.CODES).tell(1)
    accepted = [effect for effect in table.latest if isinstance(effect, Note) and effect.what == "accepted"]
    assert [note.data["private"] for note in accepted] == [True]


def test_a_misheard_code_moves_to_a_spare_row_because_the_table_has_heard_it() -> None:
    table = at_night(Secrets.CODES).mumbles()
    assert table.says == [Say("secret.again", {"spare": 1})]
    assert row(table) == "spare1"
    assert table.tell(1).about == "who"
    assert row(table) == "n1.killer.who2"


def test_a_denied_code_moves_to_a_spare_row() -> None:
    table = at_night(Secrets.CODES).whisper(5).answer(False)
    assert table.says == [Say("secret.again", {"spare": 1})]
    assert row(table) == "spare1"


def test_every_mishap_uses_up_a_spare_row_of_its_own() -> None:
    table = at_night(Secrets.CODES).mumbles().whisper(2).answer(False).mumbles()
    assert row(table) == "spare3"
    table.tell(1).mumbles()
    assert row(table) == "spare4"


def test_silence_moves_nowhere_because_nothing_was_said() -> None:
    table = at_night(Secrets.CODES)
    for _ in range(4):
        table.stays_silent()
        assert table.lines == ["secret.codes"]
        assert row(table) == "n1.killer.who1"


def test_silence_or_a_mumble_at_the_confirmation_keeps_the_row() -> None:
    table = at_night(Secrets.CODES).whisper(1)
    code = table.asked.params["value"]
    assert table.stays_silent().says == [Say("confirm.code", {"code": code})]
    assert table.mumbles().says == [Say("again"), Say("confirm.code", {"code": code})]
    table.answer(True)
    assert row(table) == "n1.killer.who2"


def at_second_night(secrets: Secrets) -> Table:
    """Seats 8 and 7 are out, the killers choose."""
    table = at_day(8, secrets=secrets)
    table.day({7: 4})
    table.everyone_speaks()
    assert table.about == "act"
    return table


def at_first_kill(secrets: Secrets) -> Table:
    """Seat 5 was the first victim of the previous game."""
    return at_night(secrets, barred=5).tell(1).tell(2)


def at_second_holder(secrets: Secrets) -> Table:
    """Seat 1 is told to be a killer already."""
    return at_night(secrets).tell(1)


FORBIDDEN: list[tuple[str, Callable[[Secrets], Table], int | None]] = [
    ("a dead seat", at_second_night, 8),
    ("the barred seat", at_first_kill, 5),
    ("a card told twice", at_second_holder, 1),
    ("a card of nobody", at_second_holder, None),
]


@pytest.mark.parametrize(("what", "scene", "seat"), FORBIDDEN)
def test_a_forbidden_code_is_met_exactly_like_a_misheard_one(
    what: str, scene: Callable[[Secrets], Table], seat: int | None
) -> None:
    forbidden, misheard = scene(Secrets.CODES), scene(Secrets.CODES)
    assert forbidden.latest == misheard.latest
    assert forbidden.whisper(seat).latest == misheard.mumbles().latest
    assert forbidden.lines == ["secret.again"]
    assert forbidden.whisper(seat).latest == misheard.mumbles().latest


@pytest.mark.parametrize("scene", [at_second_night, at_first_kill, at_second_holder])
def test_an_impossible_code_is_met_exactly_like_a_misheard_one(scene: Callable[[Secrets], Table]) -> None:
    impossible, misheard = scene(Secrets.CODES), scene(Secrets.CODES)
    assert impossible.answer(unused(impossible)).latest == misheard.mumbles().latest
    assert impossible.answer(0).latest == misheard.mumbles().latest


@pytest.mark.parametrize(("what", "scene", "seat"), FORBIDDEN)
def test_a_forbidden_seat_on_the_keypad_is_met_exactly_like_a_misread_one(
    what: str, scene: Callable[[Secrets], Table], seat: int | None
) -> None:
    forbidden, misread = scene(Secrets.KEYPAD), scene(Secrets.KEYPAD)
    for _ in range(4):
        assert forbidden.answer(seat).latest == misread.mumbles().latest
    assert forbidden.lines == ["help.any"]


def test_the_barred_seat_may_be_chosen_for_anything_but_the_first_kill() -> None:
    table = at_night(Secrets.CODES, barred=5).tell(1).tell(2).tell(6).tell(3).tell(4)
    assert row(table) == "n1.police.check"
    assert table.tell(5).about == "hint"


def test_nobody_can_be_chosen_as_well() -> None:
    assert at_day(None, secrets=Secrets.CODES).about == "speech"


def test_when_all_spare_rows_are_used_the_silent_keypad_is_the_way_out() -> None:
    table = at_night(Secrets.CODES)
    for spare in range(1, SPARE + 1):
        table.mumbles()
        assert row(table) == f"spare{spare}"
    table.mumbles()
    assert table.lines == ["secret.no_spare"]
    assert table.kind is Kind.SEAT
    assert not table.asked.expectation.voice
    assert table.asked.expectation.private
    table.answer(1)
    assert table.lines == ["keypad.again"]
    table.answer(1)
    assert row(table) == "n1.killer.who2"
    assert table.mumbles().lines == ["secret.no_spare"]


def at_night_number(wanted: int) -> Table:
    """A table where nobody ever dies and nobody is ever voted out."""
    table = at_night(Secrets.CODES)
    while table.moderator.evening.game.round < wanted:
        table.night(None)
        table.everyone_speaks()
        table.hands({})
        table.answer(True)
    return table


def test_a_game_longer_than_its_sheet_goes_on_with_spare_rows() -> None:
    table = at_night_number(NIGHTS)
    assert row(table) == f"n{NIGHTS}.killer.kill"
    table = at_night_number(NIGHTS + 1)
    assert table.lines[-2:] == ["night.kill", "secret.again"]
    assert row(table) == "spare1"
    table.tell(8)
    assert table.lines[-2:] == ["night.check", "secret.again"]
    assert row(table) == "spare2"
    table.tell(1)
    assert table.lines == ["night.hint"]
    assert "code" not in table.asked.params
    assert table.answer("ready").said("day.killed") == {"seats": (8,)}


def test_a_seat_that_the_table_does_not_have_is_met_like_a_misread_one() -> None:
    for scene in (at_second_holder, at_second_night):
        forbidden, misread = scene(Secrets.KEYPAD), scene(Secrets.KEYPAD)
        assert forbidden.answer(9).latest == misread.mumbles().latest
        assert forbidden.answer(0).latest == misread.mumbles().latest


# Keypad


def test_the_keypad_is_silent_private_and_has_a_key_for_nobody() -> None:
    table = at_night(Secrets.KEYPAD)
    asked = table.asked.expectation
    assert (asked.kind, asked.voice, asked.private, asked.none) == (Kind.SEAT, False, True, True)
    assert table.lines[-1] == "secret.keypad"


def test_what_is_typed_is_typed_twice_with_the_microphone_shut() -> None:
    table = at_night(Secrets.KEYPAD).answer(1)
    assert table.lines == ["keypad.again"]
    asked = table.asked.expectation
    assert (asked.kind, asked.voice, asked.private) == (Kind.SEAT, False, True)
    table.answer(1)
    assert table.said("night.who")["nth"] == 2


def test_the_request_to_type_again_does_not_carry_what_was_typed() -> None:
    first, second = at_night(Secrets.KEYPAD).answer(1), at_night(Secrets.KEYPAD).answer(7)
    assert first.latest == second.latest
    assert "value" not in first.asked.params


def test_two_different_entries_start_over() -> None:
    table = at_night(Secrets.KEYPAD).answer(1, 2)
    assert table.lines == ["keypad.differs", "secret.keypad"]
    assert table.about == "who"
    table.answer(2)
    assert table.lines == ["keypad.again"]
    assert table.answer(2).said("night.who")["nth"] == 2


def test_nobody_too_is_typed_twice() -> None:
    table = at_night(Secrets.KEYPAD).tell(1).tell(2).answer(None)
    assert table.lines == ["keypad.again"]
    assert table.answer(None).about == "who"


def test_silence_at_the_keypad_asks_for_the_same_entry() -> None:
    table = at_night(Secrets.KEYPAD)
    assert table.stays_silent().lines == ["secret.keypad"]
    assert table.answer(1).stays_silent().lines == ["keypad.again"]
    assert table.answer(1).said("night.who")["nth"] == 2


def test_a_second_entry_that_keeps_failing_gets_help_that_fits_a_keypad() -> None:
    table = at_night(Secrets.KEYPAD).answer(1).mumbles().mumbles().mumbles()
    assert table.lines == ["help.any", "keypad.again"]


# The judge's own memory


def test_a_judge_who_keeps_the_secrets_only_says_when_he_has_seen_enough() -> None:
    table = at_night(Secrets.JUDGE)
    asked = []
    while table.about != "dawn":
        asked.append((table.about, table.asked.expectation.choices))
        table.answer("ready")
    assert asked == [("noted", ("ready",)), ("noted", ("ready",)), ("hint", ("ready",))]
    assert table.lines[-1] == "day.result"
    assert table.asked.expectation.none


def test_a_judge_who_is_not_understood_is_told_to_say_ready() -> None:
    assert at_night(Secrets.JUDGE).mumbles().mumbles().mumbles().lines == ["help.ready"]


def test_a_judge_who_keeps_the_secrets_is_given_no_code_for_the_gesture() -> None:
    table = at_night(Secrets.JUDGE).answer("ready", "ready")
    assert table.lines[-1] == "night.hint"
    assert "code" not in table.asked.params


def test_the_end_is_asked_about_only_once_so_many_are_out_that_it_could_be_over() -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(8)
    asked = []
    table.everyone_speaks()
    asked.append("over" in [effect.about for effect in table.log if hasattr(effect, "about")])
    table.hands({7: 4})
    table.answer(True)
    asked.append(table.about == "over")
    # Two of eight are out: both killers, both police - it could be over.
    assert asked == [False, True]
    assert table.lines[-1] == "end.over"


def test_a_game_the_judge_says_goes_on_goes_on() -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(8).day({7: 4}).answer(False)
    assert (table.about, table.seat) == ("last_words", 7)
    table.everyone_speaks()
    assert table.state == "night.choosing"
    table.night(6)
    assert table.about == "over"


@pytest.mark.parametrize(
    ("winner", "line"), [("killers", "end.killers_win"), ("good", "end.good_win"), ("draw", "end.draw")]
)
def test_a_game_the_judge_says_is_over_ends_with_his_verdict_confirmed(winner: str, line: str) -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(8).day({7: 4}).answer(True)
    assert table.about == "winner"
    table.answer(f"winner.{winner}")
    assert table.lines == ["confirm.choice"]
    table.answer(True)
    assert table.lines == ["end.game_over", f"end.judge_{winner}", line, "end.again"]
    assert table.noted("verdict")[-1]["winner"] == winner


def test_a_peaceful_night_is_never_asked_about_when_nothing_changed() -> None:
    table = dealt(Secrets.JUDGE).answer("ready").night(8).day({7: 4}).answer(False)
    table.everyone_speaks()
    table.night(None)
    assert table.about == "speech"
