"""What the chapters of the moderator share: the evening's memory, the dialog and the list of effects."""

from __future__ import annotations

from narrator.moderator.dialog import Dialog
from narrator.moderator.effects import Effect, Note, Say, Sound, StartTimer, StopTimer, Value, Wait
from narrator.moderator.evening import Evening, Setup

# Judge's commands that make sense whenever a game is on.
ANY_TIME = ("pause", "repeat", "remind", "eject", "warn", "surrender_killer", "surrender_police", "stop")
# ... and while somebody holds the floor.
ON_THE_FLOOR = (*ANY_TIME, "next", "more_time", "vote_now")


class Desk:
    """The moderator's desk; chapters read and write here and nowhere else."""

    def __init__(self, setup: Setup) -> None:
        self.evening = Evening(setup, number=setup.first_game - 1, barred=setup.barred)
        self.effects: list[Effect] = []
        self.dialog = Dialog(self.effects.append)

    def say(self, line: str, **params: Value) -> None:
        """Have a line spoken."""
        self.effects.append(Say(line, params))

    def wait(self, name: str) -> None:
        """Have a silence kept."""
        self.effects.append(Wait(name))

    def sound(self, earcon: str) -> None:
        """Have an earcon played."""
        self.effects.append(Sound(earcon))

    def note(self, what: str, **data: Value | bool | None) -> None:
        """Have something remembered."""
        self.effects.append(Note(what, data))

    def start_timer(self, timer: str, seconds: float) -> None:
        """Have a timer started."""
        self.effects.append(StartTimer(timer, seconds))

    def stop_timers(self, *timers: str) -> None:
        """Have timers forgotten."""
        self.effects.extend(StopTimer(timer) for timer in timers)

    def flush(self) -> tuple[Effect, ...]:
        """Hand out the effects gathered so far."""
        done = tuple(self.effects)
        self.effects.clear()
        return done
