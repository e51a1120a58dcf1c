"""The figures of many games as a page with plots, and as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from statistics import median

from narrator.table import plots
from narrator.table.tally import WINNERS, Figures
from narrator.table.timeline import date
from narrator.table.webpage import element, page
from narrator.table.words import Words


def stats_page(figures: Figures, words: Words) -> str:
    """The figures as one self-contained HTML document."""
    title = words.find("stats", "title")
    body = [element("h1", escape(title)), element("p", *_facts(figures, words), css="facts")]
    if figures.games:
        legend = "".join(f'<i class="{winner}"></i>{escape(words.side(winner))}' for winner in WINNERS)
        wins = {words.ruleset(figures.rulesets[ruleset]): counts for ruleset, counts in figures.wins.items()}
        body.append(_figure("wins", plots.shares(wins) + element("p", legend, css="legend"), words))
        body.append(_figure("lengths", plots.columns(figures.rounds), words))
    if figures.minutes:
        body.append(_figure("minutes", plots.histogram(figures.minutes), words))
    if figures.victims:
        body.append(_figure("victims", plots.columns(figures.victims, "killers"), words))
    return page(title, "\n".join(body), words.pack.locale)


def stats_lines(figures: Figures, words: Words) -> Iterator[str]:
    """The figures for a terminal, line by line."""
    if not figures.games:
        yield words.find("stats", "none")
        return
    yield " · ".join(_told(figures, words))
    for ruleset, counts in figures.wins.items():
        won = "  ".join(f"{words.side(winner)} {counts[winner]}" for winner in WINNERS)
        yield f"{words.ruleset(figures.rulesets[ruleset])}: {won}"
    yield f"{words.find('stats', 'lengths')}: {_pairs(figures.rounds)}"
    if figures.minutes:
        yield f"{words.find('stats', 'minutes')}: {median(figures.minutes):.0f}"
    if figures.victims:
        yield f"{words.find('stats', 'victims')}: {_pairs(figures.victims)}"


def _facts(figures: Figures, words: Words) -> Iterator[str]:
    told = _told(figures, words) if figures.games else [words.find("stats", "none")]
    return (element("span", escape(fact)) for fact in told)


def _told(figures: Figures, words: Words) -> Iterator[str]:
    yield words.find("stats", "games", games=figures.games, tables=figures.tables)
    if figures.first is not None and figures.last is not None:
        yield words.find("stats", "span", first=date(figures.first), last=date(figures.last))


def _figure(key: str, plot: str, words: Words) -> str:
    return element("figure", element("figcaption", escape(words.find("stats", key))), plot)


def _pairs(counts: Mapping[int, int]) -> str:
    return "  ".join(f"{key}×{count}" for key, count in counts.items())
