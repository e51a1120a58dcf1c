"""Tables' own rules (自定义规则): what a knob changes, and the tables that are refused with the reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.faults import Fault
from narrator.messages import find
from narrator.rules.ballot import Drawn, Nobody, Revote, Tally, after_tie, runoff
from narrator.rules.custom import Setting, customise, knob_of, parse, role_of, setting_of, written
from narrator.rules.game import Cause, Game, leave
from narrator.rules.lastwords import has_last_words
from narrator.rules.library import Library
from narrator.rules.night import Refusal, end_night, may_choose
from narrator.rules.ruleset import Ruleset, all_rulesets, load

STANDARD = load("standard")
EVERY_KNOB = [(ruleset, name) for ruleset in all_rulesets() for name in ruleset.knobs]


def table(players: int = 12, **knobs: Setting) -> Game:
    """A standard game with own rules: seats 1… are the killers, the next ones the police."""
    ruleset = customise(STANDARD, knobs, players)
    deck = [role for role, count in ruleset.deal(players).items() for _ in range(count)]
    return Game(ruleset, players, dict(enumerate(deck, start=1)))


def refusal(ruleset: Ruleset, players: int | None, **knobs: Setting) -> tuple[str, dict[str, Any]]:
    with pytest.raises(Fault) as fault:
        customise(ruleset, knobs, players)
    assert find(fault.value.key), fault.value.key
    return fault.value.key, fault.value.params


# What a knob changes


def test_a_table_of_twelve_takes_four_killers_and_two_police_the_rest_are_civilians() -> None:
    ruleset = customise(STANDARD, {"killers": 4, "police": 2}, 12)
    assert dict(ruleset.deal(12)) == {"killer": 4, "police": 2, "civilian": 6}


def test_the_number_of_killers_holds_for_every_number_of_players_the_police_stay_as_they_were() -> None:
    ruleset = customise(STANDARD, {"killers": 3})
    assert [ruleset.deal(players)["killer"] for players in (8, 12, 15)] == [3, 3, 3]
    assert [ruleset.deal(players)["police"] for players in (8, 12, 15)] == [2, 3, 4]


def test_numbers_of_players_that_make_no_table_are_not_offered() -> None:
    ruleset = customise(STANDARD, {"killers": 5})
    assert (ruleset.fewest, ruleset.most) == (11, 15)
    with pytest.raises(Fault, match="players_do_not_fit"):
        ruleset.deal(10)


def test_a_game_without_the_doctor_is_a_night_without_his_step() -> None:
    ruleset = customise(load("doctor"), {"doctor": 0}, 10)
    assert "doctor" not in ruleset.deal(10)
    assert [step.act for step in ruleset.night] == ["shoot", "kill", "check"]
    assert "doctor" not in ruleset.sides


@pytest.mark.parametrize(
    ("words", "entitled"),
    [("all", [3, 4, 5, 6, 7]), ("none", []), (2, [3, 4]), ("killers", [3, 4, 5])],
)
def test_last_words_are_for_all_for_none_for_so_many_or_for_as_many_as_killers(
    words: Setting, entitled: list[int]
) -> None:
    game = leave(table(last_words=words), (3, 4, 5, 6, 7), Cause.KILLED)
    assert [seat for seat in range(1, 13) if has_last_words(game, seat)] == entitled


def test_police_with_two_checks_a_game_are_refused_the_third_and_may_still_answer_nobody() -> None:
    game = table(checks=2)
    check = next(step for step in game.ruleset.night if step.act == "check")
    for checked in (7, None, 8):
        assert may_choose(game, check, checked) is None
        game, _ = end_night(game, {"kill": None, "check": checked})
    assert may_choose(game, check, 9) is Refusal.SPENT
    assert may_choose(game, check, None) is None


def test_without_a_limit_the_police_check_every_night() -> None:
    game = table()
    check = next(step for step in game.ruleset.night if step.act == "check")
    for _ in range(6):
        game, _ = end_night(game, {"kill": None, "check": 9})
    assert may_choose(game, check, 9) is None


def test_a_tie_ends_the_game_where_the_table_wants_it_so() -> None:
    assert after_tie(table(tie="draw"), 1, (2, 3), (1, 2, 3)) == Drawn()


def test_a_tie_sends_nobody_out_where_the_table_wants_it_so() -> None:
    assert after_tie(table(tie="nobody_leaves"), 1, (2, 3), (1, 2, 3)) == Nobody()


# A run-off


def votes(**knobs: Setting) -> Revote | None:
    tally = Tally({5: 1, 6: 4, 7: 0, 8: 3, 9: 2, 10: 2}, voters=12)
    return runoff(table(12, **knobs), tally, (5, 6, 7, 8, 9, 10))


@pytest.mark.parametrize(
    ("runners_up", "stand"),
    [(1, (6, 8)), (2, (6, 8, 9, 10)), (3, (6, 8, 9, 10)), (4, (5, 6, 8, 9, 10))],
    ids=["one", "two, of whom two are level", "three", "four"],
)
def test_the_first_and_so_many_behind_debate_and_are_voted_on_again(
    runners_up: int, stand: tuple[int, ...]
) -> None:
    assert votes(vote=runners_up) == Revote(stand, stand)


def test_most_votes_decide_at_once_without_a_run_off() -> None:
    assert votes() is None
    assert votes(vote="plurality") is None


def test_a_single_candidate_with_votes_needs_no_second_vote() -> None:
    assert runoff(table(vote=2), Tally({5: 7, 6: 0}, voters=12), (5, 6)) is None


def test_nobody_without_a_vote_stands_in_the_second() -> None:
    final = runoff(table(vote=4), Tally({5: 7, 6: 0, 7: 1}, voters=12), (5, 6, 7))
    assert final == Revote((5, 7), (5, 7))


# Impossible tables


@pytest.mark.parametrize(
    ("players", "knobs", "reason"),
    [
        (12, {"killers": 0}, ("impossible_no_killers", {"players": 12})),
        (12, {"killers": 6}, ("impossible_parity", {"killers": 6, "players": 12})),
        (8, {"killers": 3, "police": 6}, ("impossible_too_many_roles", {"roles": 9, "players": 8})),
        (8, {"killers": 3, "police": 5}, ("impossible_over", {"players": 8})),
        (12, {"police": 0}, ("impossible_needs_role", {"role": "police"})),
        (None, {"killers": 0}, ("impossible_no_killers", {"players": 15})),
    ],
    ids=["no killers", "at parity", "more roles than players", "no civilians", "no police", "nobody can"],
)
def test_an_impossible_table_is_refused_with_the_reason(
    players: int | None, knobs: dict[str, Setting], reason: tuple[str, dict[str, Any]]
) -> None:
    assert refusal(STANDARD, players, **knobs) == reason


def test_a_knob_that_a_ruleset_does_not_have_is_refused_with_those_it_has() -> None:
    key, params = refusal(STANDARD, 12, secret_police=1)
    assert (key, params["knob"]) == ("no_such_knob", "secret_police")
    assert "killers, police, last_words" in params["known"]


@pytest.mark.parametrize(
    ("knob", "setting"),
    [
        ("last_words", "some"), ("last_words", 0), ("checks", 0), ("checks", "many"), ("vote", 9),
        ("tie", "coin"), ("tie", 3), ("speech", 5), ("cards", "burnt"), ("peaceful", "week"),
        ("killers", "many"), ("killers", -1), ("killers", True),
    ],
)  # fmt: skip
def test_a_setting_that_means_nothing_is_refused_with_those_that_do(knob: str, setting: Setting) -> None:
    key, params = refusal(STANDARD, 12, **{knob: setting})
    assert key == "bad_knob"
    assert params["known"]


def test_players_that_the_ruleset_never_had_are_refused_as_ever() -> None:
    assert refusal(STANDARD, 20, killers=3)[0] == "players_do_not_fit"


# Turning knobs again


def test_the_same_settings_make_the_same_game_in_whatever_order_they_are_given() -> None:
    one = customise(STANDARD, {"killers": 3, "vote": 2})
    other = customise(STANDARD, {"vote": 2, "killers": 3})
    assert one == other
    assert one.changes == (("killers", 3), ("vote", 2))


def test_knobs_are_turned_on_top_of_what_was_turned_before() -> None:
    ruleset = customise(customise(STANDARD, {"police": 2, "killers": 4}), {"killers": 3}, 12)
    assert dict(ruleset.deal(12)) == {"killer": 3, "police": 2, "civilian": 7}


def test_a_role_that_was_left_out_can_be_dealt_again() -> None:
    without = customise(load("doctor"), {"doctor": 0})
    again = customise(without, {"doctor": 1}, 10)
    assert again.deal(10) == load("doctor").deal(10)
    assert again.night == load("doctor").night


@pytest.mark.parametrize(("ruleset", "name"), EVERY_KNOB, ids=lambda value: getattr(value, "id", value))
def test_a_ruleset_s_own_setting_changes_nothing_but_is_remembered(ruleset: Ruleset, name: str) -> None:
    players = ruleset.most
    setting = setting_of(ruleset, name, players)
    turned = customise(ruleset, {name: setting}, players)
    assert turned.deal(players) == ruleset.deal(players)
    same = ("night", "last_words", "tie", "cards", "peaceful", "runners_up", "speech_seconds", "victory")
    assert [getattr(turned, field) for field in same] == [getattr(ruleset, field) for field in same]
    assert turned.changes == ((name, setting),)


@pytest.mark.parametrize(("ruleset", "name"), EVERY_KNOB, ids=lambda value: getattr(value, "id", value))
def test_what_a_knob_is_set_to_can_be_read_off(ruleset: Ruleset, name: str) -> None:
    knob = knob_of(ruleset, name)
    numbers = () if knob.least is None else (knob.least + 1, knob.least + 2)
    for setting in (*knob.words, *numbers):
        try:
            turned = customise(ruleset, {name: setting}, ruleset.most)
        except Fault as fault:
            if not fault.key.startswith("impossible_"):
                raise
        else:
            assert setting_of(turned, name, ruleset.most) == setting


@given(st.data())
def test_whatever_is_accepted_is_a_table_that_can_be_dealt(data: st.DataObject) -> None:
    ruleset = data.draw(st.sampled_from(all_rulesets()))
    names = data.draw(st.lists(st.sampled_from(ruleset.knobs), unique=True))
    knobs = {name: data.draw(settings(ruleset, name)) for name in names}
    players = data.draw(st.sampled_from(list(ruleset.deals)))
    try:
        turned = customise(ruleset, knobs, players)
    except Fault as fault:
        if not fault.key.startswith("impossible_"):
            raise
        return
    dealt = turned.deal(players)
    killers = sum(count for role, count in dealt.items() if turned.sides[role] == "killers")
    assert sum(dealt.values()) == players
    assert 0 < killers < players - killers
    assert all(count > 0 for role, count in dealt.items() if role != "civilian")
    assert {step.role for step in turned.night} <= set(dealt) <= set(turned.sides)
    assert turned == Library().chosen(ruleset.id, turned.changes, players)


def settings(ruleset: Ruleset, name: str) -> st.SearchStrategy[Setting]:
    """Anything the knob takes."""
    knob = knob_of(ruleset, name)
    numbers = st.nothing() if knob.least is None else st.integers(knob.least, min(knob.most, 8 + knob.least))
    return st.one_of(st.sampled_from(knob.words) if knob.words else st.nothing(), numbers)


# As text


def test_knobs_are_written_as_they_are_read() -> None:
    knobs = (("killers", 3), ("last_words", "all"))
    assert written(knobs) == ("killers=3", "last_words=all")
    assert tuple(map(parse, written(knobs))) == knobs
    assert parse(" vote = 2 ") == ("vote", 2)


@pytest.mark.parametrize("text", ["killers", "=3", "killers=", "", "  =  "])
def test_what_is_no_setting_is_refused(text: str) -> None:
    with pytest.raises(Fault, match="bad_setting"):
        parse(text)


def test_killers_are_whoever_plays_for_their_side() -> None:
    assert role_of(load("werewolf"), "killers") == "wolf"
    assert role_of(STANDARD, "police") == "police"
