"""The rows at the foot of a terminal stay whole while lines scroll by above them."""

from __future__ import annotations

import errno
import io
from typing import Literal

import pytest
from emulator import Emulator
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from narrator.table.view.foot import Foot


class Wire(io.StringIO):
    """Carries what is written to an emulated terminal, as a terminal driver does."""

    def __init__(self, terminal: Emulator) -> None:
        super().__init__()
        self.terminal = terminal
        self.writes: list[str] = []
        self.broken = False

    def write(self, text: str) -> int:
        if self.broken:
            raise OSError(errno.EIO, "the terminal is gone")
        if text:
            self.writes.append(text)
        self.terminal.feed(text.replace("\n", "\r\n").encode())
        return len(text)


class Stage:
    """A foot at an emulated terminal."""

    def __init__(self, columns: int = 40, rows: int = 10, colour: Literal["256"] | None = "256") -> None:
        self.terminal = Emulator(columns, rows)
        self.wire = Wire(self.terminal)
        self.console = Console(
            file=self.wire, force_terminal=True, color_system=colour, width=columns, height=rows
        )
        self.lost = 0
        self.foot = Foot(self.console, self._lose)

    def _lose(self) -> None:
        self.lost += 1


def rows(*texts: str) -> list[Text]:
    return [Text(text) for text in texts]


def test_lines_scroll_by_above_the_rows() -> None:
    stage = Stage(rows=5)
    stage.foot.paint(rows("第一夜", "> "), 2)
    assert stage.terminal.rows == ["第一夜", ">"]
    for number in range(1, 9):
        stage.foot.above([f"第{number}句"], rows("第一夜", "> "), 2)
        assert stage.terminal.rows[-2:] == ["第一夜", ">"]
        assert stage.terminal.cursor == (len(stage.terminal.rows) - 1, 2)
    stage.foot.erase()
    assert stage.terminal.everything == [f"第{number}句" for number in range(1, 9)]


def test_only_what_changed_is_sent_and_at_once() -> None:
    stage = Stage()
    stage.foot.paint(rows("第一夜", "麦克风 ||....", "> "), 2)
    stage.wire.writes.clear()
    stage.foot.paint(rows("第一夜", "麦克风 |||...", "> "), 2)
    (sent,) = stage.wire.writes
    assert "|||..." in sent
    assert "第一夜" not in sent
    assert stage.terminal.rows == ["第一夜", "麦克风 |||...", ">"]


def test_the_cursor_stands_behind_what_is_typed() -> None:
    stage = Stage()
    stage.foot.paint(rows("第一夜", "> 三号"), 6)
    assert stage.terminal.cursor == (1, 6)
    stage.foot.paint(rows("第一夜", "> 三"), 4)
    assert stage.terminal.cursor == (1, 4)
    assert stage.terminal.rows == ["第一夜", "> 三"]


def test_rows_may_become_more_and_fewer() -> None:
    stage = Stage()
    stage.foot.above(["天黑了"], rows("一", "> "), 2)
    stage.foot.paint(rows("一", "二", "三", "> "), 2)
    assert stage.terminal.rows == ["天黑了", "一", "二", "三", ">"]
    stage.foot.paint(rows("一", "> "), 2)
    assert stage.terminal.rows == ["天黑了", "一", ">"]


def test_what_a_shell_wrote_below_stays_and_the_rows_come_anew() -> None:
    stage = Stage()
    stage.foot.paint(rows("第一夜", "> "), 2)
    stage.terminal.feed(b"\r\n$ fg\r\n")
    stage.foot.forget()
    stage.foot.paint(rows("第二夜", "> "), 2)
    assert stage.terminal.rows == ["第一夜", ">", "$ fg", "第二夜", ">"]


@given(
    st.lists(
        st.tuples(
            st.lists(st.text("天黑了a1 ", max_size=30).map(str.strip), max_size=3),
            st.lists(st.text("夜发言|. 9", max_size=18).map(str.strip), min_size=1, max_size=5),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_whatever_is_written_every_line_stays_and_the_last_rows_are_the_view(
    course: list[tuple[list[str], list[str]]],
) -> None:
    stage = Stage(rows=8)
    written: list[str] = []
    for lines, texts in course:
        stage.foot.above(lines, rows(*texts), 0)
        written += lines
        everything = stage.terminal.everything
        everything += [""] * (len(written) + len(texts) - len(everything))
        # A line wider than the terminal takes two rows.
        assert "".join(everything).replace(" ", "") == "".join([*written, *texts]).replace(" ", "")
        seen = stage.terminal.rows + [""] * 8
        bottom = stage.terminal.cursor[0] + 1
        assert seen[bottom - len(texts) : bottom] == texts


@pytest.mark.parametrize("columns", [20, 30, 60])
def test_a_window_of_another_width_keeps_the_lines(columns: int) -> None:
    stage = Stage()
    stage.foot.above(["天黑了", "杀手请睁眼"], rows("第一夜", "> "), 2)
    stage.terminal.resize(columns, 10)
    stage.console.width = columns
    stage.foot.paint(rows("第一夜，在听", "> "), 2)
    assert stage.terminal.rows == ["天黑了", "杀手请睁眼", "第一夜，在听", ">"]


def test_where_a_narrower_window_breaks_rows_in_two_all_of_them_go() -> None:
    stage = Stage()
    stage.foot.paint(rows("a" * 30, "> "), 2)
    # A terminal that breaks lines shows this now: thirty letters take two rows of twenty.
    stage.terminal = stage.wire.terminal = Emulator(20, 10)
    stage.terminal.feed(("天黑了\r\n" + "a" * 30 + "\r\n> ").encode())
    stage.console.width = 20
    stage.foot.paint(rows("夜", "> "), 2)
    assert stage.terminal.rows == ["天黑了", "夜", ">"]


@pytest.mark.parametrize(("colour", "coloured"), [(None, False), ("256", True)])
def test_without_colours_nothing_is_coloured(colour: Literal["256"] | None, coloured: bool) -> None:
    stage = Stage(colour=colour)
    stage.foot.paint([Text("第一夜", style="bold green"), Text("> ")], 2)
    assert ("\x1b[1;32m" in "".join(stage.wire.writes)) is coloured
    assert stage.terminal.rows == ["第一夜", ">"]


def test_a_terminal_that_is_gone_is_told_once_and_left_alone() -> None:
    stage = Stage()
    stage.wire.broken = True
    stage.foot.paint(rows("第一夜"), 0)
    stage.foot.above(["天黑了"], rows("第一夜"), 0)
    stage.wire.broken = False
    stage.foot.paint(rows("第二夜"), 0)
    stage.foot.erase()
    assert stage.lost == 1
    assert stage.wire.writes == []
