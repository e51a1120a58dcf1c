"""The beginner's guide, spoken in the lobby: how the game goes, then what each role should mind."""

from __future__ import annotations

from narrator.moderator.desk import Desk
from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer, Command
from narrator.moderator.question import Confirm, Question
from narrator.rules.ruleset import Ruleset

NEXT, SKIP = "guide.next", "guide.skip"

_COMMANDS = ("repeat", "pause", "stop")


class Guide:
    """Reads the guide a part at a time; after each the table may go on, or skip the rest."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def begin(self, command: Command) -> None:
        """Somebody asked for the guide."""
        evening = self.desk.evening
        lines = guide_lines(self._ruleset(), evening.draft.players)
        if lines:
            self.desk.say("guide.begins")
            self._read(lines)
        else:
            self.desk.say("guide.none")
            self.desk.dialog.reopen()

    def _ruleset(self) -> Ruleset:
        """What the table is about to play, as far as that is known; else what it played last, the default."""
        evening = self.desk.evening
        library, draft, previous = evening.setup.library, evening.draft, evening.setup.previous
        if draft.ruleset is not None:
            return library.chosen(draft.ruleset, draft.knobs)
        if draft.players is not None:
            return library.playable(draft.players)[0]
        return library.chosen(previous.ruleset, previous.knobs) if previous else library.all()[0]

    def _read(self, lines: tuple[str, ...]) -> None:
        line, *rest = lines

        def take(wish: str) -> None:
            if wish == NEXT and rest:
                self._read(tuple(rest))
            else:
                self.desk.say("guide.ends")

        self.desk.dialog.ask(
            Question(
                "guide",
                Expectation(Kind.CHOICE, (NEXT, SKIP), commands=_COMMANDS, at_ease=True),
                (Say(line),),
                take,
                confirm=Confirm.NEVER,
                help=Say("help.guide"),
                patience="patience_guide",
                lapse=Answer(Kind.CHOICE, NEXT),
            )
        )


def guide_lines(ruleset: Ruleset, players: int | None = None) -> tuple[str, ...]:
    """The lines of a ruleset's guide: the game, then each role; none for a host's whole own ruleset."""
    base = ruleset.base or ruleset
    if base.name:
        return ()
    numbers = [players] if players is not None and players in ruleset.deals else list(ruleset.deals)
    dealt = dict.fromkeys(role for number in numbers for role in ruleset.deals[number])
    return tuple(f"guide.{base.id}.{part}" for part in ("game", *dealt))
