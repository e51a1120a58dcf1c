"""The curve of ``narrator bench --curve`` as a table: a row for each threshold."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from narrator.messages import message
from narrator.rehearsal.bench import Verdict


def curve_table(manner: str, curve: dict[str, Any]) -> Table:
    """What becomes of the answers put in one ``manner``, from asking seldom to asking often."""
    title = message("bench_curve_title", manner=message(f"bench_manner_{manner}"), trials=curve["trials"])
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(message("bench_column_clear"))
    for verdict in Verdict:
        table.add_column(message(f"bench_column_{verdict.value}"), justify="right")
    table.add_column(message("bench_column_cost"), justify="right")
    for point in curve["clear"]:
        mark = " *" if point["clear"] == curve["best"] else ""
        table.add_row(f"{point['clear']:g}{mark}", *_shares(point))
    table.add_row(message("bench_curve_policy"), *_shares(curve["policy"]))
    return table


def _shares(point: dict[str, Any]) -> list[str]:
    return [*(f"{point[verdict.value]:.1%}" for verdict in Verdict), f"{point['cost']:.2f}"]
