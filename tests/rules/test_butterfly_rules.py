"""花蝴蝶版 (002): the hug, needles over the whole game, muting, the judge's order, voting aloud."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from game_tables import killed, voted_out
from seated import later_night, night, seated

from narrator.rules.ballot import Leaves, Nobody, Tally, Tied, after_tie, outcome
from narrator.rules.game import Game, next_round, show
from narrator.rules.lastwords import has_last_words
from narrator.rules.leaving import cards_due
from narrator.rules.night import Refusal, end_reported_night, hint, may_choose, resolve
from narrator.rules.order import speaking_order
from narrator.rules.ruleset import load
from narrator.rules.victory import Verdict, verdict

HUG, SHOOT, NEEDLE, KILL, CHECK, MUTE = load("butterfly").night
BUTTERFLY, ELDER, SNIPER, DOCTOR, POLICE = 1, 2, 3, 4, 5


def table() -> Game:
    """Butterfly 1, elder 2, sniper 3, doctor 4, police 5, killers 6 to 8, civilians 9 to 13."""
    return seated("butterfly", 13, butterfly=1, elder=2, sniper=3, doctor=4, police=5, killer=(6, 7, 8))


def dead(game: Game, **choices: int | None) -> tuple[int, ...]:
    return resolve(game, choices).deaths


def test_thirteen_cards_each_with_its_role() -> None:
    """002 §1: 1张大王，1张小王，1张J，1张Q，1张K，3张A，5张其它牌."""
    ruleset = load("butterfly")
    assert (ruleset.fewest, ruleset.most) == (13, 13)
    cards = {ruleset.day.card_of[role]: count for role, count in ruleset.deal(13).items()}
    expected = {"joker_big": 1, "joker_small": 1, "jack": 1, "queen": 1, "king": 1, "ace": 3, "plain": 5}
    assert cards == expected


def test_the_order_of_the_night() -> None:
    """002 §2.A-F."""
    order = [step.role for step in load("butterfly").night]
    assert order == ["butterfly", "sniper", "doctor", "killer", "police", "elder"]


def test_the_butterfly_may_hug_anybody_but_itself() -> None:
    """002 §2.A: 不能抱自己."""
    assert may_choose(table(), HUG, BUTTERFLY) is Refusal.FORBIDDEN
    assert all(may_choose(table(), HUG, seat) is None for seat in range(2, 14))


def test_everybody_else_may_choose_themselves() -> None:
    """002 §2.B-F: 可以狙自己, 可以扎自己, 可以自杀, 可以禁言自己."""
    for step, seat in ((SHOOT, SNIPER), (NEEDLE, DOCTOR), (KILL, 6), (CHECK, POLICE), (MUTE, ELDER)):
        assert may_choose(table(), step, seat) is None


def test_what_is_aimed_at_the_hugged_has_no_effect() -> None:
    """002 §3.A: 花蝴蝶所抱的人所受到的一切…效果无效."""
    dawn = resolve(table(), {"hug": 9, "kill": 9, "shoot": 9, "needle": 9, "mute": 9})
    assert (dawn.deaths, dawn.muted, dawn.needles, dawn.victim) == ((), (), (), None)


def test_what_hits_the_butterfly_hits_the_hugged() -> None:
    """002 §3.A: 花蝴蝶如被杀…花蝴蝶所抱的人与花蝴蝶受到相同影响."""
    assert dead(table(), hug=9, kill=BUTTERFLY) == (1, 9)
    assert dead(table(), hug=9, shoot=BUTTERFLY) == (1, 9)
    dawn = resolve(table(), {"hug": 9, "needle": BUTTERFLY, "mute": BUTTERFLY})
    assert (dawn.needles, dawn.muted) == ((1, 9), (1, 9))


def test_a_needle_in_the_butterfly_saves_both_from_a_kill() -> None:
    """002 §3.A: the hugged one is killed and needled as the butterfly is."""
    assert dead(table(), hug=9, kill=BUTTERFLY, needle=BUTTERFLY) == ()
    assert dead(table(), hug=9, kill=BUTTERFLY, needle=9) == (1, 9)


def test_a_needle_saves_from_a_kill_or_from_a_shot_but_not_from_both() -> None:
    """002 §3.A: 如果一个人既被杀又被狙，则即使医生扎针，此人仍死亡."""
    assert dead(table(), kill=9, needle=9) == ()
    assert dead(table(), shoot=9, needle=9) == ()
    assert dead(table(), kill=9, shoot=9, needle=9) == (9,)


def test_the_second_empty_needle_kills_however_many_nights_lie_between() -> None:
    """002 §3.A: 如某人累计两针空针，则死亡."""
    game, dawn = night(table(), needle=9)
    assert (dawn.deaths, dawn.needles) == ((), (9,))
    game, _ = later_night(game, needle=10)
    assert later_night(game, needle=9)[1].deaths == (9,)


def test_a_needle_that_saves_does_not_count() -> None:
    """002 §3.A: 没有被狙或者被杀，但是被医生扎针."""
    game, _ = night(table(), needle=9)
    game, dawn = later_night(game, needle=9, kill=9)
    assert (dawn.deaths, dawn.needles) == ((), ())
    assert later_night(game, needle=9)[1].deaths == (9,)


def test_a_needle_through_the_hug_counts_for_both() -> None:
    """002 §3.A: both are needled, both needles are empty."""
    game, _ = night(table(), hug=9, needle=BUTTERFLY)
    assert later_night(game, hug=10, needle=9)[1].deaths == (9,)
    assert later_night(game, hug=9, needle=BUTTERFLY)[1].deaths == (9, 1)


def test_a_dead_butterfly_protects_nobody() -> None:
    """House decision, Night: the dead act no more, whatever the judge answers."""
    assert dead(killed(table(), BUTTERFLY), hug=9, kill=9) == (9,)


def test_the_police_see_a_nod_a_shake_or_nothing() -> None:
    """002 §2.E: 如果警察验证的是花蝴蝶所抱之人，法官不给警察任何提示信息."""
    assert hint(table(), CHECK, {"check": 6, "hug": 9}) == "yes"
    assert hint(table(), CHECK, {"check": BUTTERFLY, "hug": 9}) == "no"
    assert hint(table(), CHECK, {"check": 6, "hug": 6}) == "nothing"
    assert hint(table(), CHECK, {"check": 10, "hug": 10}) == "nothing"
    assert hint(killed(table(), BUTTERFLY), CHECK, {"check": 6, "hug": 6}) == "yes"
    assert hint(table(), CHECK, {"check": None, "hug": 6}) is None


# The day


def test_the_judge_s_order_turns_every_day() -> None:
    """002 §3.B: 从法官位置开始顺序（第二轮变为逆序，第三轮再为顺序）."""
    game, dawn = night(table(), kill=11, shoot=9)
    assert dawn.deaths == (9, 11)
    game, dawn = later_night(game, kill=13, shoot=10)
    assert dawn.deaths == (13, 10)
    assert later_night(game, kill=12, shoot=8)[1].deaths == (8, 12)


def test_defence_begins_after_the_last_of_the_dead_and_goes_the_same_way() -> None:
    """002 §3.C: 从最后一个遗言死者同序下一人开始."""
    game, dawn = night(table(), kill=11, shoot=9)
    assert speaking_order(game, dawn.victim) == (12, 13, *range(1, 9), 10)
    game, dawn = later_night(game, kill=10)
    assert speaking_order(game, dawn.victim) == (8, 7, 6, 5, 4, 3, 2, 1, 13, 12)


def test_with_nobody_dead_the_day_begins_at_the_judge_s_side() -> None:
    """House decision: seat 1 on the way up, the highest seat on the way down."""
    assert speaking_order(table(), None) == tuple(range(1, 14))
    assert speaking_order(next_round(table()), None) == tuple(range(13, 0, -1))


def test_the_judge_s_order_does_not_ask_which_way_the_table_is_numbered() -> None:
    """002 §3.B: from the judge's place, forward and backward by number."""
    assert speaking_order(replace(table(), right_hand=-1), None) == tuple(range(1, 14))


