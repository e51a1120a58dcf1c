"""A question on the table: how far its answer has come, and what may be answered to it now."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from narrator.moderator.expectations import Expectation, Kind, never_meant
from narrator.moderator.inputs import Answer
from narrator.moderator.question import Accepted, Confirm, Question

# Judge's commands that stay open while an answer is being confirmed.
CALM_COMMANDS = ("pause", "repeat", "stop")


@dataclass(slots=True)
class OpenQuestion:
    """What was answered and waits for a confirmation (``pending``), and the misses so far.

    ``unheard`` of them, the latest, were silences. ``hesitant`` is true once a doubtful yes was heard to
    ``pending``, or a doubtful answer that only has to come again. ``denied`` are answers that were asked back
    and were not meant. ``interrupted`` is true until it is put again after another question.
    """

    question: Question
    pending: Answer | None = None
    hesitant: bool = False
    misses: int = 0
    unheard: int = 0
    interrupted: bool = False
    denied: list[Any] = field(default_factory=list)

    @property
    def unconfirmed(self) -> Accepted | None:
        """The answer that waits for its confirmation."""
        return None if self.pending is None else Accepted(self.question, self.pending)

    @property
    def floor(self) -> int | None:
        """The seat whose speech it is; None when nobody speaks."""
        seat = self.question.params.get("seat")
        return seat if self.question.expectation.kind is Kind.PASS and isinstance(seat, int) else None

    def expected(self, ever: tuple[str, ...]) -> Expectation:
        """What may be answered now, with the commands ``ever`` of every question."""
        asked = self.question.expectation
        if self.pending is not None and self.question.confirm is not Confirm.TWICE:
            # The fewer words can be meant, the surer they are heard.
            commands = tuple(name for name in asked.commands if name in CALM_COMMANDS)
            return Expectation(Kind.YESNO, commands=(*commands, *ever), at_ease=asked.at_ease)
        denied = never_meant(value for value in self.denied if type(value) is int)
        # Not understood without them: then it may be one of these after all, and its yes was taken for a no.
        but = () if self.misses else (*asked.but, *denied)
        return replace(asked, commands=(*asked.commands, *ever), but=but)
