"""``narrator stats``: many games, of one table or of a club's many, added up once each."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from played_evening import Evening, Told
from test_recap_command import Reader

from narrator.cli.main import main
from narrator.moderator.evening import Agreement, Secrets
from narrator.rules.game import Game, next_round
from narrator.rules.ruleset import load
from narrator.rules.victory import Verdict
from narrator.table import plots
from narrator.table.history import PastGame, read_history
from narrator.table.statspage import stats_lines, stats_page
from narrator.table.tally import add_up
from narrator.table.words import Words


def game(
    key: int, ruleset: str, winner: str, rounds: int, minutes: float | None, victim: int | None
) -> PastGame:
    played = Game(load(ruleset), 12)
    for _ in range(rounds - 1):
        played = next_round(played)
    began = None if minutes is None else 1_772_395_200.0 + key * 86_400
    ended = None if began is None or minutes is None else began + 60 * minutes
    table = Agreement(ruleset, 12, Secrets.CODES)
    return PastGame((1.0, key, 1), table, played, began, ended, Verdict(winner, "x"), victim)


GAMES = [
    game(1, "standard", "good", 3, 31.0, 5),
    game(2, "standard", "killers", 4, 45.5, 7),
    game(3, "classic", "killers", 3, None, None),
    game(4, "standard", "draw", 2, 18.0, 5),
]
OPEN = replace(GAMES[0], key=(1.0, 9, 1), verdict=None)


def test_wins_lengths_and_first_victims_are_counted() -> None:
    figures = add_up([[*GAMES, OPEN]])
    assert (figures.games, figures.tables) == (4, 1)
    assert figures.wins == {
        "standard": {"killers": 1, "good": 1, "draw": 1},
        "classic": {"killers": 1, "good": 0, "draw": 0},
    }
    assert figures.rounds == {2: 1, 3: 2, 4: 1}
    assert figures.minutes == (31.0, 45.5, 18.0)
    assert figures.victims == {5: 2, 7: 1}


def test_tables_are_added_up_and_a_game_in_two_journals_counts_once() -> None:
    figures = add_up([GAMES[:3], GAMES[2:], GAMES])
    assert (figures.games, figures.tables) == (4, 2)
    assert sum(figures.rounds.values()) == 4


def test_the_page_shows_the_figures_and_stands_alone(words: Words) -> None:
    content = stats_page(add_up([GAMES]), words)
    page = Reader(content)
    assert (page.open, page.loaded, "script" in page.tags) == ([], [], False)
    assert content.count("<svg") == 4
    text = " ".join(page.text)
    assert "4局，1张桌子" in text
    assert "警匪经典版" in text
    assert "各方获胜" in text


def test_nothing_to_add_up_is_said(words: Words) -> None:
    nothing = add_up([])
    assert [*stats_lines(nothing, words)] == ["还没有打完的局。"]
    assert "还没有打完的局。" in Reader(stats_page(nothing, words)).text


def test_without_times_and_victims_their_plots_are_left_out(words: Words) -> None:
    content = stats_page(add_up([[GAMES[2]]]), words)
    assert content.count("<svg") == 2


# The command


def stats(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> str:
    assert main(["stats", *map(str, arguments)]) == code
    said = capsys.readouterr()
    return said.out if code == 0 else said.err


def test_the_journals_of_many_speakers_are_added_up(
    evening: Evening, played: tuple[Path, Told], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    club = tmp_path / "club"
    (club / "cellar").mkdir(parents=True)
    shutil.copy(played[0], club / "a.db")
    shutil.copy(played[0], club / "copy.db")
    evening(club / "cellar" / "b.db", players=8, seed=5)
    (club / "notes.txt").write_text("no journal")
    none = tmp_path / "none.db"
    figures = json.loads(stats(capsys, "--journal", none, "--merge", club, "--json"))
    assert (figures["games"], figures["tables"]) == (2, 2)
    assert sum(figures["wins"]["standard"].values()) == 2
    shown = stats(capsys, "--journal", none, "--merge", club)
    assert "2局，2张桌子" in shown
    page = tmp_path / "stats.html"
    stats(capsys, "--journal", none, "--merge", club, "--html", page)
    assert "<svg" in page.read_text(encoding="utf-8")


def test_a_journal_that_cannot_be_read_is_told_and_the_others_are_added_up(
    played: tuple[Path, Told], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(played[0], tmp_path / "bar.db")
    (tmp_path / "cellar.db").write_bytes(b"half a copy" * 100)
    with closing(sqlite3.connect(tmp_path / "guests.db")) as another_program:
        another_program.execute("CREATE TABLE guests (name TEXT)")
    assert main(["stats", "--merge", str(tmp_path), "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 1
    told = said.err.splitlines()
    assert [name in line for name, line in zip(("cellar.db", "guests.db"), told, strict=True)] == [True] * 2


def test_one_table_alone(played: tuple[Path, Told], capsys: pytest.CaptureFixture[str]) -> None:
    (past,) = read_history(played[0]).games
    figures = json.loads(stats(capsys, "--journal", played[0], "--json"))
    assert figures["victims"] == {str(past.first_victim): 1}
    assert figures["rounds"] == {str(past.game.round): 1}


def test_what_is_not_there_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "none", tmp_path / "empty"):
        assert stats(capsys, "--merge", folder, code=2).count("\n") == 1
    assert stats(capsys, "--journal", tmp_path / "none.db", code=2).count("\n") == 1


# Plots


def heights(svg: str) -> list[float]:
    return [float(part.split('"')[0]) for part in svg.split(' height="')[1:]]


def test_columns_stand_for_every_number_between_the_ends() -> None:
    svg = plots.columns({2: 1, 5: 4})
    assert [label for label in ("2", "3", "4", "5") if f">{label}</text>" in svg] == ["2", "3", "4", "5"]
    low, high = heights(svg)
    assert high == pytest.approx(4 * low)


@pytest.mark.parametrize(
    ("minutes", "labels"),
    [([3.0], ["3"]), ([18.0, 31.0, 45.5], ["15", "20", "45"]), ([10.0, 500.0], ["0", "50", "500"])],
)
def test_a_histogram_has_few_columns_of_round_widths(minutes: list[float], labels: list[str]) -> None:
    svg = plots.histogram(minutes)
    assert len(heights(svg)) <= len(minutes)
    assert svg.count('text-anchor="middle">') <= 12 + len(minutes)
    assert all(f">{label}</text>" in svg for label in labels)


def test_a_bar_is_divided_as_the_counts_are() -> None:
    svg = plots.shares({"a & b": {"killers": 1, "good": 3, "draw": 0}})
    widths = [float(part.split('"')[0]) for part in svg.split(' width="')[1:]]
    assert widths[1] == pytest.approx(3 * widths[0], rel=0.01)
    assert "a &amp; b" in svg
    assert "draw" not in svg
