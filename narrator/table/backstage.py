"""What an input causes that is neither said nor asked: timers, notes, a room check, another wording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from narrator.moderator.effects import CheckRoom, Effect, End, Note, Say, StartTimer, StopTimer, Wording
from narrator.table.timers import Timers
from narrator.table.witness import Witness


class Backstage:
    """Carries out at once, in their order, the effects that no performance is needed for.

    ``check_room`` carries out ``CheckRoom``; ``change_wording`` carries out ``Wording``, and is false where
    all stays as it is.
    """

    def __init__(
        self,
        timers: Timers,
        witnesses: Sequence[Witness],
        check_room: Callable[[], None],
        change_wording: Callable[[str], bool],
    ) -> None:
        self._timers = timers
        self._witnesses = witnesses
        self._check_room = check_room
        self._change_wording = change_wording
        self.over = False
        """Whether the evening has come to its end."""

    def carry_out(self, effects: Iterable[Effect]) -> list[Effect]:
        """Do what is to be done; what is to be performed comes back."""
        performed: list[Effect] = []
        stays = False
        for effect in effects:
            match effect:
                case Note():
                    for witness in self._witnesses:
                        witness.noted(effect)
                case StartTimer(timer, seconds):
                    self._timers.start(timer, seconds)
                case StopTimer(timer):
                    self._timers.stop(timer)
                case End():
                    self.over = True
                case CheckRoom():
                    # Nothing is being said now, and nobody listened to: an answer has just been taken.
                    self._check_room()
                case Wording(locale):
                    stays = not self._change_wording(locale)
                case Say() if stays:
                    # It would tell of another wording.
                    pass
                case _:
                    performed.append(effect)
        return performed
