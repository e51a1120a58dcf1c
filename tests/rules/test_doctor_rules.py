"""3.0 版 (001 §三): the doctor's needle, the secret police's single shot, nights without deaths."""

from __future__ import annotations

from itertools import product

import pytest
from game_tables import ejected, killed, voted_out
from seated import later_night, night, seated

from narrator.rules.dawn import Dawn
from narrator.rules.game import Game
from narrator.rules.lastwords import has_last_words
from narrator.rules.night import Refusal, end_reported_night, hint, may_choose
from narrator.rules.order import speaking_order
from narrator.rules.ruleset import load
from narrator.rules.victory import Verdict, could_be_over, verdict

SHOOT, KILL, CHECK, HEAL = load("doctor").night


def table() -> Game:
    """Eight players: killers 1 and 2, police 3 and 4, secret police 5, doctor 6, civilians 7 and 8."""
    return seated("doctor", 8, killer=(1, 2), police=(3, 4), secret_police=5, doctor=6)


def test_one_doctor_and_one_secret_police_are_added_to_the_police_game() -> None:
    """001 §三: 杀手警察人数配置同警察版,在此基础上增加一医生一秘密警察."""
    for players in range(8, 16):
        standard = load("standard").deal(players)
        extra = {"secret_police": 1, "doctor": 1, "civilian": standard["civilian"] - 2}
        assert load("doctor").deal(players) == {**standard, **extra}


def test_the_secret_police_act_before_everybody_else() -> None:
    """001 §三 补充: 一定要赶在其他角色人物之前完成."""
    steps = load("doctor").night
    assert [step.act for step in steps] == ["shoot", "kill", "check", "heal"]
    assert steps[0].uses == 1


def test_the_doctor_saves_whom_the_killers_chose() -> None:
    """001 §三: 被医的人如果刚好是被杀手杀…的,则此人被医生救活."""
    game, dawn = night(table(), kill=7, heal=7)
    assert dawn == Dawn(())
    assert game.living == tuple(range(1, 9))


def test_the_doctor_saves_whom_the_secret_police_shot() -> None:
    """001 §三: …或者秘密警察杀的; a quack makes the secret police fire in vain."""
    assert night(table(), shoot=1, heal=1)[1] == Dawn(())


def test_shot_and_killed_and_treated_lives() -> None:
    """House decision: one treatment saves from both."""
    assert night(table(), shoot=7, kill=7, heal=7)[1] == Dawn(())


def test_an_empty_needle_heals_in_a_night_and_kills_twice_running() -> None:
    """001 §三: 针孔隔一天可以愈合; 连续两个针孔将把人医死."""
    game, dawn = night(table(), kill=None, heal=7)
    assert dawn == Dawn((), needles=(7,))
    rested, _ = later_night(game, kill=None, heal=8)
    assert later_night(rested, kill=None, heal=7)[1].deaths == ()
    assert later_night(game, kill=None, heal=7)[1].deaths == (7,)


def test_a_needle_that_saves_is_no_empty_one_and_heals_the_one_before() -> None:
    """House decision from 001 §三: the treatment of one who is hit leaves no needle hole."""
    game, _ = night(table(), kill=None, heal=7)
    game, dawn = later_night(game, kill=7, heal=7)
    assert dawn == Dawn(())
    assert later_night(game, kill=None, heal=7)[1].deaths == ()


def test_three_die_in_one_night() -> None:
    """001 §三, 某一轮有3个人同时死亡: killed, shot, and two empty needles."""
    game, _ = night(table(), kill=None, heal=7)
    game, dawn = later_night(game, shoot=2, kill=4, heal=7)
    assert dawn == Dawn((2, 4, 7), victim=4, needles=(7,))
    assert game.living == (1, 3, 5, 6, 8)


def test_the_secret_police_shoot_once_a_game() -> None:
    """001 §三: 秘密警察的权利在一盘游戏中只有一次."""
    game, _ = night(table(), shoot=None, kill=7)
    assert may_choose(game, SHOOT, 1) is None
    game, _ = later_night(game, shoot=1, kill=8)
    assert may_choose(game, SHOOT, 2) is Refusal.SPENT
    assert may_choose(game, SHOOT, None) is None
    assert may_choose(game, KILL, 3) is None


def test_a_shot_in_vain_is_a_shot() -> None:
    """001 §三: 一个庸医…让秘密警察放空枪; once used it can't be used again."""
    game, _ = night(table(), shoot=1, kill=7, heal=1)
    assert game.is_living(1)
    assert may_choose(game, SHOOT, 1) is Refusal.SPENT


def test_a_dead_doctor_and_a_dead_secret_police_do_nothing() -> None:
    """001 §三 补充; house decision, Night: the dead act no more, whatever the judge answers."""
    game = killed(table(), 5, 6)
    assert night(game, shoot=1, kill=7, heal=7)[1] == Dawn((7,), victim=7)


def test_the_doctor_treats_himself_and_the_dying_doctor_still_treats() -> None:
    """001 §三: 可以救自己; all acts of one night happen at the same time."""
    assert may_choose(table(), HEAL, 6) is None
    assert night(table(), kill=6, heal=6)[1] == Dawn(())
    assert night(table(), shoot=7, kill=6, heal=7)[1] == Dawn((6,), victim=6)


def test_killers_may_kill_themselves_and_be_saved() -> None:
    """001 §三 补充: 如果正好救到自杀的杀手那就经典了."""
    assert may_choose(table(), KILL, 1) is None
    assert night(table(), kill=1, heal=1)[1] == Dawn(())


