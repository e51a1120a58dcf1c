"""The night: every role is called, dead or alive, and the judge is told the gesture."""

from __future__ import annotations

from collections import Counter

import pytest
from table import Table, at_day, at_night, dealt, heard

from narrator.moderator.effects import Expect, Say, Sound, Wait
from narrator.moderator.evening import Secrets
from narrator.rules.registry import VICTORIES

CODES = Secrets.CODES
NEXT_NIGHT = {7: 4}


def second_night(table: Table, votes: dict[int, int] | None = None) -> Table:
    """From the first day to the question for the second victim."""
    table.day(NEXT_NIGHT if votes is None else votes)
    table.everyone_speaks()
    assert table.state == "night.choosing"
    return table


def test_night_falls_with_its_earcon_and_time_to_close_eyes() -> None:
    table = at_night()
    assert heard(table.latest)[:6] == [
        Sound("nightfall"),
        Say("night.falls"),
        Wait("eyes_close"),
        Say("night.wake", {"role": "killer"}),
        Say("night.recognise", {"role": "killer"}),
        Wait("recognise"),
    ]


def test_partners_recognise_each_other_in_the_first_night_only() -> None:
    table = second_night(at_day(8))
    assert "night.wake" in table.lines
    assert "night.recognise" not in table.lines


def test_killers_wake_before_police_and_each_role_sleeps_before_the_next_wakes() -> None:
    table = at_day(8)
    order = [
        (effect.line, effect.params["role"])
        for effect in table.log
        if isinstance(effect, Say) and effect.line in ("night.wake", "night.sleep")
    ]
    assert order == [
        ("night.wake", "killer"),
        ("night.sleep", "killer"),
        ("night.wake", "police"),
        ("night.sleep", "police"),
    ]


def test_eyes_are_given_time_to_close_after_every_role() -> None:
    table = at_night().tell(1).tell(2).tell(8)
    sleep = table.latest.index(Say("night.sleep", {"role": "killer"}))
    assert table.latest[sleep + 1] == Wait("eyes_close")


def test_holders_are_asked_for_in_the_first_night_only() -> None:
    table = second_night(at_day(8))
    assert table.about == "act"
    assert table.tell(6).about == "act"


