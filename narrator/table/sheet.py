"""The judge's code sheet on paper: one A4 page for the printer, or plain text for the terminal."""

from __future__ import annotations

import contextlib
import html
import itertools
import os
import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from narrator.faults import Fault
from narrator.moderator.codesheet import CodeSheet, gestures_of, is_gesture
from narrator.resources import voices_folder
from narrator.rules.registry import GESTURES

# A4 landscape less the margins and the heading, shared by the rows of the longer half (millimetres).
_ROOM_FOR_ROWS = 174.0
_TALLEST_ROW = 11.0


@dataclass(frozen=True, slots=True)
class Titles:
    """The words of the sheet in one language; roles and acts are looked up by their ids."""

    title: str
    advice: str
    seat: str
    none: str
    spare: str
    nights: Sequence[str]
    roles: Mapping[str, str]
    acts: Mapping[str, str]
    gestures: Mapping[str, str]

    def heading(self, row: str) -> str:
        """A row's heading, such as 第二夜·杀手·杀谁; an id without a word stands for itself."""
        if spare := re.fullmatch(r"spare(\d+)", row):
            return self.spare.format(n=spare[1])
        night, role, act = row.split(".")
        number = int(night.removeprefix("n"))
        if holder := re.fullmatch(r"who(\d+)", act):
            what = self.acts["who"].format(n=holder[1])
        else:
            what = self.acts.get("hint" if is_gesture(row) else act, act)
        name = self.nights[number - 1] if number <= len(self.nights) else night
        return "·".join((name, self.roles.get(role, role), what))

    def seats(self, sheet: CodeSheet) -> list[str]:
        """The headings of the columns: every seat, then 无."""
        return [*(self.seat.format(n=seat) for seat in range(1, sheet.seats + 1)), self.none]


def load_titles(locale: str) -> Titles:
    """The sheet's words in the voice pack ``locale``; if one is missing, ``Fault("broken_sheet_titles")``."""
    return read_titles(voices_folder() / locale)


def read_titles(folder: Path) -> Titles:
    """The sheet's words in the voice pack of a folder; raises as ``load_titles`` does."""
    file = folder / "sheet.toml"
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
        page, gestures, acts = given["page"], given["gestures"], given["acts"]
        for template in (acts["who"], page["seat"], page["spare"]):
            template.format(n=1)
        titles = Titles(
            title=page["title"],
            advice=page["advice"],
            seat=page["seat"],
            none=page["none"],
            spare=page["spare"],
            nights=tuple(given["nights"]["names"]),
            roles=dict(given["roles"]),
            acts=dict(acts),
            gestures={gesture: gestures[gesture] for gesture in GESTURES},
        )
        words = (titles.title, titles.advice, titles.seat, titles.none, titles.spare, *titles.nights)
        named = (table.values() for table in (titles.roles, titles.acts, titles.gestures))
        for word in itertools.chain(words, *named):
            if not isinstance(word, str):
                raise TypeError(f"{word!r} is no text")
        return titles
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise Fault("broken_sheet_titles", file=file, why=error) from error


def cells(sheet: CodeSheet, row: str, titles: Titles) -> list[str]:
    """What stands in a row: a number under every seat and 无, or the gestures by their numbers."""
    if is_gesture(row):
        gestures = {sheet.gesture_code(row, name): titles.gestures[name] for name in gestures_of(row)}
        return [f"{code} {gestures[code]}" for code in sorted(gestures)]
    return [str(sheet.code(row, seat)) for seat in (*range(1, sheet.seats + 1), None)]


def as_text(sheet: CodeSheet, titles: Titles) -> str:
    """The sheet for a terminal, in columns that also line up where Chinese takes two cells."""
    rows = (*sheet.rows, *sheet.spares)
    first = max(map(_width, (titles.title, *map(titles.heading, rows)))) + 1
    column = max(map(_width, titles.seats(sheet))) + 1
    block, lines = "", [titles.advice]
    for row in rows:
        if _block(row) != block:
            block = _block(row)
            lines += ["", _line(titles.title, titles.seats(sheet), first, column)]
        lines.append(_line(titles.heading(row), cells(sheet, row, titles), first, column))
    return "\n".join(lines) + "\n"


