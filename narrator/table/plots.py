"""Small plots as inline SVG: shares in a bar, and columns over whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH = 640
"""Width of every plot in its own units; the page scales it."""

_ROW = 34
_NAME = 130
_TALL = 150
_BASE = 26
_TOP = 22


def shares(rows: Mapping[str, Mapping[str, int]]) -> str:
    """One bar a row, divided by the counts of its parts; a part's name is its class."""
    parts = []
    for place, (name, counts) in enumerate(rows.items()):
        top, whole = place * _ROW, sum(counts.values())
        parts.append(_text(0, top + 21, name, "start"))
        left, room = float(_NAME), WIDTH - _NAME - 50
        for css, count in counts.items():
            wide = room * count / max(whole, 1)
            if count:
                parts.append(
                    f'<rect class="{css}" x="{left:.1f}" y="{top + 5}" width="{wide:.1f}" height="24"/>'
                )
                parts.append(_text(left + wide / 2, top + 22, str(count), "middle", "on"))
            left += wide
        parts.append(_text(WIDTH, top + 21, str(whole), "end", "soft"))
    return _svg(len(rows) * _ROW, parts)


def columns(counts: Mapping[int, int], css: str = "good") -> str:
    """A column for every number from the lowest to the highest that occurs, empty ones included."""
    numbers = range(min(counts), max(counts) + 1)
    return _columns([(str(number), counts.get(number, 0)) for number in numbers], css)


def histogram(values: Sequence[float], css: str = "good", most: int = 12) -> str:
    """Columns over equal ranges of whole numbers, at most ``most`` of them, labelled by their beginnings."""
    low, high = int(min(values)), int(max(values)) + 1
    step = next(width for width in _steps() if (high - low // width * width) / width <= most)
    first = low // step * step
    starts = range(first, high, step)
    return _columns([(str(start), sum(start <= v < start + step for v in values)) for start in starts], css)


def _steps() -> list[int]:
    return [digit * 10**power for power in range(9) for digit in (1, 2, 5)]


def _columns(columns: Sequence[tuple[str, int]], css: str) -> str:
    highest = max(count for _, count in columns)
    wide = WIDTH / len(columns)
    bar = min(wide * 0.7, 56.0)
    floor = _TOP + _TALL
    parts = [f'<line class="axis" x1="0" y1="{floor}" x2="{WIDTH}" y2="{floor}"/>']
    for place, (name, count) in enumerate(columns):
        middle, tall = (place + 0.5) * wide, _TALL * count / highest
        if count:
            parts.append(
                f'<rect class="{css}" x="{middle - bar / 2:.1f}" y="{floor - tall:.1f}"'
                f' width="{bar:.1f}" height="{tall:.1f}"/>'
            )
            parts.append(_text(middle, floor - tall - 5, str(count), "middle", "soft"))
        parts.append(_text(middle, floor + 18, name, "middle"))
    return _svg(floor + _BASE, parts)


def _text(x: float, y: float, text: str, anchor: str, css: str = "") -> str:
    named = f' class="{css}"' if css else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(height: float, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img">{"".join(parts)}</svg>'
