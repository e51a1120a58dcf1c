"""生推版 (001 §一): one night without a victim, the moving first speaker, cards shown, who wins."""

from __future__ import annotations

from dataclasses import replace

import pytest
from game_tables import ejected, voted_out
from seated import night, seated

from narrator.rules.ballot import Drawn, Revote, after_tie
from narrator.rules.dawn import Dawn
from narrator.rules.game import Game, next_round, show
from narrator.rules.lastwords import has_last_words
from narrator.rules.leaving import cards_due
from narrator.rules.night import end_reported_night, resolve
from narrator.rules.order import speaking_order
from narrator.rules.ruleset import NightStep, load
from narrator.rules.victory import Verdict, could_be_over, may_surrender, verdict


def table(players: int = 6, number: int = 1, right_hand: int = 1) -> Game:
    """Killers 1 and 2, the rest civilians."""
    return replace(seated("showdown", players, killer=(1, 2)), number=number, right_hand=right_hand)


def test_six_or_seven_play_with_two_killers() -> None:
    """001 §一.1."""
    assert dict(load("showdown").deals) == {6: {"killer": 2, "civilian": 4}, 7: {"killer": 2, "civilian": 5}}


def test_in_the_only_night_the_killers_wake_and_do_nothing() -> None:
    """001 §一.3(4)-(6): 睁眼辨认自己的同伴."""
    ruleset = load("showdown")
    assert ruleset.night == (NightStep("killer", None),)
    assert [ruleset.has_night(round_) for round_ in (1, 2, 3)] == [True, False, False]
    assert resolve(table(), {}) == Dawn(())
    with pytest.raises(ValueError, match="'kill' is no act of showdown"):
        resolve(table(), {"kill": 3})


def test_seat_one_begins_the_first_game_seat_two_the_second_and_around() -> None:
    """001 §一.3(8): 从1号位玩家开始发言（下一局游戏则从2号位开始，以此类推）."""
    first = [speaking_order(table(number=game), None)[0] for game in range(1, 9)]
    assert first == [1, 2, 3, 4, 5, 6, 1, 2]
    assert speaking_order(table(number=3), None) == (3, 4, 5, 6, 1, 2)


def test_a_table_numbered_the_other_way_speaks_to_the_right_all_the_same() -> None:
    """001 §一.3(8): 从其右手边第一人开始; house decision: right_hand = -1."""
    assert speaking_order(table(number=3, right_hand=-1), None) == (3, 2, 1, 6, 5, 4)


def test_later_rounds_begin_right_of_the_last_player_out() -> None:
    """001 §一.3(12): 从前轮出局者右手边第一个人开始发言."""
    game = next_round(voted_out(table(number=3), 4))
    assert speaking_order(game, None) == (5, 6, 1, 2, 3)


def test_a_first_speaker_who_was_sent_out_hands_on_to_the_right() -> None:
    """House decision."""
    assert speaking_order(ejected(table(number=3), 3), None)[0] == 4


def test_two_laps_in_the_first_round_one_in_all_others() -> None:
    """001 §一.3(9), (12)."""
    assert [load("showdown").day.laps_in(round_) for round_ in (1, 2, 3)] == [2, 1, 1]


def test_everybody_voted_out_leaves_last_words() -> None:
    """001 §一.3(11), (13): 出局者不论身份如何均可留遗言."""
    game = voted_out(table(7), 3, 1, 4)
    assert all(has_last_words(game, seat) for seat in (3, 1, 4))


def test_the_first_card_stays_hidden_the_second_is_shown() -> None:
    """001 §一.3(11), (13): 并需亮出底牌."""
    game = voted_out(table(7), 3)
    assert cards_due(game) == ()
    assert cards_due(voted_out(game, 4)) == (4,)


def test_a_killer_shown_second_has_the_first_shown_as_well() -> None:
    """001 §一.3(14): 如果第二轮出局的玩家亮出的底牌是杀手，则第一个出局者需亮出底牌."""
    game = voted_out(table(7), 3, 1)
    assert cards_due(game) == (1,)
    game = show(game, 1, killer=True)
    assert cards_due(game) == (3,)
    assert cards_due(show(game, 3, killer=False)) == ()


