"""The line a person is typing: bytes of a terminal in, whole lines out."""

from __future__ import annotations

import codecs
import re

_END_OF_INPUT = "\x04"
_ERASE = "\x7f\b"
_ERASE_ALL = "\x15\x17\x0b"
# What arrow and function keys send; all of it is left out.
_KEY = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|[^\[O])")
_BEGUN_KEY = re.compile(r"\x1b(\[[0-?]*[ -/]*|O)?$")


class LineEditor:
    """Edits one line. While ``hidden`` nothing of it is seen, not even how long it is.

    ``closed`` once the end of the input was typed on an empty line.
    """

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="ignore").decode
        self._line = ""
        self._begun = ""
        self._hidden = False
        self.closed = False

    @property
    def hidden(self) -> bool:
        """Whether what is typed is kept from sight."""
        return self._hidden

    @hidden.setter
    def hidden(self, hidden: bool) -> None:
        if self._hidden and not hidden:
            # The rest of a secret must not come to light with the next question.
            self._line = ""
        self._hidden = hidden

    @property
    def shown(self) -> str:
        """What may be seen of the line."""
        return "" if self._hidden else self._line

    def feed(self, data: bytes) -> list[str]:
        """Take what a keyboard sent; the lines that were finished by it come back."""
        text = self._begun + self._decode(data)
        begun = _BEGUN_KEY.search(text)
        self._begun = begun.group() if begun else ""
        lines = []
        for letter in _KEY.sub("", text.removesuffix(self._begun) if begun else text):
            if letter in "\r\n":
                lines.append(self._line)
                self._line = ""
            elif letter in _ERASE:
                self._line = self._line[:-1]
            elif letter in _ERASE_ALL:
                self._line = ""
            elif letter == _END_OF_INPUT:
                self.closed = self.closed or not self._line
            elif letter.isprintable():
                self._line += letter
        return lines
