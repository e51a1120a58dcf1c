"""The day until the ballot: what the night brought, last words, speeches in order."""

from __future__ import annotations

from narrator.moderator.desk import ANY_TIME, ON_THE_FLOOR, Desk
from narrator.moderator.effects import Say
from narrator.moderator.evening import DayNotes, Secrets
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.question import Confirm, Question
from narrator.rules.game import Cause, leave
from narrator.rules.lastwords import has_last_words
from narrator.rules.leaving import asks_parting
from narrator.rules.night import end_night, end_reported_night, may_be_told, most_deaths, most_muted
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
        """Only the judge knows what happened at night, if anything can."""
        return self.desk.evening.table.secrets is Secrets.JUDGE and self.more_to_report()

    def more_to_report(self) -> bool:
        """The judge has not told of everything yet."""
        return bool(self._reports())

    def words_due(self) -> bool:
        """Somebody who left may still leave last words."""
        evening = self.desk.evening
        evening.day.words = [seat for seat in evening.day.words if has_last_words(evening.game, seat)]
        return bool(evening.day.words)

    def night_follows(self) -> bool:
        """The day is over, and another night comes."""
        return self.day_follows() and self.another_night()

    def day_follows(self) -> bool:
        """The day is over: the ballot has been, or a night without deaths leads to no day."""
        return self.desk.evening.day.voted or self.desk.evening.day.skipped

    def another_night(self) -> bool:
        """The next round begins with a night."""
        evening = self.desk.evening
        return evening.ruleset.has_night(evening.game.round + 1)

    def lap_left(self) -> bool:
        """Another lap of speeches is due."""
        return self.desk.evening.day.laps > 0

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
        """The judge tells what happened at night: one seat after another, then 没有."""
        evening = self.desk.evening
        about, told, most = self._reports()[0]
        line = "result" if about == "dawn" else "result_muted"

        def refuse(seat: int | None) -> Say | None:
            if seat in told:
                return Say("refuse.told", {"seat": seat})
            refusal = may_be_told(evening.game, seat, of_death=about == "dawn")
            if refusal is None:
                return None
            return Say(f"refuse.{refusal.value}", {} if seat is None else {"seat": seat})

        def take(seat: int | None) -> None:
            if seat is not None:
                told.append(seat)
            if seat is None or len(told) == most:
                evening.night.told += 1

        self.desk.dialog.ask(
            Question(
                about,
                Expectation(Kind.SEAT, none=True, commands=ANY_TIME),
                (Say(f"day.{line}_more" if told else f"day.{line}"),),
                take,
                params={"night": evening.game.round, "told": len(told)},
                refuse=refuse,
                confirm=Confirm.ALWAYS,
                help=Say(f"help.{line}"),
            )
        )

    def announce(self) -> None:
        """Say who died and who is muted, and work out who speaks when."""
        desk, evening = self.desk, self.desk.evening
        if evening.table.secrets is Secrets.JUDGE:
            ended = end_reported_night(evening.game, tuple(evening.night.dead), tuple(evening.night.muted))
        else:
            ended = end_night(evening.game, evening.night.choices)
        evening.game, dawn = ended
        # Somebody sent out after being chosen is out already.
        deaths = tuple(seat for seat in dawn.deaths if evening.game.is_living(seat))
        if evening.game.round == 1:
            evening.first_victim = dawn.victim
        told = {"muted": dawn.muted} if most_muted(evening.game) else {}
        desk.note("dawn", round=evening.game.round, deaths=deaths, **told)
        self.depart(deaths, Cause.KILLED)
        if len(deaths) > 1:
            desk.say("day.killed_several", seats=deaths)
        elif deaths:
            desk.say("day.killed", seats=deaths)
        elif most_deaths(evening.game):
            desk.say("day.peaceful")
        if most_muted(evening.game):
            desk.say("day.muted", seats=dawn.muted) if dawn.muted else desk.say("day.nobody_muted")
        evening.day.skipped = not deaths and evening.ruleset.peaceful == "night"
        if evening.day.skipped:
            desk.say("day.no_day")
        self._begin_speeches(dawn.victim if dawn.victim in deaths else None)

    def open_round(self) -> None:
        """A round that begins without a night."""
        desk, evening = self.desk, self.desk.evening
        evening.day = DayNotes()
        desk.pace()
        desk.note("day", round=evening.game.round)
        desk.say("round.opens", round=evening.game.round)
        self._begin_speeches(None)

    def open_lap(self) -> None:
        """A lap of speeches begins."""
        desk, evening = self.desk, self.desk.evening
        day, rules = evening.day, evening.ruleset.day
        lap = rules.laps_in(evening.game.round) - day.laps + 1
        day.laps -= 1
        day.speakers = list(day.order)
        self._skip_those_out()
        if lap > 1:
            desk.say("speech.lap", lap=lap)
        elif rules.opening and day.speakers and evening.ruleset.has_night(evening.game.round):
            desk.say(rules.opening, game=evening.number, seat=day.speakers[0])

    def hear_words(self) -> None:
        """The next one who left has the last word."""
        seat = self.desk.evening.day.words.pop(0)
        self._floor("last_words", seat, Say("words.please", {"seat": seat}))

    def call_speaker(self) -> None:
        """The next speaker has the floor, unless muted or the judge has cut the speeches."""
        self._skip_those_out()
        day = self.desk.evening.day
        day.speaking = seat = day.speakers.pop(0)
        if seat in self._muted():
            self.desk.say("speech.muted", seat=seat)
        elif not day.cut:
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
            desk.evening.day.overtime = True
            desk.say("speech.time_up")
            desk.start_timer("grace", GRACE_SECONDS)
        else:
            desk.say("speech.cut")
            self.yield_floor()
            return True
        desk.dialog.reopen()
        return False

    def more_time(self, left: int) -> None:
        """The judge grants the speaker more time, on top of the seconds that are left."""
        desk = self.desk
        desk.stop_timers(*_TIMERS)
        self._start_clock(MORE_SECONDS + (0 if desk.evening.day.overtime else left))
        desk.say("speech.more", seconds=MORE_SECONDS)

    def yield_floor(self) -> None:
        """Whoever has the floor is done."""
        self.desk.stop_timers(*_TIMERS)
        self.desk.dialog.drop()

    def cut_speeches(self) -> None:
        """The judge calls the vote: nobody else speaks; where each speaker votes at once, all still do."""
        day = self.desk.evening.day
        if self.desk.evening.ruleset.day.ballot == "hands":
            day.speakers.clear()
            day.laps = 0
        day.cut = True
        self.yield_floor()

    def depart(self, seats: tuple[int, ...], cause: Cause) -> None:
        """Take seats out of the game; they may be due to leave words or to take somebody along."""
        evening = self.desk.evening
        evening.game = leave(evening.game, seats, cause)
        evening.day.words += seats
        evening.day.parting += [seat for seat in seats if asks_parting(evening.game, seat)]
        evening.day.may_be_over = evening.day.left = bool(seats)

    def remind_the_dead(self) -> None:
        """Whoever has just left, and left words, is silent from now on (002: 严防死人乍尸)."""
        day = self.desk.evening.day
        if day.left:
            self.desk.say("remind.left")
        day.left = False

    # Helpers

    def _begin_speeches(self, victim: int | None) -> None:
        evening = self.desk.evening
        evening.day.order = speaking_order(evening.game, victim)
        evening.day.laps = evening.ruleset.day.laps_in(evening.game.round)

    def _muted(self) -> tuple[int, ...]:
        """Who may not speak today."""
        game = self.desk.evening.game
        return game.nights[-1].dawn.muted if len(game.nights) == game.round else ()

    def _reports(self) -> list[tuple[str, list[int], int]]:
        """What the judge has still to tell: the question, what it was answered so far, how many at most."""
        evening = self.desk.evening
        night, game = evening.night, evening.game
        reports = [("dawn", night.dead, most_deaths(game)), ("muted", night.muted, most_muted(game))]
        return [report for report in reports if report[2]][night.told :]

    def _skip_those_out(self) -> None:
        day, game = self.desk.evening.day, self.desk.evening.game
        day.speakers = [seat for seat in day.speakers if game.is_living(seat)]

    def _limit(self) -> int:
        """The longest speech in seconds: the ruleset's, or the table's in the rhythm of the game."""
        evening = self.desk.evening
        paced = round(evening.setup.speech_seconds * evening.current_beat.speeches)
        return evening.ruleset.speech_seconds or paced

    def _start_clock(self, limit: int) -> None:
        self.desk.evening.day.overtime = False
        if limit > 2 * WARNING_SECONDS:
            self.desk.start_timer("warning", limit - WARNING_SECONDS)
        self.desk.start_timer("limit", limit)

    def _floor(self, about: str, seat: int, prompt: Say) -> None:
        desk = self.desk
        self._start_clock(self._limit())
        desk.dialog.ask(
            Question(
                about,
                Expectation(Kind.PASS, commands=ON_THE_FLOOR),
                (prompt,),
                lambda _: desk.stop_timers(*_TIMERS),
                params={"seat": seat, "round": desk.evening.game.round},
                short=(Say("speech.done"),),
                confirm=Confirm.AGAIN,
                patience="patience_speech",
            )
        )
