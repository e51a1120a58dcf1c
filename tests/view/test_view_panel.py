"""What the view says of a moment of a game."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from narrator.messages import LANGUAGES, catalogue
from narrator.moderator.expectations import Kind
from narrator.moderator.machine import STATES
from narrator.moderator.standing import Standing
from narrator.mouth.lines import load_pack
from narrator.resources import voices_folder
from narrator.table.view.board import Facts, Remark
from narrator.table.view.panel import Look, Panel
from narrator.understanding.phrasebook import load_phrasebook

PANEL = Panel(load_pack(voices_folder() / "zh-CN"))

SECOND_DAY = Standing("speeches", 2, tuple(range(1, 9)), (1, 2, 4, 5, 7, 8), "standard", secrets="keypad")
SPEECH = Facts(
    SECOND_DAY,
    awaited="pass",
    voice=True,
    examples=("过", "说完了"),
    seat=5,
    left=43,
    remark=Remark("三号", confidence=0.97),
)


def shown(look: Look, width: int = 80, height: int = 24) -> list[str]:
    return [row.plain for row in PANEL.rows(look, width, height)]


def test_a_speech_on_the_second_day() -> None:
    assert shown(Look(SPEECH, level=-36.0, typed="五")) == [
        " Day 2: speeches | 警匪标准版, 8 players | 用键盘 ",
        "In the game (6): 1 2 4 5 7 8  out: 3 6",
        "Seat 5 0:43  Listening for the end of the speech  过 / 说完了",
        "Heard 「三号」 0.97",
        "Microphone ||||||||||||............  -36 dB  open",
        "> 五",
    ]


def test_in_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARRATOR_LANG", "zh")
    assert shown(Look(SPEECH))[:3] == [
        " 第2天 发言 | 警匪标准版，8人 | 用键盘 ",
        "在场6人：1 2 4 5 7 8  出局：3 6",
        "5号 0:43  在听：说完了没有  过 / 说完了",
    ]


def test_names_are_those_of_the_wording_that_is_spoken() -> None:
    panel, taiwan = Panel(load_pack(voices_folder() / "zh-CN")), voices_folder() / "zh-TW"
    panel.reworded(load_pack(taiwan), load_phrasebook(taiwan / "phrases.toml"))
    assert panel.rows(Look(SPEECH), 80, 24)[0].plain == " Day 2: speeches | 警匪標準版, 8 players | 用鍵盤 "


def test_while_it_speaks_the_microphone_is_shut() -> None:
    speaking = Facts(SECOND_DAY, left=43)
    assert shown(Look(speaking, level=-20.0))[2:] == [
        "0:43  Speaking …",
        "Heard nothing yet",
        "Microphone |||||||||||||||||.......  -20 dB  shut",
    ]


def test_of_a_secret_neither_examples_nor_confidence_are_shown() -> None:
    secret = Facts(SECOND_DAY, awaited="seat", private=True, examples=("无", "3"), remark=Remark("***"))
    assert shown(Look(secret))[2:] == ["Listening for the judge's secret answer", "Heard 「***」"]


def test_roles_are_named_only_where_they_were_asked_for() -> None:
    roles = {seat: "killer" if seat < 3 else "civilian" for seat in range(1, 9)}
    revealed = Standing("night", 1, tuple(range(1, 9)), (1, 2, 4), "standard", secrets="codes", roles=roles)
    assert shown(Look(Facts(revealed)))[1] == (
        "In the game (3): 1杀手 2杀手 4平民  out: 3平民 5平民 6平民 7平民 8平民"
    )


def test_what_was_typed_or_not_understood_is_said_so() -> None:
    assert shown(Look(Facts(remark=Remark("三号", typed=True))))[2] == "Typed 「三号」"
    mumbled = Remark("山号", confidence=0.4, understood=False)
    assert shown(Look(Facts(remark=mumbled)))[2] == "Heard 「山号」 0.40 not understood"


def test_a_low_terminal_gets_what_matters_most() -> None:
    assert shown(Look(SPEECH, -36.0, "五"), height=11) == [
        " Day 2: speeches | 警匪标准版, 8 players | 用键盘 ",
        "Seat 5 0:43  Listening for the end of the speech  过 / 说完了",
        "> 五",
    ]


def test_of_a_long_line_its_end_is_seen() -> None:
    (*_, line) = shown(Look(typed="三号和五号都说自己是警察"), width=20)
    assert line == "> 号都说自己是警察"


@given(
    st.integers(1, 130),
    st.integers(1, 40),
    st.floats(-150, 20),
    st.text(st.characters(categories=["L", "N"]), max_size=60),
    st.sampled_from(LANGUAGES),
)
def test_no_row_is_ever_as_wide_as_the_terminal(
    width: int, height: int, level: float, typed: str, lang: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NARRATOR_LANG", lang)
        texts = shown(Look(SPEECH, level, typed), width, height)
    assert all(cell_len(text) < max(2, width) for text in texts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_state_and_every_kind_of_answer_has_its_words(lang: str) -> None:
    words = catalogue(lang)
    phases = {state.partition(".")[0] for state in STATES}
    for key in (*(f"view_phase_{phase}" for phase in phases), *(f"view_awaits_{kind}" for kind in Kind)):
        assert key in words
        assert {place for _, place, _, _ in string.Formatter().parse(words[key])} <= {None, "round"}
