"""The code sheet: exact permutations, uniform, independent, the same again from the same seed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.moderator.codesheet import CodeSheet, rows_for

STEPS = (("killer", "kill", None), ("police", "check", "is_killer"))
COUNTS = {"killer": 2, "police": 2, "civilian": 5}
SEEDS = range(3000)


def sheet(seed: int = 7, seats: int = 9, nights: int = 3, spare: int = 2) -> CodeSheet:
    return CodeSheet(seed, seats, rows_for([STEPS] * nights, COUNTS), spare)


def numbering(drawn: CodeSheet, row: str) -> list[int]:
    return [drawn.code(row, seat) for seat in (*range(1, drawn.seats + 1), None)]


def test_the_first_night_asks_for_every_holder_and_then_for_the_act() -> None:
    assert rows_for([STEPS, STEPS], COUNTS) == (
        *("n1.killer.who1", "n1.killer.who2", "n1.killer.kill"),
        *("n1.police.who1", "n1.police.who2", "n1.police.check", "n1.police.hint"),
        *("n2.killer.kill", "n2.police.check", "n2.police.hint"),
    )


def test_a_role_that_sleeps_through_the_night_is_asked_for_and_a_plain_one_is_not() -> None:
    rows = rows_for([STEPS, STEPS], {"killer": 1, "police": 1, "ghost": 1, "civilian": 6})
    assert "n1.ghost.who1" in rows
    assert not [row for row in rows if "civilian" in row]


def test_a_role_that_acts_twice_a_night_is_identified_once() -> None:
    rows = rows_for([[("witch", "heal", None), ("witch", "poison", None)]], {"witch": 1})
    assert rows == ("n1.witch.who1", "n1.witch.heal", "n1.witch.poison")


def test_a_role_that_is_only_seen_has_no_row_but_its_holder_s() -> None:
    rows = rows_for([[("hunter", None, None)], []], {"hunter": 1})
    assert rows == ("n1.hunter.who1",)


def test_a_row_with_three_gestures_tells_them_apart() -> None:
    """002 §2.E: nod, shake, or no sign at all for the hugged one."""
    rows = rows_for([[("police", "check", "is_killer_unless_hugged")]], {"police": 1})
    assert rows[-1] == "n1.police.hint3"
    drawn = [CodeSheet(seed, 13, rows) for seed in range(900)]
    told = [tuple(one.gesture_code(rows[-1], name) for name in ("yes", "no", "nothing")) for one in drawn]
    assert {tuple(sorted(codes)) for codes in told} == {(1, 2, 3)}
    # 150 expected of each of the six orders; 60 is five standard deviations.
    assert max(abs(told.count(codes) - 150) for codes in set(told)) < 60


def test_no_row_comes_up_twice() -> None:
    drawn = sheet(nights=8, spare=24)
    rows = [*drawn.rows, *drawn.spares]
    assert len(set(rows)) == len(rows)


@given(seed=st.integers(0, 2**63), seats=st.integers(4, 16))
def test_every_row_gives_every_seat_and_none_a_number_of_its_own(seed: int, seats: int) -> None:
    drawn = sheet(seed, seats)
    for row in (*drawn.rows, *drawn.spares):
        if row.endswith(".hint"):
            assert {drawn.gesture_code(row, "yes"), drawn.gesture_code(row, "no")} == {1, 2}
        else:
            assert sorted(numbering(drawn, row)) == list(range(1, seats + 2))
            for seat in (*range(1, seats + 1), None):
                assert drawn.seat(row, drawn.code(row, seat)) == seat


def test_each_number_stands_for_each_seat_equally_often() -> None:
    places = [0] * 10
    counts = [places.copy() for _ in range(10)]
    for seed in SEEDS:
        for place, code in enumerate(numbering(sheet(seed), "n1.killer.kill")):
            counts[place][code - 1] += 1
    # 300 expected in each cell; a binomial cell strays by 16.4 on average, 80 is five times that.
    assert max(abs(count - len(SEEDS) / 10) for row in counts for count in row) < 80


def test_a_gesture_is_one_or_two_equally_often() -> None:
    ones = sum(sheet(seed).gesture_code("n2.police.hint", "yes") == 1 for seed in SEEDS)
    assert abs(ones - len(SEEDS) / 2) < 140  # five standard deviations


@pytest.mark.parametrize(
    ("one", "other"),
    list(
        pairwise(("n1.killer.who1", "n1.killer.who2", "n1.killer.kill", "n2.killer.kill", "spare1", "spare2"))
    ),
)
def test_one_row_tells_nothing_about_the_next(one: str, other: str) -> None:
    pairs = [[0] * 10 for _ in range(10)]
    for seed in SEEDS:
        drawn = sheet(seed)
        pairs[drawn.code(one, 3) - 1][drawn.code(other, 3) - 1] += 1
    # 30 expected in each of the 100 cells; a cell strays by 5.4 on average.
    assert max(abs(count - len(SEEDS) / 100) for row in pairs for count in row) < 5 * 5.5


def test_neighbouring_seeds_are_strangers() -> None:
    same = sum(
        sheet(seed).code("n1.killer.kill", 1) == sheet(seed + 1).code("n1.killer.kill", 1) for seed in SEEDS
    )
    assert abs(same - len(SEEDS) / 10) < 80


def test_a_sheet_once_printed_stays_valid() -> None:
    """The journal keeps only the seed: another Python, or a longer game, must draw the same numbers."""
    golden = [5, 6, 4, 1, 7, 9, 10, 3, 2, 8]
    assert numbering(sheet(seed=2024), "n1.killer.kill") == golden
    assert numbering(sheet(seed=2024, nights=8, spare=0), "n1.killer.kill") == golden


@pytest.mark.parametrize("code", [0, 11, -1])
def test_a_number_that_is_not_in_the_row_is_refused(code: int) -> None:
    with pytest.raises(KeyError):
        sheet().seat("n1.killer.kill", code)


@pytest.mark.parametrize("seat", [0, 10])
def test_a_seat_that_is_not_at_the_table_has_no_number(seat: int) -> None:
    with pytest.raises(KeyError):
        sheet().code("n1.killer.kill", seat)


def test_rows_that_are_not_on_the_sheet_or_of_the_other_kind_are_refused() -> None:
    for row in ("n9.killer.kill", "spare3", "n1.police.hint"):
        with pytest.raises(KeyError):
            sheet().code(row, 1)
    with pytest.raises(KeyError):
        sheet().gesture_code("n1.killer.kill", "yes")
