"""狼人杀: in none of the seeds, so every rule is a house decision; they are told here one by one."""

from __future__ import annotations

from itertools import product

from game_tables import ejected, killed, voted_out
from seated import later_night, night, seated

from narrator.rules.ballot import Nobody, Revote, after_tie
from narrator.rules.dawn import Dawn
from narrator.rules.game import Cause, Game, leave
from narrator.rules.lastwords import has_last_words
from narrator.rules.leaving import asks_parting, may_take_along
from narrator.rules.night import Refusal, hint, may_choose, resolve
from narrator.rules.ruleset import NightStep, load
from narrator.rules.victory import Verdict, verdict

PROTECT, KILL, SAVE, POISON, CHECK, SEEN = load("werewolf").night
SEER, WITCH, HUNTER, GUARD = 5, 6, 7, 8


def table() -> Game:
    """Wolves 1 to 4, seer 5, witch 6, hunter 7, guard 8, villagers 9 to 12."""
    return seated("werewolf", 12, wolf=(1, 2, 3, 4), seer=SEER, witch=WITCH, hunter=HUNTER, guard=GUARD)


def test_twelve_play_four_wolves_four_specials_four_villagers() -> None:
    assert dict(load("werewolf").deals) == {
        12: {"wolf": 4, "seer": 1, "witch": 1, "hunter": 1, "guard": 1, "civilian": 4}
    }


def test_the_order_of_the_night_the_hunter_is_only_seen_and_only_once() -> None:
    assert NightStep("hunter", None, first_night=True) == SEEN
    assert [step.act for step in load("werewolf").tonight(1)] == [
        *("protect", "kill", "save", "poison", "check"),
        None,
    ]
    assert "hunter" not in [step.role for step in load("werewolf").tonight(2)]


def test_the_guarded_live_and_the_saved_live_but_both_at_once_is_death() -> None:
    assert resolve(table(), {"kill": 9}) == Dawn((9,), victim=9)
    assert resolve(table(), {"kill": 9, "protect": 9}) == Dawn(())
    assert resolve(table(), {"kill": 9, "save": 9}) == Dawn(())
    assert resolve(table(), {"kill": 9, "protect": 9, "save": 9}) == Dawn((9,), victim=9)


def test_nothing_helps_against_poison() -> None:
    assert resolve(table(), {"protect": 9, "poison": 9}) == Dawn((9,))
    assert resolve(table(), {"kill": 9, "poison": 1}).deaths == (1, 9)
    assert resolve(table(), {"kill": 9, "poison": 9, "protect": 9}) == Dawn((9,))


def test_the_guard_may_not_guard_the_same_seat_twice_running() -> None:
    game, _ = night(table(), protect=9, kill=10)
    assert may_choose(game, PROTECT, 9) is Refusal.FORBIDDEN
    assert may_choose(game, PROTECT, GUARD) is None
    game, _ = later_night(game, protect=11, kill=12)
    assert may_choose(game, PROTECT, 9) is None


def test_a_guard_who_rested_may_guard_anybody() -> None:
    game, _ = night(table(), protect=None, kill=10)
    assert all(may_choose(game, PROTECT, seat) is None for seat in game.living)


def test_the_witch_saves_only_the_wolves_victim_even_herself() -> None:
    assert may_choose(table(), SAVE, 9, {"kill": 9}) is None
    assert may_choose(table(), SAVE, WITCH, {"kill": WITCH}) is None
    assert may_choose(table(), SAVE, 10, {"kill": 9}) is Refusal.FORBIDDEN
    assert may_choose(table(), SAVE, 9, {"kill": None}) is Refusal.FORBIDDEN
    assert may_choose(table(), SAVE, None, {"kill": 9}) is None


def test_the_witch_has_each_potion_once_and_uses_one_a_night() -> None:
    assert may_choose(table(), POISON, 1, {"kill": 9, "save": 9}) is Refusal.FORBIDDEN
    assert may_choose(table(), POISON, 1, {"kill": 9, "save": None}) is None
    game, _ = night(table(), kill=9, save=9)
    assert may_choose(game, SAVE, 10, {"kill": 10}) is Refusal.SPENT
    assert may_choose(game, POISON, 1, {"kill": 10}) is None
    game, _ = later_night(game, kill=10, poison=1)
    assert may_choose(game, POISON, 2, {"kill": 11}) is Refusal.SPENT


