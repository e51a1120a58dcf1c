"""The machine as a Mermaid state diagram, drawn from the same tables that run the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transitions.extensions import HierarchicalGraphMachine

from narrator.moderator.machine import TRANSITIONS, build

_ANYWHERE = {"hold": "paused", "finish": "verdict", "quit": "ended"}


class _Nobody:
    """A model that does nothing but be drawn."""


def _named(name: str) -> Callable[..., Any]:
    """A stand-in for a chapter's method, whose name becomes the label of an arrow."""

    def stand_in(*_: object) -> bool:
        return True

    stand_in.__name__ = name.partition(".")[2]
    return stand_in


def mermaid() -> str:
    """The states and transitions; what can be reached from anywhere is told in a note, not by arrows."""
    model: Any = _Nobody()
    rows = [row for row in TRANSITIONS if row.source != "*"]
    build(
        model,
        _named,
        HierarchicalGraphMachine,
        rows=rows,
        graph_engine="mermaid",
        show_conditions=True,
        title="",
    )
    lines = [line.rstrip() for line in model.get_graph().source.splitlines()]
    # The backend colours states and titles the page; a README needs neither.
    body = [line for line in lines if line and not line.lstrip().startswith(("Class ", "classDef ", "---"))]
    anywhere = ", ".join(f"{trigger} → {dest}" for trigger, dest in _ANYWHERE.items())
    note = ["  note right of paused", f"    From anywhere: {anywhere}", "  end note"]
    return "\n".join([*body, *note]) + "\n"
