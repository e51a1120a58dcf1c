"""A past game as a page, and as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from narrator.table.timeline import Ballot, Half, Seat, Timeline
from narrator.table.webpage import element, page
from narrator.table.words import Words


def recap_page(told: Timeline, words: Words) -> str:
    """The game as one self-contained HTML document."""
    body = [
        element("h1", escape(told.title)),
        element("p", *(element("span", escape(fact)) for fact in told.facts), css="facts"),
        element("p", escape(told.verdict), css=f"verdict {told.winner or 'open'}"),
        *(element("p", escape(turn)) for turn in told.turning),
        element("h2", escape(words.find("recap", "seats"))),
        element("ul", *map(_seat, told.seats), css="seats"),
        element("h2", escape(words.find("recap", "nights_and_days"))),
        *(_round(night, day, words) for night, day in told.rounds),
        element("p", escape(words.find("recap", "counts_only")), css="note"),
    ]
    return page(told.title, "\n".join(body), words.pack.locale)


def recap_lines(told: Timeline, words: Words) -> Iterator[str]:
    """The game for a terminal, line by line."""
    yield told.title
    yield " · ".join(told.facts)
    yield told.verdict
    yield from told.turning
    yield ""
    for seat in told.seats:
        yield "  ".join(part for part in (seat.seat, seat.role, seat.fate) if part)
    for half in (half for pair in told.rounds for half in pair if half is not None):
        yield ""
        yield f"{half.title}  {half.lasted}".rstrip()
        for ballot in half.ballots:
            votes = "  ".join(f"{seat} {_votes(count, words)}" for seat, count in ballot.votes)
            yield f"  {ballot.title}: {votes}".rstrip(": ")
        yield from (f"  {event}" for event in half.events)


def _seat(seat: Seat) -> str:
    css = " ".join(name for name in (seat.side, "out" if seat.out else "") if name)
    role = element("span", escape(seat.role), css="role") if seat.role is not None else ""
    return element("li", element("b", escape(seat.seat)), role, element("small", escape(seat.fate)), css=css)


def _round(night: Half | None, day: Half | None, words: Words) -> str:
    halves = [
        _half(half, css, words)
        for half, css in ((night, "half night"), (day, "half day"))
        if half is not None
    ]
    return element("section", *halves, css="round") if halves else ""


def _half(half: Half, css: str, words: Words) -> str:
    lasted = element("span", escape(half.lasted), css="lasted")
    return element(
        "div",
        element("header", element("h3", escape(half.title)), lasted),
        *(_ballot(ballot, words) for ballot in half.ballots),
        element("ul", *(element("li", escape(event)) for event in half.events)),
        css=css,
    )


def _ballot(ballot: Ballot, words: Words) -> str:
    most = max((count for _, count in ballot.votes), default=1)
    rows = [
        element(
            "tr",
            element("th", escape(seat)),
            f'<td><span class="bar" style="width:{100 * count / most:.0f}%"></span></td>',
            element("td", escape(_votes(count, words)), css="number"),
        )
        for seat, count in ballot.votes
    ]
    return element("table", element("caption", escape(ballot.title)), *rows, css="ballot")


def _votes(count: int, words: Words) -> str:
    return words.find("recap", "votes", votes=count)