def test_the_night_s_dead_leave_words_whoever_they_are_unless_muted() -> None:
    """002 §3.B: 死者无论怎么身份均可留遗言; house decision: the muted have none."""
    game, _ = night(table(), kill=6, shoot=9, mute=9)
    assert has_last_words(game, 6)
    assert not has_last_words(game, 9)


def test_a_mute_lasts_one_day() -> None:
    """002 §2.F and §3.B; house decision."""
    game, _ = night(table(), kill=9, mute=10)
    game, _ = later_night(game, kill=10)
    assert has_last_words(game, 10)


def test_a_killer_voted_out_has_no_last_words_anybody_else_has() -> None:
    """002 §3.D: 杀手被投死，没有遗言; 好人被投死，请留遗言."""
    assert not has_last_words(voted_out(table(), 6), 6)
    assert has_last_words(voted_out(table(), 9), 9)


def test_whoever_is_voted_out_is_told_to_be_a_killer_or_not_the_night_s_dead_are_not() -> None:
    """002 §3.D."""
    game = voted_out(killed(table(), 10), 9)
    assert cards_due(game) == (9,)
    assert cards_due(show(game, 9, killer=False)) == ()


def test_where_only_the_judge_knows_his_word_decides_about_last_words() -> None:
    """House decision on secrets kept by the judge."""
    blind = voted_out(Game(load("butterfly"), 13), 6)
    assert cards_due(blind) == (6,)
    assert not has_last_words(show(blind, 6, killer=True), 6)
    assert has_last_words(show(blind, 6, killer=False), 6)
    ended, dawn = end_reported_night(Game(load("butterfly"), 13), (9, 6), (9, 10))
    assert (dawn.deaths, dawn.muted) == ((6, 9), (9, 10))
    gone = killed(ended, *dawn.deaths)
    assert [has_last_words(gone, seat) for seat in (6, 9)] == [True, False]