@pytest.mark.parametrize("secrets", list(Secrets))
def test_a_role_that_is_gone_is_called_with_the_same_words_and_the_same_waiting(
    secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that goes on without police, so that the dead can be called."""
    monkeypatch.setitem(VICTORIES, "one_kind_out", lambda living, dealt: None)

    def third_night(police: tuple[int, int], check: int | None) -> list[object]:
        table = dealt(secrets, police=police).answer("ready")
        for kill, votes in ((8, {7: 4}), (6, {5: 4})):
            table.night(kill)
            while table.about in ("over", "last_words", "speech", "votes", "tally"):
                if table.about == "votes":
                    table.answer(votes.get(table.seat, 0))
                else:
                    table.answer(table.about != "over")
        start = len(table.log)
        table.night(4, check)
        return [mask(effect) for effect in heard(table.log[start:])]

    gone = third_night(police=(7, 8), check=None)
    assert gone == third_night(police=(3, 4), check=1)
    assert ("night.wake", {"role": "police"}) in gone


def mask(effect: object) -> object:
    """An effect without the number of a code."""
    if isinstance(effect, Say):
        return effect.line, {name: value for name, value in effect.params.items() if name != "code"}
    if isinstance(effect, Expect):
        return effect.expectation, effect.about, set(effect.params), effect.patience, effect.holds
    return effect


@pytest.mark.parametrize("gone", ["killer", "police"])
def test_a_side_sent_out_in_the_first_night_is_called_all_the_same_until_dawn(gone: str) -> None:
    table = at_night(CODES)
    for seat in table.roles[gone]:
        table.judge("eject", seat).answer(True)
        assert table.about == "who"
    start = len(table.log)
    table.night(8)
    words = [effect.line for effect in table.log[start:] if isinstance(effect, Say)]
    expected = ["night.wake", "night.recognise", "night.who", "night.who", "night.check", "night.hint_code"]
    assert [line for line in words if line in expected] == ["night.who", *expected]
    assert table.noted("verdict")[-1]["winner"] == ("good" if gone == "killer" else "killers")


def test_the_dead_police_s_check_tells_nothing() -> None:
    """Both police were sent out, so the gesture is noise: as often yes as no."""
    answers: Counter[bool] = Counter()
    for seed in range(60):
        table = at_night_of(seed)
        for seat in (3, 4):
            table.judge("eject", seat).answer(True)
        while table.about != "hint":
            table.step(8, 1)
        answers[table.number("code") == gesture(table, True)] += 1
    assert min(answers[True], answers[False]) >= 18


# The gesture


def at_night_of(seed: int) -> Table:
    """A first night, its code sheet drawn from another seed."""
    return at_night(CODES, seed=seed)


def gesture(table: Table, yes: bool) -> int:
    assert table.sheet is not None
    return table.sheet.gesture_code(f"n{table.asked.params['night']}.police.hint", "yes" if yes else "no")


def at_hint(check: int | None, seed: int = 1) -> Table:
    table = at_night_of(seed)
    while table.about != "hint":
        table.step(8, check)
    return table


@pytest.mark.parametrize(("check", "yes"), [(1, True), (2, True), (3, False), (4, False), (5, False)])
def test_the_gesture_says_whether_the_checked_seat_is_a_killer(check: int, yes: bool) -> None:
    for seed in range(4):
        table = at_hint(check, seed)
        assert table.lines == ["night.hint_code"]
        assert table.said("night.hint_code")["code"] == gesture(table, yes)


def test_a_gesture_is_named_also_when_nobody_was_checked() -> None:
    codes = Counter(at_hint(None, seed).said("night.hint_code")["code"] for seed in range(60))
    assert set(codes) == {1, 2}
    assert min(codes.values()) >= 18


def test_the_gesture_is_waited_for() -> None:
    table = at_hint(1)
    assert table.asked.expectation.choices == ("ready",)
    code = table.said("night.hint_code")["code"]
    assert table.stays_silent().said("night.hint_code")["code"] == code
    assert table.answer("ready").said("night.sleep") == {"role": "police"}


def test_with_a_keypad_the_judge_who_knows_gives_the_gesture_without_a_code() -> None:
    table = at_night(Secrets.KEYPAD)
    while table.about != "hint":
        table.step(8, 1)
    assert table.lines == ["night.hint"]
    assert "code" not in table.asked.params


# Dawn


def test_the_victim_is_told_at_dawn_when_eyes_are_open() -> None:
    table = at_day(8)
    effects = heard(table.latest)
    assert effects[effects.index(Sound("dawn")) :][:4] == [
        Sound("dawn"),
        Say("day.breaks"),
        Wait("eyes_open"),
        Say("day.killed", {"seats": (8,)}),
    ]
    assert table.noted("dawn") == [{"round": 1, "deaths": (8,)}]


def test_a_night_without_a_victim_is_peaceful() -> None:
    table = at_day(None)
    assert "day.peaceful" in table.lines
    assert table.about == "speech"


def test_killers_may_choose_one_of_their_own() -> None:
    assert at_day(1, secrets=CODES).said("day.killed") == {"seats": (1,)}


def test_a_victim_sent_out_before_dawn_does_not_die_twice() -> None:
    table = at_night().tell(1).tell(2).tell(8)
    table.judge("eject", 8).answer(True)
    table.night(8)
    assert "day.peaceful" in table.lines
    assert table.moderator.evening.game.living == (1, 2, 3, 4, 5, 6, 7)


def test_the_last_killer_out_ends_the_game_at_dawn_and_everyone_s_card_is_told() -> None:
    table = second_night(at_day(1), {7: 4}).night(2)
    assert table.lines[-6:] == [
        "end.game_over",
        "end.killers_out",
        "end.good_win",
        "end.reveal",
        "end.reveal",
        "end.again",
    ]
    assert [say.params for say in table.says if say.line == "end.reveal"] == [
        {"role": "killer", "seats": (1, 2)},
        {"role": "police", "seats": (3, 4)},
    ]
    assert table.about == "review"


@pytest.mark.parametrize(
    ("first", "voted", "second", "winner", "reason"),
    [
        (3, 4, None, "killers", "police_out"),
        (1, 2, None, "good", "killers_out"),
        (3, 7, 4, "killers", "police_out"),
    ],
)
def test_the_game_ends_at_once_when_a_side_is_out(
    first: int, voted: int, second: int | None, winner: str, reason: str
) -> None:
    table = at_day(first).day({voted: 4})
    if second is not None:
        table.everyone_speaks()
        table.night(second)
    assert table.noted("verdict") == [
        {
            "winner": winner,
            "reason": reason,
            "rounds": 1 if second is None else 2,
            "number": 1,
            "first_victim": first,
        }
    ]
    assert table.about == "review"
