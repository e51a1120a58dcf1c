"""The last rows of a terminal, painted in place, while everything else scrolls by above them."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text


class Foot:
    """Paints rows below what was written; a terminal that is gone calls ``lost`` once and gets no more.

    Only rows that changed are sent. Each painting is one write, so nothing comes in between.
    """

    def __init__(self, console: Console, lost: Callable[[], None]) -> None:
        self._console = console
        # Rows are rendered here, so that each painting can be sent as one.
        self._paper = io.StringIO()
        self._ink = Console(
            file=self._paper,
            force_terminal=True,
            color_system=console.color_system,  # type: ignore[arg-type]  # rich names it by a plain str
            no_color=console.no_color,
            highlight=False,
        )
        self._lost = lost
        self._gone = False
        self._rows: list[str] = []
        self._cells: list[int] = []
        self._width = 0
        self._column = 0

    def paint(self, rows: Sequence[Text], column: int) -> None:
        """Show ``rows``, none wider than the terminal; the cursor rests in the last one at ``column``."""
        if not self._gone:
            self._send(self._painted(rows, column))

    def above(self, lines: Sequence[str], rows: Sequence[Text], column: int) -> None:
        """Write lines that stay, and ``rows`` again below them."""
        if not self._gone:
            written = "".join(f"{line}\n" for line in lines)
            self._send(self._erased() + written + self._painted(rows, column))

    def forget(self) -> None:
        """Leave the rows that are painted where they are: something else was written below them."""
        self._rows, self._cells, self._column = [], [], 0

    def erase(self) -> None:
        """Leave what was written above, and nothing else."""
        if not self._gone:
            self._send(self._erased())

    def _painted(self, rows: Sequence[Text], column: int) -> str:
        width = self._console.width
        out = ""
        if self._rows and (width != self._width or len(rows) != len(self._rows)):
            out = self._erased()
        fresh = [self._rendered(row) for row in rows]
        if fresh == self._rows and column == self._column:
            return out
        known = self._rows or [""] * len(fresh)
        at = len(fresh) - 1 if self._rows else 0
        if not self._rows:
            # Room is made first: moving down does not scroll.
            out += "\n" * (len(fresh) - 1) + _up(len(fresh) - 1)
        for index, row in enumerate(fresh):
            if row != known[index]:
                out += "\r" + _down(index - at) + row + "\x1b[K"
                at = index
        out += "\r" + _down(len(fresh) - 1 - at) + (f"\x1b[{column}C" if column else "")
        self._rows, self._cells = fresh, [row.cell_len for row in rows]
        self._width, self._column = width, column
        return out

    def _erased(self) -> str:
        if not self._rows:
            return ""
        # A terminal that became narrower has broken rows that were too wide for it.
        width = max(1, self._console.width)
        above = sum(max(1, -(-cells // width)) for cells in self._cells[:-1]) + self._column // width
        self._rows, self._cells = [], []
        return "\r" + _up(above) + "\x1b[J"

    def _rendered(self, row: Text) -> str:
        self._ink.print(row, end="", soft_wrap=True)
        rendered = self._paper.getvalue()
        self._paper.seek(0)
        self._paper.truncate()
        return rendered

    def _send(self, text: str) -> None:
        try:
            self._console.file.write(text)
            self._console.file.flush()
        except (OSError, ValueError):
            self._gone = True
            self._lost()


def _up(rows: int) -> str:
    return f"\x1b[{rows}A" if rows > 0 else ""


def _down(rows: int) -> str:
    return f"\x1b[{rows}B" if rows > 0 else _up(-rows)