def as_html(sheet: CodeSheet, titles: Titles) -> str:
    """The sheet as one self-contained page: A4 landscape, two halves, digits as big as that allows."""
    rows = (*sheet.rows, *sheet.spares)
    half = (len(rows) + 1) // 2
    tall = min(_TALLEST_ROW, _ROOM_FOR_ROWS / (half + 1))
    halves = "\n".join(_table(sheet, titles, part) for part in (rows[:half], rows[half:]) if part)
    return _PAGE.format(
        title=html.escape(titles.title),
        advice=html.escape(titles.advice),
        halves=halves,
        tall=f"{tall:.2f}",
        digits=f"{tall * 0.72:.2f}",
        words=f"{min(tall * 0.6, 3.6):.2f}",
    )


def write_private(file: Path, text: str) -> None:
    """Write ``file``, whole or not at all, so that only its owner can read it; ``Fault("cannot_write")``."""
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        # Opened with the final rights: there is no moment at which another user could read it.
        with os.fdopen(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as out:
            out.write(text)
        part.replace(file)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise Fault("cannot_write", file=file, why=error.strerror) from error


def _table(sheet: CodeSheet, titles: Titles, rows: Sequence[str]) -> str:
    head = "".join(f"<th>{html.escape(seat)}</th>" for seat in titles.seats(sheet))
    body, block = [], _block(rows[0])
    for row in rows:
        opens = ' class="night"' if _block(row) != block else ""
        block = _block(row)
        content = "".join(_cells_html(cells(sheet, row, titles), sheet.seats + 1))
        body.append(f"<tr{opens}><th>{html.escape(titles.heading(row))}</th>{content}</tr>")
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>\n" + "\n".join(body) + "\n</tbody></table>"


def _cells_html(content: Sequence[str], columns: int) -> list[str]:
    if len(content) == columns:
        return [f"<td>{html.escape(cell)}</td>" for cell in content]
    left = columns // len(content)
    spans = [left] * (len(content) - 1) + [columns - left * (len(content) - 1)]
    return [
        f'<td colspan="{span}">{html.escape(cell)}</td>' for span, cell in zip(spans, content, strict=True)
    ]


def _block(row: str) -> str:
    """What rows belong together: those of one night, and the spare ones."""
    return "spare" if row.startswith("spare") else row.split(".")[0]


def _line(heading: str, content: Sequence[str], first: int, column: int) -> str:
    # Only seat rows have a cell per column; the two gestures are wider than a column and just follow.
    padded = [" " * max(1, column - _width(cell)) + cell for cell in content]
    return heading + " " * (first - _width(heading)) + "".join(padded)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


_PAGE = """<!DOCTYPE html>
<html lang="zh">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
@page {{ size: A4 landscape; margin: 8mm; }}
body {{ margin: 0; color: #000; background: #fff;
  font-family: "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei", sans-serif; }}
h1 {{ font-size: 5mm; margin: 0; display: inline; }}
p {{ font-size: 3mm; margin: 0 0 2mm 4mm; display: inline; }}
main {{ display: flex; gap: 4mm; align-items: flex-start; margin-top: 2mm; }}
table {{ border-collapse: collapse; flex: 1 1 0; table-layout: auto; width: 50%; }}
tr {{ height: {tall}mm; break-inside: avoid; }}
th, td {{ border: 0.2mm solid #555; padding: 0 0.4mm; line-height: 1; text-align: center;
  white-space: nowrap; }}
td {{ font-size: {digits}mm; font-weight: 700; font-variant-numeric: tabular-nums; }}
td[colspan], th {{ font-size: {words}mm; }}
th {{ font-weight: 500; }}
tbody th {{ text-align: left; }}
tbody tr:nth-child(even) {{ background: #e8e8e8; print-color-adjust: exact; }}
tr.night > * {{ border-top: 0.8mm solid #000; }}
</style>
</head>
<body>
<h1>{title}</h1><p>{advice}</p>
<main>
{halves}
</main>
</body>
</html>
"""