def test_the_doctor_can_not_treat_the_dead() -> None:
    """001 §三 补充: 医生不能救死人."""
    assert may_choose(killed(table(), 7), HEAL, 7) is Refusal.OUT


def test_the_police_learn_whether_it_is_a_killer() -> None:
    """001 §三: as standard (§二.3(8)); the secret police and the doctor are no killers."""
    shown = {seat: hint(table(), CHECK, {"check": seat}) for seat in range(1, 9)}
    assert [seat for seat, gesture in shown.items() if gesture == "yes"] == [1, 2]


def test_the_first_victim_is_not_the_same_twice_running() -> None:
    """House decision: 001 §二.5(8) holds here too, for the killers only."""
    game = table()
    barred = Game(game.ruleset, 8, game.roles, barred=7)
    assert may_choose(barred, KILL, 7) is Refusal.BARRED
    assert may_choose(barred, SHOOT, 7) is None


def test_speeches_begin_right_of_the_killers_victim_else_of_the_last_announced() -> None:
    """001 §二.3(12); house decision where the killers' victim lives."""
    game, dawn = night(table(), shoot=2, kill=4)
    assert speaking_order(game, dawn.victim)[0] == 5
    game, dawn = night(table(), shoot=2, kill=4, heal=4)
    assert (dawn.deaths, dawn.victim) == ((2,), None)
    assert speaking_order(game, dawn.victim)[0] == 3


def test_last_words_are_as_many_as_killers_in_the_order_announced() -> None:
    """House decision from 001 §二 注释: two killers, so the first two of three dead."""
    game, _ = night(table(), kill=None, heal=7)
    game, _ = later_night(game, shoot=2, kill=4, heal=7)
    assert [seat for seat in (2, 4, 7) if has_last_words(game, seat)] == [2, 4]


# Winning


def test_killers_win_when_the_ordinary_police_are_out() -> None:
    """001 §三: 杀手杀死全部警察; the secret police don't count."""
    assert verdict(killed(table(), 3)) is None
    assert verdict(killed(table(), 3, 4)) == Verdict("killers", "police_out")


def test_killers_win_with_half_of_the_living() -> None:
    """001 §三: 或者杀手人数占到半数的时候."""
    game = killed(table(), 7, 8, 6)
    assert verdict(game) is None
    assert verdict(ejected(game, 5)) == Verdict("killers", "half")


def test_good_wins_when_the_killers_are_out() -> None:
    """001 §三: 全部杀手死亡,好人一方获胜."""
    assert verdict(voted_out(killed(table(), 1), 2)) == Verdict("good", "killers_out")


def test_police_and_killers_out_together_is_the_killers() -> None:
    """001 §三, end: 如果结局出现警察杀手都死掉的情况,杀手得分."""
    game = killed(table(), 1, 3)
    assert verdict(killed(game, 2, 4)) == Verdict("killers", "police_out")


def test_a_judge_who_keeps_the_secrets_tells_who_died() -> None:
    """House decision: whom the killers chose is known only where one alone died."""
    game = Game(load("doctor"), 8)
    assert end_reported_night(game, (7,))[1] == Dawn((7,), victim=7)
    assert end_reported_night(game, (7, 2))[1] == Dawn((2, 7))
    assert not could_be_over(killed(game, 2))
    assert could_be_over(killed(game, 2, 7))


# Every night there is, against a description of its own


def described(before: int | None, shot: int | None, kill: int | None, heal: int | None) -> set[int]:
    """Who is dead at dawn, said in the words of 001 §三; ``before`` got an empty needle last night."""
    dead = set()
    for seat in range(1, 9):
        by_killers, by_police, treated = kill == seat, shot == seat, heal == seat
        if by_killers or by_police:
            if not treated:
                dead.add(seat)
        elif treated and before == seat:
            dead.add(seat)
    return dead


SEATS = (None, *range(1, 9))


@pytest.mark.parametrize("before", SEATS)
def test_every_second_night_comes_out_as_described(before: int | None) -> None:
    """001 §三: 9 × 9 × 9 nights after each of nine first ones (nobody treated, or one of the eight)."""
    game, _ = night(table(), kill=None, heal=before)
    for shot, kill, heal in product(SEATS, SEATS, SEATS):
        _, dawn = later_night(game, shoot=shot, kill=kill, heal=heal)
        assert set(dawn.deaths) == described(before, shot, kill, heal), (before, shot, kill, heal)
        assert len(dawn.deaths) <= 3
        assert dawn.needles == ((heal,) if heal is not None and heal not in (shot, kill) else ())
        assert dawn.victim == (kill if kill in dawn.deaths else None)


def test_the_numbers_of_dead_over_all_second_nights() -> None:
    """How often none, one, two and three die, over all 6,561 pairs of an empty needle and a night."""
    counts = dict.fromkeys(range(4), 0)
    for before, shot, kill, heal in product(SEATS, SEATS, SEATS, SEATS):
        counts[len(described(before, shot, kill, heal))] += 1
    game_counts = dict.fromkeys(range(4), 0)
    for before in SEATS:
        game, _ = night(table(), kill=None, heal=before)
        for shot, kill, heal in product(SEATS, SEATS, SEATS):
            game_counts[len(later_night(game, shoot=shot, kill=kill, heal=heal)[1].deaths)] += 1
    assert game_counts == counts == DEAD


DEAD = {0: 289, 1: 2_576, 2: 3_360, 3: 336}
