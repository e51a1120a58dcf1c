"""The voice's build lies beside the program, not in it."""

from __future__ import annotations

import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT / "scripts"))