def test_a_tie_sends_nobody_out() -> None:
    """002 §3.D: 票数最多的人为2人或2人以上，则本轮白天不死人."""
    game = table()
    assert outcome(Tally({9: 4, 10: 4, 11: 5}, 13)) == Leaves(11, 5)
    tied = outcome(Tally({9: 5, 10: 5, 11: 3}, 13))
    assert tied == Tied((9, 10), 5)
    assert after_tie(game, 1, (9, 10), game.living) == Nobody()


# Winning


def test_good_wins_when_all_killers_are_out() -> None:
    """002 §4: 所有杀手均死掉."""
    assert verdict(voted_out(killed(table(), 6, 7), 8)) == Verdict("good", "killers_out")


def test_killers_win_when_all_specials_are_out() -> None:
    """002 §4: 所有特殊身份…全部死掉."""
    game = killed(table(), BUTTERFLY, ELDER, SNIPER, DOCTOR)
    assert verdict(game) is None
    assert verdict(voted_out(game, POLICE)) == Verdict("killers", "specials_out")


def test_killers_win_when_they_are_no_fewer_than_the_others() -> None:
    """002 §4: 杀手人数不少于非杀手人数."""
    game = killed(table(), 9, 10, 11, 12, 13, 5)
    assert verdict(game) is None
    assert verdict(killed(game, 4)) == Verdict("killers", "parity")


def test_the_last_killers_and_the_last_specials_in_one_night_is_a_draw() -> None:
    """002 §4: 最后1个或几个杀手与最后1个或几个特殊身份夜里同时死光，则平局."""
    game = killed(table(), 7, 8, BUTTERFLY, ELDER, DOCTOR, POLICE)
    game, dawn = night(game, shoot=6, kill=SNIPER)
    assert dawn.deaths == (3, 6)
    assert verdict(game) == Verdict("draw", "both_out")


# Every night there is, against a description of its own


