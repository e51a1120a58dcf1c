"""The line being typed: what a person's keys make of it, and what of it may be seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.table.view.editing import LineEditor


def typed(*keys: bytes | str) -> tuple[list[str], str]:
    """The lines that were finished, and what is seen of the next."""
    editor = LineEditor()
    lines: list[str] = []
    for key in keys:
        lines += editor.feed(key.encode() if isinstance(key, str) else key)
    return lines, editor.shown


@pytest.mark.parametrize(
    ("keys", "lines", "shown"),
    [
        (("三号",), [], "三号"),
        (("三", "号\r"), ["三号"], ""),
        (("5票\n过\n",), ["5票", "过"], ""),
        (("\n",), [""], ""),
        (("四\x7f三号\n",), ["三号"], ""),
        (("三号\x7f\x7f\x7f四",), [], "四"),
        (("十二个人\x15八个人\n",), ["八个人"], ""),
        (("三\x1b[D\x1b[3~\x1bOA\x1b[1;5C号\n",), ["三号"], ""),
        (("三\x1b", "[", "D号\n"), ["三号"], ""),
        (("\t三\x01号\x00\n",), ["三号"], ""),
    ],
)
def test_keys_make_lines(keys: tuple[str, ...], lines: list[str], shown: str) -> None:
    assert typed(*keys) == (lines, shown)


def test_a_letter_that_comes_in_two_halves_is_whole() -> None:
    three = "三".encode()
    assert typed(three[:1], three[1:2], three[2:], b"\n") == (["三"], "")


def test_only_the_end_of_input_on_an_empty_line_ends_it() -> None:
    editor = LineEditor()
    editor.feed("三\x04".encode())
    assert not editor.closed
    editor.feed(b"\n\x04")
    assert editor.closed


def test_of_a_secret_not_even_the_length_is_seen() -> None:
    editor = LineEditor()
    editor.hidden = True
    assert editor.feed(b"12") == []
    assert editor.shown == ""
    assert editor.feed(b"\n") == ["12"]


def test_what_is_left_of_a_secret_does_not_come_to_light_with_the_next_question() -> None:
    editor = LineEditor()
    editor.hidden = True
    editor.feed(b"7")
    editor.hidden = False
    assert editor.shown == ""
    assert editor.feed("三\n".encode()) == ["三"]


@given(st.lists(st.binary(max_size=12), max_size=20))
def test_no_keys_whatever_break_it(pieces: list[bytes]) -> None:
    editor = LineEditor()
    for piece in pieces:
        for line in editor.feed(piece):
            assert line.isprintable()
        assert editor.shown.isprintable()


@given(st.text(st.characters(categories=["L", "N", "P"]), max_size=20), st.integers(1, 5))
def test_a_line_is_the_same_however_its_bytes_are_cut(text: str, size: int) -> None:
    data = f"{text}\n".encode()
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert typed(*pieces) == ([text], "")
