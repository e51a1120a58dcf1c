"""A past game told round by round, in words; secrets of an unfinished one only where they may be shown."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from narrator.moderator.recap import CHECK, first_hit, losing_run
from narrator.rules.game import Cause, Departure
from narrator.table.history import Count, PastGame, between
from narrator.table.words import Words


@dataclass(frozen=True, slots=True)
class Seat:
    """One player: ``role`` is None while it is a secret; ``side`` likewise; ``out`` whether they left."""

    seat: str
    role: str | None
    side: str | None
    fate: str
    out: bool


@dataclass(frozen=True, slots=True)
class Ballot:
    """A ballot: its title, and (seat, votes) for every candidate that got any, most votes first."""

    title: str
    votes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Half:
    """A night or a day: its title, how long it took (empty where unknown), what happened, the ballots."""

    title: str
    lasted: str
    events: tuple[str, ...]
    ballots: tuple[Ballot, ...] = ()


@dataclass(frozen=True, slots=True)
class Timeline:
    """A whole game in words. ``halves`` are pairs of night and day; a round may lack either."""

    title: str
    facts: tuple[str, ...]
    verdict: str
    winner: str | None
    turning: tuple[str, ...]
    seats: tuple[Seat, ...]
    rounds: tuple[tuple[Half | None, Half | None], ...]


def timeline(past: PastGame, words: Words, reveal: bool = False) -> Timeline:
    """Tell a game; ``reveal`` shows the secrets of one that was not finished."""
    return _Teller(past, words, reveal or past.verdict is not None).tell()


def date(seconds: float) -> str:
    """A day and time for the reader, in local time: 2026-03-01 20:15."""
    return datetime.datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


class _Teller:
    def __init__(self, past: PastGame, words: Words, open_: bool) -> None:
        self._past = past
        self._game = past.game
        self._words = words
        self._open = open_

    def tell(self) -> Timeline:
        past = self._past
        return Timeline(
            title=self._say("title", number=past.key[2], ruleset=self._words.ruleset(self._game.ruleset)),
            facts=tuple(self._facts()),
            verdict=self._say("unfinished") if past.verdict is None else self._words.verdict(past.verdict),
            winner=None if past.verdict is None else past.verdict.winner,
            turning=tuple(self._turning()),
            seats=tuple(self._seat(seat) for seat in self._game.seats),
            rounds=tuple((self._night(n), self._day(n)) for n in range(1, self._game.round + 1)),
        )

    def _say(self, key: str, **params: object) -> str:
        return self._words.find("recap", key, **params)

    def _facts(self) -> Iterator[str]:
        past = self._past
        if past.began is not None:
            yield self._say("begun", date=date(past.began))
        players = self._words.pack.say_value("players", self._game.players)
        yield self._say("table", players=players, secrets=self._words.secrets(past.table.secrets.value))
        if past.seconds is None or past.verdict is None:
            yield self._say("rounds", rounds=self._game.round)
        else:
            yield self._say("lasted", rounds=self._game.round, minutes=round(past.seconds / 60))

    def _turning(self) -> Iterator[str]:
        if not self._open or self._past.verdict is None:
            return
        hit = first_hit(self._game)
        if hit is not None:
            night, role, seat = hit
            yield self._say("first_hit", role=self._words.role(role), n=night, seat=self._words.seat(seat))
        run = losing_run(self._game, self._past.verdict)
        if run is not None:
            side = self._words.side(run.side.value)
            yield self._say("turn", n=run.round, side=side, count=run.count)

    def _seat(self, seat: int) -> Seat:
        roles = self._game.roles if self._open else None
        role = None if roles is None else roles[seat]
        left = next((one for one in self._game.departures if one.seat == seat), None)
        return Seat(
            self._words.seat(seat),
            None if role is None else self._words.role(role),
            None if role is None else self._game.ruleset.sides[role].value,
            self._fate(left),
            left is not None,
        )

    def _fate(self, left: Departure | None) -> str:
        if left is None:
            return self._say("alive" if self._past.verdict is not None else "living")
        return self._say("out_night" if self._by_night(left) else "out_day", n=left.round)

    def _by_night(self, left: Departure) -> bool:
        nights = self._game.nights
        return left.round <= len(nights) and left.seat in nights[left.round - 1].dawn.deaths

    # A night

    def _night(self, number: int) -> Half | None:
        if number > len(self._game.nights):
            return None
        dawn = self._game.nights[number - 1].dawn
        events = [*self._acts(number)] if self._open else []
        events += [self._as_role(self._say("died", seat=self._words.seat(s)), s) for s in dawn.deaths]
        if not dawn.deaths:
            events.append(self._say("peaceful"))
        events += [self._say("muted", seat=self._words.seat(seat)) for seat in dawn.muted]
        return Half(self._say("night", n=number), self._lasted(number, by_day=False), tuple(events))

    def _acts(self, number: int) -> Iterator[str]:
        choices = self._game.nights[number - 1].choices
        for step in self._game.ruleset.tonight(number):
            if step.act is None or step.act not in choices:
                continue
            seat = choices[step.act]
            role, act = self._words.role(step.role), self._words.act(step.act)
            if seat is None:
                yield self._say("nobody", role=role, act=act)
                continue
            told = self._say("act", role=role, act=act, seat=self._words.seat(seat))
            if step.act == CHECK:
                told += "，" + self._say("hit" if self._game.is_killer(seat) else "miss")
            yield told

    # A day

    def _day(self, number: int) -> Half | None:
        counts = [count for count in self._past.counts if count.round == number]
        left = [one for one in self._game.departures if one.round == number and not self._by_night(one)]
        over = number < self._game.round or self._past.verdict is not None
        events = [self._as_role(self._exit(one), one.seat) for one in left]
        if not events and counts and over:
            events.append(self._say("no_exit"))
        if not counts and not events:
            return None
        ballots = tuple(self._ballot(at, count) for at, count in enumerate(counts, start=1))
        return Half(self._say("day", n=number), self._lasted(number, by_day=True), tuple(events), ballots)

    def _exit(self, one: Departure) -> str:
        keys = {Cause.VOTED: "voted", Cause.SHOT: "shot", Cause.EJECTED: "ejected", Cause.KILLED: "died"}
        return self._say(keys[one.cause], seat=self._words.seat(one.seat))

    def _ballot(self, at: int, count: Count) -> Ballot:
        ranked = sorted(count.votes.items(), key=lambda pair: (-pair[1], pair[0]))
        votes = tuple((self._words.seat(seat), number) for seat, number in ranked if number)
        return Ballot(self._say("ballot", n=at), votes)

    # Both

    def _as_role(self, what: str, seat: int) -> str:
        if not self._open or self._game.roles is None:
            return what
        return self._say("as_role", what=what, role=self._words.role(self._game.roles[seat]))

    def _lasted(self, number: int, by_day: bool) -> str:
        moments = self._past.moments
        if number > len(moments):
            return ""
        now = moments[number - 1]
        following = moments[number].night if number < len(moments) else self._past.ended
        seconds = between(*((now.day, following) if by_day else (now.night, now.day)))
        if seconds is None:
            return ""
        minutes = round(seconds / 60)
        return self._say("minutes", minutes=minutes) if minutes else self._say("under_a_minute")
