"""What the chapters of the moderator share: the evening's memory, the dialog and the list of effects."""

from __future__ import annotations

from narrator.moderator.dialog import Dialog
from narrator.moderator.effects import Effect, Note, Pace, Say, Sound, StartTimer, StopTimer, Value, Wait
from narrator.moderator.evening import Evening, Setup

# What anybody may ask about a game, at night too: it is answered by what everybody knows.
PUBLIC = ("living", "day")
# Judge's commands that make sense whenever a game is on.
ANY_TIME = (
    *("pause", "repeat", "remind", "eject", "warn", "surrender_killer", "surrender_police", "stop"),
    *PUBLIC,
)
# ... while somebody holds the floor ...
ON_THE_FLOOR = (*ANY_TIME, "next", "more_time", "time_left", "vote_now")
# ... and while all but one role have their eyes closed.
AT_NIGHT = ("pause", "repeat", "eject", "warn", "stop", *PUBLIC)


class Desk:
    """The moderator's desk; chapters read and write here and nowhere else."""

    def __init__(self, setup: Setup) -> None:
        self.effects: list[Effect] = []
        self._setup = setup
        self.clear()

    def clear(self, spent: frozenset[str] = frozenset()) -> None:
        """Begin the evening anew; ``spent`` are rows of code sheets that must not be used again."""
        setup = self._setup
        self.evening = Evening(setup, number=setup.first_game - 1, barred=setup.barred)
        self.evening.sheet.spent = spent
        self.dialog = Dialog(self.effects.append)
        self.effects.clear()

    def expose(self, row: str) -> None:
        """Remember that something may have been said aloud under a row of the game's code sheet."""
        self.evening.sheet.exposed.append(self._full(row))

    def is_spent(self, row: str) -> bool:
        """Whether a row of the game's code sheet was used for something that has been taken back."""
        return self._full(row) in self.evening.sheet.spent

    def _full(self, row: str) -> str:
        return f"{self.evening.number}.{row}"

    def say(self, line: str, **params: Value) -> None:
        """Have a line spoken."""
        self.effects.append(Say(line, params))

    def wait(self, name: str) -> None:
        """Have a silence kept."""
        self.effects.append(Wait(name))

    def pace(self) -> None:
        """Have the rhythm changed where the round or the number of the living asks for it."""
        beat = self.evening.current_beat
        if beat != self.evening.beat:
            self.effects.append(Pace(beat.pauses, beat.rate))
        self.evening.beat = beat

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
        """Hand out the effects gathered so far, lines in the words of the ruleset that is played."""
        game = self.evening.game_
        own = game.ruleset.day.wording if game else {}
        done = tuple(
            Say(own[effect.line], effect.params) if isinstance(effect, Say) and effect.line in own else effect
            for effect in self.effects
        )
        self.effects.clear()
        return done