def test_the_seer_tells_wolves_from_all_others() -> None:
    shown = [seat for seat in range(1, 13) if hint(table(), CHECK, {"check": seat}) == "yes"]
    assert shown == [1, 2, 3, 4]


def test_the_hunter_takes_somebody_along_when_killed_or_voted_out_unless_poisoned() -> None:
    game, _ = night(table(), kill=HUNTER)
    assert may_take_along(game, HUNTER)
    assert may_take_along(voted_out(table(), HUNTER), HUNTER)
    game, _ = night(table(), kill=9, poison=HUNTER)
    assert not may_take_along(game, HUNTER)
    game, _ = night(table(), kill=HUNTER, poison=HUNTER)
    assert not may_take_along(game, HUNTER)
    assert not may_take_along(voted_out(table(), SEER), SEER)


def test_everybody_who_leaves_is_asked_the_same_until_somebody_was_taken_along() -> None:
    """Secrecy: the question must not tell that there is a hunter to be asked."""
    game = voted_out(killed(table(), 9), 10)
    assert asks_parting(game, 9)
    assert asks_parting(game, 10)
    taken = leave(game, (1,), Cause.SHOT)
    assert not any(asks_parting(taken, seat) for seat in (9, 10, 1))
    assert not asks_parting(ejected(table(), HUNTER), HUNTER)


def test_while_only_the_judge_knows_the_hunter_his_word_stands() -> None:
    assert may_take_along(voted_out(Game(load("werewolf"), 12), 9), 9)


def test_the_first_night_s_dead_and_the_voted_out_leave_words() -> None:
    game, _ = night(table(), kill=9, poison=10)
    assert has_last_words(game, 9)
    assert has_last_words(game, 10)
    game, _ = later_night(game, kill=11)
    assert not has_last_words(game, 11)
    assert has_last_words(voted_out(game, 1), 1)
    assert not has_last_words(leave(game, (2,), Cause.SHOT), 2)


def test_the_tied_are_voted_on_once_more_and_then_nobody_leaves() -> None:
    game = table()
    assert after_tie(game, 1, (9, 10), game.living) == Revote((9, 10), (9, 10))
    assert after_tie(game, 2, (9, 10), game.living) == Nobody()


def test_good_wins_without_wolves() -> None:
    assert verdict(voted_out(killed(table(), 1, 2, 3), 4)) == Verdict("good", "killers_out")


def test_wolves_win_over_all_villagers_or_over_all_specials() -> None:
    assert verdict(killed(table(), 9, 10, 11)) is None
    assert verdict(killed(table(), 9, 10, 11, 12)) == Verdict("killers", "civilians_out")
    assert verdict(killed(table(), SEER, WITCH, HUNTER)) is None
    assert verdict(killed(table(), SEER, WITCH, HUNTER, GUARD)) == Verdict("killers", "specials_out")


def test_the_last_wolf_and_the_last_villager_together_is_the_good_side_s() -> None:
    game = killed(table(), 1, 2, 3, 9, 10, 11)
    assert verdict(killed(game, 4, 12)) == Verdict("good", "killers_out")


def described(protect: int | None, kill: int | None, save: bool, poison: int | None) -> set[int]:
    """Who is dead at dawn, said for one seat after another."""
    dead = set()
    for seat in range(1, 13):
        guarded, saved = protect == seat, save
        if kill == seat and not (guarded or saved):
            dead.add(seat)
        if kill == seat and guarded and saved:
            dead.add(seat)
        if poison == seat:
            dead.add(seat)
    return dead


def test_every_night_comes_out_as_described() -> None:
    """13 guarded × 13 victims × saved or not × 13 poisoned."""
    game, seats = table(), (None, *range(1, 13))
    for protect, kill, save, poison in product(seats, seats, (False, True), seats):
        choices = {"protect": protect, "kill": kill, "save": kill if save else None, "poison": poison}
        dawn = resolve(game, choices)
        assert set(dawn.deaths) == described(protect, kill, save, poison), choices
