"""``narrator diagram``: the moderator's states as a Mermaid diagram."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from narrator.messages import message
from narrator.moderator.diagram import mermaid

if TYPE_CHECKING:
    from narrator.cli.main import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """No options."""
    return subparsers.add_parser("diagram", help=message("help_diagram"))


def run(args: argparse.Namespace) -> int:
    """Print the diagram."""
    print(mermaid(), end="")
    return 0