def described(
    needled_before: frozenset[int], hug: int | None, kill: int | None, shot: int | None, needle: int | None
) -> tuple[set[int], set[int]]:
    """Who is dead at dawn, and who got an empty needle: 002 §3.A read out for one seat after another."""
    dead_, empty = set(), set()
    for seat in range(1, 14):
        # What befalls this seat: its own, nothing if it is hugged, the butterfly's if it is hugged.
        source = BUTTERFLY if seat == hug else seat
        was_killed, was_shot, was_needled = kill == source, shot == source, needle == source
        if was_killed and was_shot:
            dead_.add(seat)
        elif was_killed or was_shot:
            if not was_needled:
                dead_.add(seat)
        elif was_needled:
            empty.add(seat)
            if seat in needled_before:
                dead_.add(seat)
    return dead_, empty


def test_all_nights_among_thirteen_seats_come_out_as_described() -> None:
    """13 hugs × 14 victims × 14 shots × 14 needles, seat 9 having got its first empty needle before."""
    game = next_round(night(table(), needle=9)[0])
    everybody = (None, *range(1, 14))
    hugs = [seat for seat in everybody if seat != BUTTERFLY]
    for hug, kill, shot, needle in product(hugs, everybody, everybody, everybody):
        dawn = resolve(game, {"hug": hug, "kill": kill, "shoot": shot, "needle": needle})
        found = set(dawn.deaths), set(dawn.needles)
        assert found == described(frozenset({9}), hug, kill, shot, needle), (hug, kill, shot, needle)


# One seat of every kind: butterfly, hugged or not, a killer, two that are alike.
SOME = (None, BUTTERFLY, 6, 9, 10)


@pytest.mark.parametrize("hug", [None, 6, 9, 10])
@pytest.mark.parametrize("before", [(), (1,), (9,), (1, 9), (1, 6, 9, 10)], ids=str)
def test_every_night_comes_out_as_described(hug: int | None, before: tuple[int, ...]) -> None:
    """002 §3.A: all of hugged × needled before × killed × shot × needled."""
    game = table()
    for seat in before:
        game, _ = night(game, needle=seat)
        game = next_round(game)
    for kill, shot, needle in product(SOME, SOME, SOME):
        dawn = resolve(game, {"hug": hug, "kill": kill, "shoot": shot, "needle": needle})
        dead_, empty = described(frozenset(before), hug, kill, shot, needle)
        assert (set(dawn.deaths), set(dawn.needles)) == (dead_, empty), (hug, kill, shot, needle)


def test_nights_among_all_thirteen_seats_come_out_as_described() -> None:
    """The same over random seats and whole games of nights: needles are remembered to the end."""
    rng = random.Random(2002)
    for _ in range(60):
        game, needles = table(), set[int]()
        for _ in range(5):
            living = (None, *game.living)
            hug = rng.choice([seat for seat in living if seat != BUTTERFLY])
            kill, shot, needle, mute = (rng.choice(living) for _ in range(4))
            if not game.is_living(BUTTERFLY):
                hug = None
            shot, needle = (
                (shot if game.is_living(SNIPER) else None),
                (needle if game.is_living(DOCTOR) else None),
            )
            if not game.living_holders("killer"):
                kill = None
            dead_, empty = described(frozenset(needles), hug, kill, shot, needle)
            ended, dawn = night(game, hug=hug, kill=kill, shoot=shot, needle=needle, mute=mute)
            assert set(dawn.deaths) == dead_
            needles |= empty
            game = next_round(ended)


def test_how_many_can_die_in_one_night() -> None:
    """Butterfly and hugged together, one shot, one of two needles: never more than four."""
    game, _ = night(table(), needle=10)
    most = 0
    for hug, kill, shot in product((None, 6, 9, 10), SOME, SOME):
        for needle in SOME:
            choices = {"hug": hug, "kill": kill, "shoot": shot, "needle": needle}
            most = max(most, len(resolve(next_round(game), choices).deaths))
    assert most == 4