def test_a_civilian_shown_second_leaves_the_first_card_hidden() -> None:
    """001 §一.3(14)-(15)."""
    assert cards_due(show(voted_out(table(7), 3, 4), 4, killer=False)) == ()


def test_from_the_third_on_every_card_is_shown() -> None:
    """001 §一.3(15): 第三轮，流程与第二轮相同."""
    game = show(voted_out(table(7), 3, 4, 5), 4, killer=False)
    assert cards_due(game) == (5,)


def test_who_was_ejected_shows_nothing_and_does_not_count() -> None:
    """House decision."""
    assert cards_due(voted_out(ejected(table(7), 3), 4)) == ()


def test_ties_are_as_in_standard() -> None:
    """House decision from 001 §二.4."""
    game = table()
    assert after_tie(game, 1, (3, 4), game.living) == Revote((3, 4), (3, 4))
    assert after_tie(game, 3, (3, 4), game.living) == Drawn()


def test_civilians_win_when_both_killers_are_out() -> None:
    """001 §一.3(14), (16)."""
    game = voted_out(table(), 1)
    assert verdict(game) is None
    assert verdict(voted_out(game, 2)) == Verdict("good", "killers_out")


def test_as_many_killers_as_civilians_is_the_killers() -> None:
    """001 §一.3(16): 活着的杀手人数与平民人数相同的情况，则直接判杀手胜."""
    game = voted_out(table(), 3)
    assert verdict(game) is None
    assert verdict(voted_out(game, 4)) == Verdict("killers", "level")
    assert verdict(voted_out(voted_out(table(7), 1), 3, 4, 5)) is None
    assert verdict(voted_out(voted_out(table(7), 1), 3, 4, 5, 6)) == Verdict("killers", "level")


def test_only_killers_can_surrender() -> None:
    """001 §二.5(5) 平民除外; there are no police."""
    game = voted_out(table(), 1)
    assert may_surrender(game, "killer")
    assert not may_surrender(game, "police")


def test_a_judge_who_keeps_the_secrets_is_asked_no_sooner_than_the_shown_cards_allow() -> None:
    """House decision: cards that were shown count."""
    ended, _ = end_reported_night(Game(load("showdown"), 7), ())
    game = voted_out(ended, 3)
    assert not could_be_over(game)
    game = voted_out(game, 4)
    assert could_be_over(game)
    assert not could_be_over(show(game, 4, killer=False))
    assert could_be_over(show(game, 4, killer=True))


# Every way in which a table of six can come out


def endings(game: Game) -> dict[str, int]:
    """In how many orders of voting out (nobody ejected, no tie) each ending comes about."""
    if found := verdict(game):
        return {found.reason: 1}
    counts: dict[str, int] = {}
    for seat in game.living:
        for reason, ways in endings(next_round(voted_out(game, seat))).items():
            counts[reason] = counts.get(reason, 0) + ways
    return counts


def counted(killers: int, civilians: int) -> dict[str, int]:
    """The same by arithmetic, from 001 §一.3(16) alone."""
    if killers == 0:
        return {"killers_out": 1}
    if killers == civilians:
        return {"level": 1}
    counts: dict[str, int] = {}
    for seats, after in ((killers, (killers - 1, civilians)), (civilians, (killers, civilians - 1))):
        for reason, ways in counted(*after).items():
            counts[reason] = counts.get(reason, 0) + seats * ways
    return counts


@pytest.mark.parametrize(
    ("players", "expected"),
    [(6, {"killers_out": 66, "level": 108}), (7, {"killers_out": 502, "level": 780})],
)
def test_the_number_of_ways_to_each_ending_stays_what_it_was(players: int, expected: dict[str, int]) -> None:
    first, _ = night(table(players))
    assert endings(first) == counted(2, players - 2) == expected
