"""The code sheet on paper and in the terminal."""

from __future__ import annotations

import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest

from narrator.cli.main import main
from narrator.faults import Fault
from narrator.moderator.codesheet import is_gesture
from narrator.moderator.secrets import sheet_for
from narrator.rules.ruleset import all_rulesets
from narrator.table import sheet as paper
from narrator.table.sheet import as_html, as_text, cells, load_titles, write_private
from narrator.table.sheetfile import last_sheet

VOID = {"meta"}


class Page(HTMLParser):
    """Collects the cells of every table row, and complains about tags that don't match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.widths: list[int] = []
        self.outside: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
            self.widths.append(0)
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.widths[-1] += int(dict(attrs).get("colspan") or 1)
        self.outside += [value for name, value in attrs if name in ("src", "href") and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


@pytest.mark.parametrize(("ruleset", "players"), [("standard", 8), ("standard", 12), ("classic", 16)])
def test_the_page_carries_every_row_of_the_sheet(ruleset: str, players: int) -> None:
    drawn, titles = sheet_for(5, ruleset, players), load_titles("zh-CN")
    page = Page(as_html(drawn, titles))
    printed = [row for row in page.rows if row[0]]
    expected = [[titles.heading(row), *cells(drawn, row, titles)] for row in (*drawn.rows, *drawn.spares)]
    assert printed == expected
    assert set(page.widths) == {players + 2}
    assert page.outside == []


def test_headings_read_like_the_questions() -> None:
    titles = load_titles("zh-CN")
    assert titles.heading("n2.killer.kill") == "第二夜·杀手·杀谁"
    assert titles.heading("n1.police.who2") == "第一夜·警察·第2个"
    assert titles.heading("n3.police.hint") == "第三夜·警察·手势"
    assert titles.heading("spare4") == "备用4"


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.id)
def test_every_row_of_every_ruleset_has_a_chinese_heading(ruleset) -> None:  # type: ignore[no-untyped-def]
    titles = load_titles("zh-CN")
    drawn = sheet_for(1, ruleset.id, ruleset.most)
    headings = [titles.heading(row) for row in (*drawn.rows, *drawn.spares)]
    assert len(set(headings)) == len(headings)
    assert not [heading for heading in headings if any("a" <= letter <= "z" for letter in heading)]


def test_a_gesture_row_is_read_from_number_to_gesture() -> None:
    drawn, titles = sheet_for(5, "standard", 9), load_titles("zh-CN")
    row = next(row for row in drawn.rows if is_gesture(row))
    yes = drawn.gesture_code(row, "yes")
    assert f"{yes} 点头" in cells(drawn, row, titles)
    assert f"{3 - yes} 摇头" in cells(drawn, row, titles)


def test_the_terminal_shows_every_row_in_columns() -> None:
    drawn, titles = sheet_for(5, "standard", 9), load_titles("zh-CN")
    lines = as_text(drawn, titles).splitlines()
    seat_rows = [row for row in (*drawn.rows, *drawn.spares) if not is_gesture(row)]
    shown = [next(line for line in lines if line.startswith(f"{titles.heading(row)} ")) for row in seat_rows]
    for row, line in zip(seat_rows, shown, strict=True):
        assert line.split()[1:] == cells(drawn, row, titles)
    assert len({paper._width(line) for line in shown}) == 1


def test_a_sheet_on_disk_is_its_owners_alone_even_where_an_open_file_was_before(tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    file.write_text("old")
    file.chmod(0o644)
    write_private(file, "new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == "new"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        write_private(tmp_path / "missing" / "sheet.html", "x")
    assert caught.value.key == "cannot_write"


def test_titles_that_lack_a_word_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "zz").mkdir()
    (tmp_path / "zz" / "sheet.toml").write_text('[page]\ntitle = "x"\n')
    monkeypatch.setattr(paper, "voices_folder", lambda: tmp_path)
    with pytest.raises(Fault) as caught:
        load_titles("zz")
    assert caught.value.key == "broken_sheet_titles"


def test_the_same_seed_prints_the_same_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["codes", "--seed", "11", "--players", "9"]) == 0
    first = capsys.readouterr().out
    assert main(["codes", "--seed", "11", "--players", "9"]) == 0
    assert capsys.readouterr().out == first
    assert main(["codes", "--players", "9"]) == 0
    assert capsys.readouterr().out != first


def test_a_page_is_written_and_nothing_of_it_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sheet.html"
    assert main(["codes", "--players", "9", "--html", str(file)]) == 0
    assert "杀谁" in file.read_text(encoding="utf-8")
    assert "杀谁" not in capsys.readouterr().out


def test_a_table_that_is_too_big_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["codes", "--ruleset", "standard", "--players", "30"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_sheet_that_was_damaged_is_told_like_one_that_is_not_there(tmp_path: Path) -> None:
    for content in (None, b"\xff\xfe"):
        if content is not None:
            (tmp_path / "codes.txt").write_bytes(content)
        with pytest.raises(Fault) as caught:
            last_sheet(tmp_path)
        assert caught.value.key == "no_sheet"
