"""The moderator: one input in, the effects it causes out; the same inputs always cause the same effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from narrator.moderator.day import Day
from narrator.moderator.departures import Departures
from narrator.moderator.desk import Desk
from narrator.moderator.dialog import TAKE_BACK
from narrator.moderator.effects import Effect, End, Say, Sound, Wait
from narrator.moderator.endgame import Endgame
from narrator.moderator.evening import Evening, Setup
from narrator.moderator.guide import Guide
from narrator.moderator.history import History
from narrator.moderator.inputs import Answer, Command, Elapsed, Input, Unclear, Why
from narrator.moderator.inquiries import Inquiries
from narrator.moderator.lobby import Lobby
from narrator.moderator.machine import INITIAL, build
from narrator.moderator.night import Night
from narrator.moderator.offer import is_unfinished
from narrator.moderator.ownrules import OwnRules
from narrator.moderator.pauses import Pauses
from narrator.moderator.powers import Powers
from narrator.moderator.secrets import SecretQuestions
from narrator.moderator.sounds import WORDING_COMMANDS, Sounds
from narrator.moderator.spoken import Spoken
from narrator.moderator.takingback import TakingBack
from narrator.moderator.vote import Vote

# More states than can pass between two questions; beyond it the tables run in a circle.
_LONGEST_RUN = 64


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
        own_rules = OwnRules(self._desk)
        spoken = Spoken(self._desk)
        self._chapters: dict[str, object] = {
            "lobby": Lobby(self._desk, secrets),
            "ownrules": own_rules,
            "night": Night(self._desk, secrets),
            "day": day,
            "departures": Departures(self._desk, day),
            "spoken": spoken,
            "vote": Vote(self._desk, day, spoken),
            "endgame": Endgame(self._desk),
            "pauses": Pauses(self._desk),
        }
        self._day = day
        self._sounds = Sounds(self._desk)
        inquiries = Inquiries(
            self._desk, lambda: self.phase.startswith("night"), lambda name: self._back.would_do(name)
        )
        requests = {
            "own_rules": own_rules.request,
            "guide": Guide(self._desk).begin,
            "voice": self._sounds.change_voice,
            **dict.fromkeys(WORDING_COMMANDS, self._sounds.change_wording),
            "backdrop": self._sounds.change_backdrop,
            "sound_check": self._sounds.check_room,
            **dict.fromkeys(("louder", "softer", "faster", "slower"), self._sounds.turn),
            "help": inquiries.help,
            "living": inquiries.living,
            "day": inquiries.day,
            "time_left": inquiries.time_left,
        }
        self._powers = Powers(self._desk, day, _Course(self), requests)
        self._machine = build(self, self._resolve)
        self._back = TakingBack(self._desk, self._sounds, self.restore)
        self._before_pause = ""
        self._latest: tuple[Effect, ...] = ()
        self._cut: tuple[tuple[Effect, ...], int] = ((), 0)

    @property
    def evening(self) -> Evening:
        """What the moderator remembers; to be read, not written."""
        return self._desk.evening

    @property
    def ended(self) -> bool:
        """Whether the evening is over."""
        return self.state == "ended"

    @property
    def phase(self) -> str:
        """The state of the game, also while it is paused."""
        return self._before_pause if self.state == "paused" else self.state

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Everything that was said and not taken back."""
        return tuple(self._history.inputs)

    @property
    def _history(self) -> History:
        return self._back.history

    def begin(self) -> tuple[Effect, ...]:
        """Open the evening."""
        return self._open()

    def handle(self, event: Input) -> tuple[Effect, ...]:
        """Take one input; what comes back is to be done in order."""
        return self._take(event)

    def restore(
        self, inputs: Iterable[Input], spent: frozenset[str] = frozenset()
    ) -> list[tuple[Effect, ...]]:
        """Go, unheard, to where ``inputs`` lead; what would have been done comes back, opening first.

        ``spent`` are the rows of code sheets named by the notes ``undone`` of the evening.
        """
        self._desk.clear(spent)
        self._back.history = History()
        self._machine.set_state(INITIAL)
        return [self._open(), *[self._take(event) for event in inputs]]

    def resume_question(self) -> tuple[Effect, ...]:
        """Put the open question once more, without any input: for whoever comes back to a game.

        Timers that were running start with what was left of them, as far as the inputs tell.
        """
        if self._desk.dialog.waiting:
            self._back.stand()
            self._desk.dialog.repeat()
        self._latest = self._desk.flush()
        return self._latest

    def parting(self) -> tuple[Effect, ...]:
        """What is said when the table is left in the middle."""
        return (Say("leave.saved" if is_unfinished(self.phase) else "end.goodbye"),)

    def pause(self, unsaid: int) -> None:
        """Stop everything; the open question stays below."""
        self._before_pause = self.state
        self._cut = self._latest, unsaid
        self.trigger("hold")

    # One input

    def _open(self) -> tuple[Effect, ...]:
        self.trigger("open")
        self._latest = self._run()
        self._history.begin(self._latest, self._desk.dialog.depth)
        return self._latest

    def _take(self, event: Input) -> tuple[Effect, ...]:
        dialog, history = self._desk.dialog, self._history
        if self.ended or not dialog.waiting:
            return ()
        if isinstance(event, Command) and event.name in TAKE_BACK:
            if self.state == "paused" and self._back.beneath_pause():
                self._leave_pause()
            if self._back.may(event):
                self._back.go(event)
                self._latest = self._desk.flush()
                return self._latest
        evening, floor = self._desk.evening, dialog.floor
        before = (evening.game_, evening.warnings), dialog.base
        dialog.accepted = None
        self._expose(event)
        self._react(event)
        self._latest = self._run()
        history.add(event, self._latest)
        if before[0] != (evening.game_, evening.warnings) or dialog.base is not before[1]:
            self._back.moved_on(event, floor)
        return self._latest

    def _react(self, event: Input) -> None:
        dialog = self._desk.dialog
        match event:
            case Answer():
                if dialog.take(event):
                    self._settled()
            case Unclear():
                if dialog.miss(event):
                    self._settled()
            case Command(name="resume") if dialog.about == "paused":
                dialog.drop_top()
                self._settled()
            case Command(name=name) if name in TAKE_BACK:
                self._back.withdraw(name)
            case Command():
                self._powers.command(event)
            case Elapsed():
                self._day.elapsed(event.timer)

    def _expose(self, event: Input) -> None:
        """Note that something is being said under the row of a secret question."""
        question = self._desk.dialog.open
        row = question.params.get("row") if question is not None else None
        said = isinstance(event, Answer) or (isinstance(event, Unclear) and event.why is not Why.SILENCE)
        if said and isinstance(row, str):
            self._desk.expose(row)

    def _settled(self) -> None:
        """An answer counted: come back from a pause, or to the question that was interrupted."""
        dialog = self._desk.dialog
        if self.state == "paused" and dialog.about != "paused":
            self._return_from_pause()
            self._desk.say("pause.ends")
            self._say_again()
        elif dialog.waiting and dialog.interrupted:
            dialog.return_to_interrupted()

    def _leave_pause(self) -> None:
        """What is taken back lies beneath the pause, and ends it."""
        self._desk.dialog.drop_top()
        self._return_from_pause()

    def _return_from_pause(self) -> None:
        # Where to go back to is memory, not a row of the table: 31 rows would say the same.
        self._machine.set_state(self._before_pause)

    # Saying again

    def _say_again(self) -> None:
        """Say the lines that a pause kept from being said, or else the question, and listen."""
        effects, unsaid = self._cut
        said = [at for at, effect in enumerate(effects) if isinstance(effect, Say)]
        if not unsaid or not said:
            self._desk.dialog.repeat()
            return
        rest = effects[said[-min(unsaid, len(said))] :]
        self._desk.effects.extend(effect for effect in rest if isinstance(effect, Say | Sound | Wait))
        self._desk.dialog.reopen()

    def _run(self) -> tuple[Effect, ...]:
        """Go on from state to state until somebody has to answer."""
        for _ in range(_LONGEST_RUN):
            if self.ended:
                self._desk.dialog.drop()
                self._desk.effects.append(End())
                return self._desk.flush()
            if self._desk.dialog.waiting:
                return self._desk.flush()
            self._desk.pace()
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

    def pause(self, unsaid: int) -> None:
        self._moderator.pause(unsaid)

    def finish(self) -> None:
        self._moderator._desk.dialog.drop()
        self._moderator.trigger("finish")

    def recall(self) -> None:
        if self._moderator.state.startswith(("ballot.", "naming")):
            self._moderator._desk.dialog.drop()
            self._moderator.trigger("recall")

    def quit(self) -> None:
        self._moderator._desk.dialog.drop()
        self._moderator.trigger("quit")
