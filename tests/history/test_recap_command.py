"""``narrator recap``: what is told of a game, on the screen and on a page, and what stays a secret."""

from __future__ import annotations

import re
import shutil
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest
from played_evening import Evening, Told

from narrator.cli.main import main
from narrator.table.history import read_history
from narrator.table.recappage import recap_lines, recap_page
from narrator.table.timeline import timeline
from narrator.table.words import Words

SECRETS = ("杀手", "警察", "平民", "查")


class Reader(HTMLParser):
    """Reads a page as a person does; notes every address it would load and every tag left open."""

    EMPTY = ("meta",)

    def __init__(self, content: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.loaded: list[str] = []
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "title") and data.strip():
            self.text.append(data.strip())


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> str:
    assert main(["recap", *map(str, arguments)]) == code
    said = capsys.readouterr()
    return said.out if code == 0 else said.err


def test_the_page_tells_who_was_who_and_how_each_vote_went(played: tuple[Path, Told], words: Words) -> None:
    (past,) = read_history(played[0]).games
    page = Reader(recap_page(timeline(past, words), words))
    text = " ".join(page.text)
    assert "警匪标准版" in text
    assert text.count("号 ") >= 9
    for role in ("杀手", "警察", "平民"):
        assert role in text
    for count in past.counts:
        for seat, votes in count.votes.items():
            if votes:
                assert f"{seat}号 {votes}票" in text
    for departure in past.game.departures:
        assert f"{departure.seat}号" in text
    verdict = {"good": "警察和平民获胜", "killers": "杀手获胜", "draw": "平局"}
    assert past.verdict is not None
    assert verdict[past.verdict.winner] in text


def test_the_page_stands_alone(played: tuple[Path, Told], words: Words) -> None:
    (past,) = read_history(played[0]).games
    content = recap_page(timeline(past, words), words)
    page = Reader(content)
    assert page.open == []
    assert page.loaded == []
    assert "script" not in page.tags
    assert not re.search(r"url\(|@import|https?:", content)
    assert "prefers-color-scheme: dark" in content
    assert "@media print" in content


def test_the_page_can_be_read_by_its_owner_only(
    played: tuple[Path, Told], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "game.html"
    assert str(page) in told(capsys, "--journal", played[0], "--html", page)
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_screen_tells_the_same(
    played: tuple[Path, Told], words: Words, capsys: pytest.CaptureFixture[str]
) -> None:
    (past,) = read_history(played[0]).games
    shown = told(capsys, "--journal", played[0])
    assert shown.splitlines() == [*recap_lines(timeline(past, words), words)]
    assert "第1夜" in shown
    assert "第1次投票" in shown


@pytest.fixture(scope="module")
def broken_off(evening: Evening, played: tuple[Path, Told], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game, and one that stopped during its first day."""
    file = Path(shutil.copy(played[0], tmp_path_factory.mktemp("broken") / "narrator.db"))
    evening(file, seed=7, stop=30)
    return file


def test_a_game_that_was_not_finished_keeps_its_secrets(
    broken_off: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "game.html"
    shown = told(capsys, "2", "--journal", broken_off)
    told(capsys, "2", "--journal", broken_off, "--html", page)
    for text in (shown.partition("\n")[2], " ".join(Reader(page.read_text(encoding="utf-8")).text[1:])):
        assert not [word for word in SECRETS if word in text]
        assert "没有打完" in text
    assert 'class="killers' not in page.read_text(encoding="utf-8")
    revealed = told(capsys, "2", "--journal", broken_off, "--reveal")
    assert all(word in revealed for word in SECRETS)


def test_without_a_number_the_latest_finished_game_is_told(
    broken_off: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, "--journal", broken_off) == told(capsys, "1", "--journal", broken_off)
    listed = told(capsys, "--list", "--journal", broken_off).splitlines()
    assert [line.split()[0] for line in listed] == ["1", "2"]
    assert "没有打完" in listed[1]


def test_what_is_not_there_is_told_in_one_sentence(
    broken_off: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong: list[list[str | Path]] = [
        ["3", "--journal", broken_off],
        ["0", "--journal", broken_off],
        ["--journal", tmp_path / "none.db"],
        ["1", "--journal", broken_off, "--html", tmp_path / "no" / "page.html"],
    ]
    for arguments in wrong:
        assert told(capsys, *arguments, code=2).count("\n") == 1
