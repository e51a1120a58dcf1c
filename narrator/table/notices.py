"""What happened to devices and files, waiting to be told at the table."""

from __future__ import annotations

from collections import deque

from narrator.moderator.effects import Say
from narrator.table.witness import Witness

Notice = tuple[str, dict[str, object]]


class Notices:
    """A box: whoever notices something puts it in, on any thread; the session takes it out and tells it."""

    def __init__(self) -> None:
        self._waiting: deque[Notice] = deque()

    def tell(self, key: str, **params: object) -> None:
        """Put in a key of the messages with what fills it."""
        self._waiting.append((key, params))

    def take(self) -> Notice | None:
        """The oldest one not taken yet."""
        return self._waiting.popleft() if self._waiting else None


class MissingVoice(Witness):
    """Notices, once, that a line could not be said aloud, though there is a voice for it."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._noticed = False

    def spoken(self, say: Say, text: str, silent: bool) -> None:
        """A line begins, perhaps without its sound."""
        if silent and not self._noticed:
            self._noticed = True
            self._notices.tell("voice_missing")
