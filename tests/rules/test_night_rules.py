"""The night: whom one may choose, what it does, what the judge's gesture says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from game_tables import CHECK, KILL, killed, table, voted_out

from narrator.rules.game import Game, next_round
from narrator.rules.night import Dawn, Refusal, hint, may_choose, resolve
from narrator.rules.ruleset import NightStep

BOTH = pytest.mark.parametrize("ruleset_id", ["standard", "classic"])


@BOTH
def test_the_killers_victim_dies(ruleset_id: str) -> None:
    """000 §3.13, 001 §二.3(11)."""
    assert resolve(table(ruleset_id), {"kill": 7, "check": 1}) == Dawn((7,), victim=7)


@BOTH
def test_killers_may_choose_one_of_their_own(ruleset_id: str) -> None:
    """自杀: 000 §5.7, 001 §二.5(7)."""
    game = table(ruleset_id)
    assert game.holders("killer")[0] == 1
    assert may_choose(game, KILL, 1) is None
    assert resolve(game, {"kill": 1, "check": None}) == Dawn((1,), victim=1)


@BOTH
def test_police_may_check_anybody_living_even_one_of_their_own(ruleset_id: str) -> None:
    """000 §3.10, 001 §二.3(8): no seat is excepted."""
    game = table(ruleset_id)
    assert all(may_choose(game, CHECK, seat) is None for seat in game.living)


@pytest.mark.parametrize("step", [KILL, CHECK], ids=lambda step: step.act)
def test_none_is_accepted_for_any_action(step: NightStep) -> None:
    """House decision: the judge may answer 无."""
    assert may_choose(table(barred=5), step, None) is None


def test_a_night_without_a_victim_is_peaceful() -> None:
    """House decision (无 for any action): nobody dies."""
    assert resolve(table(), {"kill": None, "check": 3}) == Dawn(())
    assert resolve(table(), {"check": 3}) == Dawn(())


@pytest.mark.parametrize("step", [KILL, CHECK], ids=lambda step: step.act)
def test_only_the_living_can_be_chosen(step: NightStep) -> None:
    """House decision, Night: a seat that is out, or that isn't at the table, is refused with the reason."""
    game = killed(table(), 5)
    assert may_choose(game, step, 5) is Refusal.OUT
    assert may_choose(game, step, 13) is Refusal.NO_SUCH_SEAT
    assert may_choose(game, step, 0) is Refusal.NO_SUCH_SEAT
    assert may_choose(game, step, 6) is None


@BOTH
def test_the_same_player_is_not_the_first_victim_twice_running(ruleset_id: str) -> None:
    """不允许连续两局第一轮首杀同一个人: 000 §5.8, 001 §二.5(8)."""
    game = table(ruleset_id, barred=5)
    assert may_choose(game, KILL, 5) is Refusal.BARRED
    assert may_choose(game, KILL, 6) is None


def test_the_previous_first_victim_may_be_checked_in_the_first_night() -> None:
    """000 §5.8, 001 §二.5(8) speak of killing only."""
    assert may_choose(table(barred=5), CHECK, 5) is None


def test_the_previous_first_victim_may_be_killed_from_the_second_night_on() -> None:
    """000 §5.8, 001 §二.5(8): 第一轮."""
    assert may_choose(next_round(table(barred=5)), KILL, 5) is None


def test_a_table_may_agree_to_allow_the_same_first_victim() -> None:
    """001 preface: 自定义规则 are changes of the standard ones."""
    strict = table(barred=5)
    lenient = replace(strict, ruleset=replace(strict.ruleset, repeat_first_victim=True))
    assert may_choose(lenient, KILL, 5) is None


def shown(game: Game, seat: int | None) -> str | None:
    """The gesture for the police who checked that seat."""
    return hint(game, CHECK, {"check": seat})


@BOTH
def test_the_gesture_tells_a_killer_from_everybody_else(ruleset_id: str) -> None:
    """准确身份: 000 §3.10, 001 §二.3(8). Seats 1-3 are killers, 4-6 police, the rest civilians."""
    game = table(ruleset_id)
    assert [seat for seat in game.seats if shown(game, seat) == "yes"] == [1, 2, 3]
    assert all(shown(game, seat) == "no" for seat in range(4, 13))


def test_there_is_no_gesture_without_a_checked_seat_or_without_known_roles() -> None:
    assert shown(table(), None) is None
    assert shown(table(known=False), 1) is None


def test_killers_are_shown_nothing() -> None:
    """000 §3.7, 001 §二.3(6): the judge only closes their eyes again."""
    assert hint(table(), KILL, {"kill": 4}) is None


def police_out() -> Game:
    return voted_out(killed(table("standard", 8), 3), 4)


def test_police_who_are_all_out_learn_nothing() -> None:
    """House decision, Night: a role whose holders are out is still called, but acts no more."""
    game = police_out()
    assert game.living_holders("police") == ()
    assert shown(game, 1) is None


def test_killers_who_are_all_out_kill_nobody() -> None:
    """House decision, Night: the dead act no more, whatever the judge answers."""
    game = voted_out(killed(table("standard", 8), 1), 2)
    assert resolve(game, {"kill": 5, "check": 6}) == Dawn(())


def test_while_only_the_judge_knows_the_roles_his_answer_stands() -> None:
    """He knows who is out; the rules can't."""
    assert resolve(table(known=False), {"kill": 5}) == Dawn((5,), victim=5)


def test_an_act_that_the_ruleset_does_not_have_is_a_mistake() -> None:
    for game in (table(), table(known=False)):
        with pytest.raises(ValueError, match="'heal' is no act of standard"):
            resolve(game, {"kill": 5, "heal": 5})
