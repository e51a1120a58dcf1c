"""The day until the ballot: what the night brought, last words, speeches in order."""

from __future__ import annotations

from narrator.moderator.desk import ANY_TIME, ON_THE_FLOOR, Desk
from narrator.moderator.dialog import Confirm, Question
from narrator.moderator.effects import Say
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.rules.game import Cause, leave
from narrator.rules.lastwords import has_last_words
from narrator.rules.night import may_choose, resolve
from narrator.rules.order import speaking_order

WARNING_SECONDS = 15
GRACE_SECONDS = 10
MORE_SECONDS = 30

_TIMERS = ("warning", "limit", "grace")


class Day:
    """Announces the night's dead and gives everyone the floor in the order of the rules."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    # Conditions

    def judge_reports(self) -> bool:
        """Only the judge knows what happened at night."""
        return self.desk.evening.table.secrets is Secrets.JUDGE

    def words_due(self) -> bool:
        """Somebody who left may still leave last words."""
        return bool(self.desk.evening.day.words)

    def day_is_done(self) -> bool:
        """The ballot is over, so night falls next."""
        return self.desk.evening.day.voted

    def speaker_left(self) -> bool:
        """Somebody living has not spoken yet in this lap."""
        self._skip_those_out()
        return bool(self.desk.evening.day.speakers)

    # States

    def break_(self) -> None:
        """Day breaks."""
        desk = self.desk
        desk.note("day", round=desk.evening.game.round)
        desk.sound("dawn")
        desk.say("day.breaks")
        desk.wait("eyes_open")

    def ask_result(self) -> None:
        """The judge tells what happened at night."""
        evening = self.desk.evening
        kill = next(step for step in evening.ruleset.night if step.act == "kill")

        def refuse(seat: int | None) -> Say | None:
            refusal = may_choose(evening.game, kill, seat)
            if refusal is None:
                return None
            return Say(f"refuse.{refusal.value}", {} if seat is None else {"seat": seat})

        def take(seat: int | None) -> None:
            evening.night.choices["kill"] = seat

        self.desk.dialog.ask(
            Question(
                "dawn",
                Expectation(Kind.SEAT, none=True, commands=ANY_TIME),
                (Say("day.result"),),
                take,
                params={"night": evening.game.round},
                refuse=refuse,
                confirm=Confirm.ALWAYS,
                help=Say("help.result"),
            )
        )

    def announce(self) -> None:
        """Say who died, and work out who speaks when."""
        desk, evening = self.desk, self.desk.evening
        resolved = resolve(evening.game, evening.night.choices).deaths
        # Somebody sent out after being chosen is out already.
        deaths = tuple(seat for seat in resolved if evening.game.is_living(seat))
        if evening.game.round == 1:
            evening.first_victim = evening.night.choices.get("kill")
        desk.note("dawn", round=evening.game.round, deaths=deaths)
        self.depart(deaths, Cause.KILLED)
        if deaths:
            desk.say("day.killed" if len(deaths) == 1 else "day.killed_several", seats=deaths)
        else:
            desk.say("day.peaceful")
        victim = deaths[0] if deaths else None
        evening.day.victim = victim
        evening.day.order = speaking_order(evening.game, victim)
        evening.day.speakers = list(evening.day.order)

    def hear_words(self) -> None:
        """The next one who left has the last word."""
        seat = self.desk.evening.day.words.pop(0)
        self._floor("last_words", seat, Say("words.please", {"seat": seat}))

    def call_speaker(self) -> None:
        """The next speaker has the floor."""
        self._skip_those_out()
        seat = self.desk.evening.day.speakers.pop(0)
        self._floor("speech", seat, Say("speech.please", {"seat": seat}))

    # Timers and commands while somebody has the floor

    def elapsed(self, timer: str) -> bool:
        """A speaker's timer ran out; True when the floor passes on."""
        desk = self.desk
        if desk.dialog.about not in ("speech", "last_words") or timer not in _TIMERS:
            return False
        if timer == "warning":
            desk.sound("warning")
            desk.say("speech.seconds_left", seconds=WARNING_SECONDS)
        elif timer == "limit":
            desk.say("speech.time_up")
            desk.start_timer("grace", GRACE_SECONDS)
        else:
            desk.say("speech.cut")
            self.yield_floor()
            return True
        desk.dialog.reopen()
        return False

    def more_time(self) -> None:
        """The judge grants the speaker more time."""
        desk = self.desk
        desk.stop_timers(*_TIMERS)
        desk.start_timer("limit", MORE_SECONDS)
        desk.say("speech.more", seconds=MORE_SECONDS)

    def yield_floor(self) -> None:
        """Whoever has the floor is done."""
        self.desk.stop_timers(*_TIMERS)
        self.desk.dialog.drop()

    def cut_speeches(self) -> None:
        """The judge calls the vote: nobody else speaks in this lap."""
        self.desk.evening.day.speakers.clear()
        self.yield_floor()

    def depart(self, seats: tuple[int, ...], cause: Cause) -> None:
        """Take seats out of the game and settle who of them may leave words."""
        evening = self.desk.evening
        evening.game = leave(evening.game, seats, cause)
        evening.day.words = [seat for seat in seats if has_last_words(evening.game, seat)]
        evening.day.may_be_over = bool(seats)

    # Helpers

    def _skip_those_out(self) -> None:
        day, game = self.desk.evening.day, self.desk.evening.game
        day.speakers = [seat for seat in day.speakers if game.is_living(seat)]

    def _floor(self, about: str, seat: int, prompt: Say) -> None:
        desk = self.desk
        limit = desk.evening.setup.speech_seconds
        if limit > 2 * WARNING_SECONDS:
            desk.start_timer("warning", limit - WARNING_SECONDS)
        desk.start_timer("limit", limit)
        desk.dialog.ask(
            Question(
                about,
                Expectation(Kind.PASS, commands=ON_THE_FLOOR),
                (prompt,),
                lambda _: desk.stop_timers(*_TIMERS),
                params={"seat": seat, "round": desk.evening.game.round},
                short=(Say("speech.done"),),
                confirm=Confirm.NEVER,
                patience="patience_speech",
            )
        )
