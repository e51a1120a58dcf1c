"""The moderator: one input in, the effects it causes out; the same inputs always cause the same effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from narrator.moderator.day import Day
from narrator.moderator.desk import Desk
from narrator.moderator.dialog import Question
from narrator.moderator.effects import Effect, End, Say
from narrator.moderator.endgame import Endgame
from narrator.moderator.evening import Evening, Setup
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command, Elapsed, Input, Unclear
from narrator.moderator.lobby import Lobby
from narrator.moderator.machine import build
from narrator.moderator.night import Night
from narrator.moderator.powers import Powers
from narrator.moderator.secrets import SecretQuestions
from narrator.moderator.vote import Vote

# More states than can pass between two questions; beyond it the tables run in a circle.
_LONGEST_RUN = 64


class _Pauses:
    """The pause: nothing is heard but 继续."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def ask_resume(self) -> None:
        """Wait, however long, until the judge goes on."""
        self.desk.dialog.ask(
            Question(
                "paused",
                Expectation(Kind.CHOICE, ("resume",), commands=("resume", "stop")),
                (Say("pause.begins"),),
                lambda _: None,
                short=(Say("pause.still"),),
                help=Say("help.resume"),
                patience="patience_pause",
            )
        )


class Moderator:
    """Moderates one evening: any number of games at one table.

    Sans I/O: no clock, no sound, no randomness but the seed in ``setup``. ``state`` is the machine's
    current state, such as ``night.choosing``; it is kept by ``transitions``.
    """

    state: str
    trigger: Callable[[str], bool]

    def __init__(self, setup: Setup) -> None:
        self._desk = Desk(setup)
        secrets = SecretQuestions(self._desk)
        day = Day(self._desk)
        self._chapters: dict[str, object] = {
            "lobby": Lobby(self._desk, secrets),
            "night": Night(self._desk, secrets),
            "day": day,
            "vote": Vote(self._desk, day),
            "endgame": Endgame(self._desk),
            "pauses": _Pauses(self._desk),
        }
        self._day = day
        self._powers = Powers(self._desk, day, _Course(self))
        self._machine = build(self, self._resolve)
        self._before_pause = ""

    @property
    def evening(self) -> Evening:
        """What the moderator remembers; to be read, not written."""
        return self._desk.evening

    @property
    def ended(self) -> bool:
        """Whether the evening is over."""
        return self.state == "ended"

    def begin(self) -> tuple[Effect, ...]:
        """Open the evening."""
        self.trigger("open")
        return self._run()

    def handle(self, event: Input) -> tuple[Effect, ...]:
        """Take one input; what comes back is to be done in order."""
        dialog = self._desk.dialog
        if self.ended or not dialog.waiting:
            return ()
        match event:
            case Answer():
                if dialog.take(event):
                    self._settled()
            case Unclear():
                dialog.miss(event)
            case Command(name="resume") if dialog.about == "paused":
                dialog.drop_top()
                self._settled()
            case Command():
                self._powers.command(event)
            case Elapsed():
                self._day.elapsed(event.timer)
        return self._run()

    def resume_question(self) -> tuple[Effect, ...]:
        """Put the open question once more, without any input: for whoever comes back to a game."""
        if self._desk.dialog.waiting:
            self._desk.dialog.repeat()
        return self._desk.flush()

    def pause(self) -> None:
        """Stop everything; the open question stays below."""
        self._before_pause = self.state
        self.trigger("hold")

    def _settled(self) -> None:
        """An answer counted: come back from a pause, or to the question that was interrupted."""
        if self.state == "paused" and self._desk.dialog.about != "paused":
            # Where to go back to is memory, not a row of the table: 31 rows would say the same.
            self._machine.set_state(self._before_pause)
            self._desk.say("pause.ends")
            self._desk.dialog.repeat()
        elif self._desk.dialog.waiting and self._desk.dialog.interrupted:
            self._desk.dialog.return_to_interrupted()

    def _run(self) -> tuple[Effect, ...]:
        """Go on from state to state until somebody has to answer."""
        for _ in range(_LONGEST_RUN):
            if self.ended:
                self._desk.dialog.drop()
                self._desk.effects.append(End())
                return self._desk.flush()
            if self._desk.dialog.waiting:
                return self._desk.flush()
            self.trigger("next")
        raise RuntimeError(f"the moderator runs in a circle at {self.state}")

    def _resolve(self, name: str) -> Callable[[], Any]:
        chapter, _, method = name.partition(".")
        bound: Callable[[], Any] = getattr(self._chapters[chapter], method)
        return bound


class _Course:
    """Lets the judge's powers change the course of the game without knowing the machine."""

    def __init__(self, moderator: Moderator) -> None:
        self._moderator = moderator

    def pause(self) -> None:
        self._moderator.pause()

    def finish(self) -> None:
        self._moderator._desk.dialog.drop()
        self._moderator.trigger("finish")

    def recall(self) -> None:
        if self._moderator.state.startswith("ballot."):
            self._moderator._desk.dialog.drop()
            self._moderator.trigger("recall")

    def quit(self) -> None:
        self._moderator._desk.dialog.drop()
        self._moderator.trigger("quit")
