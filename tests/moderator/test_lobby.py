"""The lobby: what is asked before the cards are dealt, and between two games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from table import Table, at_day, dealt, lobby

from narrator.moderator.evening import Agreement, Secrets

LAST_TIME = Agreement("classic", 12, Secrets.CODES)


def choices(table: Table) -> tuple[str, ...]:
    return table.asked.expectation.choices


def test_players_ruleset_and_secrets_are_asked_in_this_order_and_read_back_before_anything_is_dealt() -> None:
    table = lobby()
    assert table.lines == ["welcome", "lobby.players"]
    asked = [table.about]
    for value in (12, "ruleset.classic", "secrets.codes"):
        table.answer(value)
        asked.append(table.about)
    assert asked == ["players", "ruleset", "secrets", "agree"]
    assert table.said("lobby.agree") == {
        "ruleset": "classic",
        "players": 12,
        "deal": (("killer", 3), ("police", 3), ("civilian", 6)),
        "secrets": "codes",
    }
    assert table.noted("game") == []
    table.answer(True)
    assert (table.about, table.state) == ("dealt", "dealing")
    assert table.noted("game") == [{"number": 1, "ruleset": "classic", "players": 12, "secrets": "codes"}]


@pytest.mark.parametrize("players", [6, 7])
def test_a_table_that_only_one_ruleset_fits_is_told_so_and_not_asked(players: int) -> None:
    table = lobby().answer(players)
    assert table.said("lobby.only_ruleset") == {"players": players, "ruleset": "showdown"}
    assert table.about == "secrets"


@pytest.mark.parametrize(("players", "only"), [(6, "showdown"), (16, "classic")])
def test_the_smallest_and_the_biggest_table_have_one_ruleset_each(players: int, only: str) -> None:
    assert lobby().answer(players).said("lobby.only_ruleset")["ruleset"] == only


@pytest.mark.parametrize("players", [11, 15])
def test_only_rulesets_that_fit_are_offered_the_default_first(players: int) -> None:
    table = lobby().answer(players)
    assert choices(table) == ("ruleset.standard", "ruleset.classic", "ruleset.doctor")
    assert table.said("lobby.ruleset")["rulesets"] == ("standard", "classic", "doctor")


@pytest.mark.parametrize("players", [1, 5, 17, 40])
def test_a_number_that_fits_no_ruleset_is_refused_with_the_numbers_that_do(players: int) -> None:
    table = lobby().answer(players)
    assert table.said("lobby.players_unfit") == {"players": players, "low": 6, "high": 16}
    assert table.about == "players"
    assert table.answer(16).about == "secrets"


def test_a_ruleset_fixed_at_the_start_narrows_the_numbers() -> None:
    table = lobby(ruleset="classic").answer(10)
    assert table.said("lobby.players_unfit") == {"players": 10, "low": 11, "high": 16}
    assert table.answer(11).about == "secrets"


def test_what_was_fixed_at_the_start_is_not_asked() -> None:
    assert lobby(players=12).about == "ruleset"
    assert lobby(players=12, ruleset="standard").about == "secrets"
    assert lobby(secrets=Secrets.JUDGE).answer(16).about == "agree"
    table = lobby(players=9, ruleset="standard", secrets=Secrets.KEYPAD)
    assert table.lines == ["welcome", "lobby.agree"]
    assert table.about == "agree"


def test_no_at_the_read_back_starts_over_with_every_question_open() -> None:
    table = lobby(players=9, ruleset="standard", secrets=Secrets.KEYPAD).answer(False)
    assert table.lines == ["lobby.players"]
    table.answer(12)
    assert table.about == "ruleset"
    table.answer("ruleset.classic", "secrets.judge")
    assert table.said("lobby.agree")["ruleset"] == "classic"
    assert table.answer(True).state == "dealing"


def test_no_at_the_read_back_can_be_said_again_and_again() -> None:
    table = lobby()
    for players in (6, 7, 16):
        table.answer(players, "secrets.codes", False)
        assert table.about == "players"
    table.answer(11, "ruleset.standard", "secrets.codes", True)
    assert table.noted("game")[-1]["players"] == 11


def test_the_table_of_last_time_is_taken_over_with_one_word_and_still_read_back() -> None:
    table = lobby(previous=LAST_TIME)
    assert table.lines == ["welcome", "lobby.previous"]
    assert table.said("lobby.previous") == {"ruleset": "classic", "players": 12, "secrets": "codes"}
    table.answer(True)
    assert table.about == "agree"
    table.answer(True)
    assert table.noted("game") == [{"number": 1, "ruleset": "classic", "players": 12, "secrets": "codes"}]


def test_a_table_that_declines_last_time_s_is_asked_everything_and_greeted_once() -> None:
    table = lobby(previous=LAST_TIME).answer(False)
    assert table.lines == ["lobby.players"]
    assert table.answer(12, "ruleset.standard", "secrets.keypad").about == "agree"


def test_a_table_taken_over_and_then_denied_is_asked_everything() -> None:
    table = lobby(previous=LAST_TIME).answer(True, False)
    assert table.lines == ["lobby.players"]
    assert table.answer(16).about == "secrets"


def test_where_nothing_can_be_typed_nobody_is_left_waiting_for_a_keypad() -> None:
    table = lobby(players=8, ruleset="standard", secrets=Secrets.KEYPAD, keyboard=False)
    assert table.about == "secrets"
    table.answer("secrets.keypad")
    assert (table.lines, table.about) == (["refuse.not_now"], "secrets")
    assert table.answer("secrets.codes").about == "agree"


def test_the_keypad_of_last_time_is_not_offered_where_nothing_can_be_typed() -> None:
    previous = Agreement("standard", 8, Secrets.KEYPAD)
    assert lobby(previous=previous).about == "previous"
    table = lobby(previous=previous, keyboard=False)
    assert (table.lines, table.about) == (["welcome", "lobby.players"], "players")
    assert lobby(previous=replace(previous, secrets=Secrets.CODES), keyboard=False).about == "previous"


def test_the_table_of_last_time_is_not_offered_where_something_was_fixed() -> None:
    assert lobby(previous=LAST_TIME, players=16).about == "secrets"


@pytest.mark.parametrize(("right_hand", "line"), [(1, "deal.seats_right"), (-1, "deal.seats_left")])
def test_the_cards_are_named_and_the_seats_explained_before_the_deal(right_hand: int, line: str) -> None:
    table = dealt(right_hand=right_hand)
    assert table.lines == ["deal.cards", "deal.draw", line, "deal.ready_keypad"]
    assert table.said("deal.cards")["deal"] == (("killer", 2), ("police", 2), ("civilian", 4))
    assert table.asked.patience == "patience_deal"


@pytest.mark.parametrize("secrets", list(Secrets))
def test_the_judge_is_told_what_to_have_ready(secrets: Secrets) -> None:
    assert dealt(secrets).lines[-1] == f"deal.ready_{secrets.value}"


def test_a_long_deal_is_asked_after_in_one_short_sentence() -> None:
    assert dealt().stays_silent().lines == ["deal.ready_again"]


def test_a_code_sheet_is_drawn_for_codes_only() -> None:
    assert dealt(Secrets.CODES).noted("sheet")
    assert not dealt(Secrets.KEYPAD).noted("sheet")
    assert not dealt(Secrets.JUDGE).noted("sheet")


# Between two games


def reviewed(**known: Any) -> Table:
    """A table whose first game ended with the killers out; seat 8 was the first victim."""
    table = at_day(8, **known)
    table.day({1: 5})
    table.everyone_speaks()
    table.night(7)
    table.day({2: 4})
    assert table.about == "review"
    return table


def test_the_same_again_deals_at_once_and_bars_the_first_victim_of_the_game_before() -> None:
    table = reviewed().answer("again.same")
    assert table.state == "dealing"
    assert table.said("deal.barred") == {"seat": 8}
    assert table.noted("game")[-1]["number"] == 2


def test_the_barred_seat_is_said_before_the_first_night_falls() -> None:
    table = reviewed().answer("again.same")
    assert "deal.barred" in table.lines
    assert "night.falls" not in table.lines
    table.answer("ready")
    assert "deal.barred" not in table.lines
    assert "night.falls" in table.lines


def test_the_first_victim_of_another_evening_is_barred_in_the_first_game() -> None:
    assert dealt(barred=5).said("deal.barred") == {"seat": 5}


def test_nobody_is_barred_where_nobody_died_first() -> None:
    table = at_day(None)
    table.day({1: 5})
    table.everyone_speaks()
    table.night(7)
    table.day({2: 4}).answer("again.same")
    assert "deal.barred" not in table.lines


def test_a_seat_that_a_smaller_table_does_not_have_is_not_barred() -> None:
    assert "deal.barred" not in dealt(barred=12).lines


def test_the_second_game_has_a_code_sheet_of_its_own() -> None:
    table = reviewed(secrets=Secrets.CODES).answer("again.same")
    first, second = table.noted("sheet")
    assert first["seed"] != second["seed"]


def test_the_second_game_learns_the_cards_anew() -> None:
    table = reviewed().answer("again.same", "ready")
    table.roles = {"killer": (5, 6), "police": (7, 8)}
    table.night(1)
    table.day({5: 5})
    table.everyone_speaks()
    table.night(2)
    table.day({6: 4})
    assert table.noted("verdict")[-1]["winner"] == "good"
    assert table.noted("verdict")[-1]["number"] == 2


def test_changing_the_rules_leads_to_the_lobby_with_every_question_open() -> None:
    table = reviewed().answer("again.change")
    assert (table.state, table.lines) == ("lobby.players", ["lobby.players"])
    table.answer(12, "ruleset.classic", "secrets.judge", True)
    assert table.noted("game")[-1] == {"number": 2, "ruleset": "classic", "players": 12, "secrets": "judge"}
    assert table.said("deal.barred") == {"seat": 8}


def test_enough_ends_the_evening() -> None:
    table = reviewed().answer("again.stop")
    assert table.lines == ["end.goodbye"]
    assert table.over
    assert table.answer_after_the_end() == ()


def test_whoever_left_the_first_game_plays_the_second() -> None:
    table = reviewed().answer("again.same", "ready")
    table.roles = {"killer": (1, 2), "police": (3, 4)}
    table.night(7)
    assert table.everyone_speaks() == [7, 8, 1, 2, 3, 4, 5, 6]
