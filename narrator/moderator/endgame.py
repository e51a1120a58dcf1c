"""The end: is the game over, who has won, and shall there be another."""

from __future__ import annotations

from collections.abc import Callable

from narrator.moderator.desk import PUBLIC, Desk
from narrator.moderator.effects import Say
from narrator.moderator.evening import Draft, Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.question import Confirm, Question
from narrator.moderator.recap import recap, reveal
from narrator.rules.game import next_round
from narrator.rules.victory import Verdict, could_be_over, verdict

WISHES = ("again.same", "again.change", "again.own_rules", "again.recap", "again.stop")

_COMMANDS = ("repeat", "pause", "stop", *PUBLIC)
# There it is said as an answer: 结束.
_REVIEW_COMMANDS = ("repeat", "pause")
_WISHES = WISHES


class Endgame:
    """Gives the verdict as soon as the rules do, or asks the judge when only he can know."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    # Conditions

    def is_over(self) -> bool:
        """The rules, or the judge, have decided."""
        evening = self.desk.evening
        if evening.verdict is None and evening.table.secrets is not Secrets.JUDGE:
            evening.verdict = verdict(evening.game)
        return evening.verdict is not None

    def judge_must_say(self) -> bool:
        """Only the judge knows the roles, and as many are out as an end needs."""
        evening = self.desk.evening
        if evening.table.secrets is not Secrets.JUDGE or not evening.day.may_be_over:
            return False
        return could_be_over(evening.game)

    def wants_again(self) -> bool:
        """The same table plays again."""
        return self.desk.evening.wish == "again.same"

    def wants_change(self) -> bool:
        """The table wants to change something first."""
        return self.desk.evening.wish == "again.change"

    # States

    def ask_over(self) -> None:
        """Ask the judge whether the game is over, and if so who has won."""
        evening = self.desk.evening
        evening.day.may_be_over = False

        def take(over: bool) -> None:
            if over:
                self._ask_winner()

        self.desk.dialog.ask(
            Question(
                "over",
                Expectation(Kind.YESNO, commands=_COMMANDS),
                (Say("end.over"),),
                take,
                params={"round": evening.game.round},
                confirm=Confirm.DOUBTFUL,
                help=Say("help.yesno"),
            )
        )

    def announce(self) -> None:
        """The verdict, and who was who."""
        desk, evening = self.desk, self.desk.evening
        desk.dialog.drop()
        desk.stop_timers("warning", "limit", "grace")
        result = evening.verdict
        assert result is not None
        desk.note(
            "verdict",
            winner=result.winner,
            reason=result.reason,
            rounds=evening.game.round,
            number=evening.number,
            first_victim=evening.first_victim,
        )
        desk.sound("dawn")
        desk.say("end.game_over")
        desk.say(f"end.{result.reason}")
        desk.say(f"end.{result.winner}_win" if result.winner != "draw" else "end.draw")
        desk.effects.extend(reveal(evening.game))

    def review(self) -> None:
        """Another game?"""
        evening = self.desk.evening

        def take(wish: str) -> None:
            evening.wish = wish
            if wish == "again.recap":
                assert evening.verdict is not None
                self.desk.effects.extend(recap(evening.game, evening.verdict))
                self.review()
            elif wish == "again.change":
                evening.setup = evening.setup.without_presets()
            elif wish == "again.own_rules":
                table = evening.table
                evening.draft = Draft(
                    table.ruleset, table.players, table.secrets, table.knobs, wants_own_rules=True
                )

        self.desk.dialog.ask(
            Question(
                "review",
                Expectation(Kind.CHOICE, _WISHES, commands=_REVIEW_COMMANDS),
                (Say("end.again"),),
                take,
                help=Say("help.again"),
                patience="patience_deal",
            )
        )

    def goodbye(self) -> None:
        """Leave the table."""
        self.desk.say("end.goodbye")

    def next_night(self) -> None:
        """One round is over; count on."""
        self.desk.evening.game = next_round(self.desk.evening.game)

    def _ask_winner(self) -> None:
        def settle(decided: Verdict) -> None:
            self.desk.evening.verdict = decided

        self.desk.dialog.ask(winner_question(settle, _COMMANDS))


def winner_question(settle: Callable[[Verdict], None], commands: tuple[str, ...] = ()) -> Question:
    """Ask the judge who has won; ``settle`` receives his verdict once he has confirmed it."""

    def take(choice: str) -> None:
        winner = choice.removeprefix("winner.")
        settle(Verdict(winner, f"judge_{winner}"))

    return Question(
        "winner",
        Expectation(Kind.CHOICE, ("winner.killers", "winner.good", "winner.draw"), commands=commands),
        (Say("end.who_won"),),
        take,
        confirm=Confirm.ALWAYS,
        help=Say("help.winner"),
    )
