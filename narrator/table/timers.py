"""The timers of whoever has the floor; they run only when the session lets them."""

from __future__ import annotations

from collections.abc import Mapping


class Timers:
    """Seconds left of each timer, in the order in which they were started."""

    def __init__(self) -> None:
        self._left: dict[str, float] = {}

    @property
    def left(self) -> Mapping[str, float]:
        """Seconds left of each."""
        return self._left

    @property
    def longest(self) -> int | None:
        """Whole seconds until the last of them runs out; None when none is running."""
        return int(max(self._left.values())) if self._left else None

    def start(self, timer: str, seconds: float) -> None:
        """Start a timer, or start it anew."""
        self._left[timer] = seconds

    def stop(self, timer: str) -> None:
        """Forget a timer, if there is one."""
        self._left.pop(timer, None)

    def tick(self, seconds: float) -> str | None:
        """Let time pass; a timer that has run out, and is forgotten with that."""
        for timer in self._left:
            self._left[timer] -= seconds
        out = next((timer for timer, left in self._left.items() if left <= 0), None)
        if out is not None:
            self.stop(out)
        return out
