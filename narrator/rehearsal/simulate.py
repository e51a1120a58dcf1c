"""Games without sound: random but legal players answer the moderator directly, and invariants are watched."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from narrator.moderator.effects import Effect, Expect, Note, Say
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Certainty, Command, Elapsed, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.rehearsal.script import Reply, Script
from narrator.rehearsal.wishes import Wishes
from narrator.rules.custom import written
from narrator.rules.game import Game
from narrator.rules.library import OwnRules, library
from narrator.rules.night import most_deaths
from narrator.rules.order import direction
from narrator.rules.ruleset import Ruleset

# A game of sixteen with many misunderstandings needs some 400 answers.
_LONGEST = 5_000


@dataclass(slots=True)
class Outcome:
    """One simulated game: its end, how many died in each night, and every invariant that did not hold.

    ``inputs`` is how often the moderator was told something, ``busy`` the processor seconds it took for that.
    """

    winner: str
    reason: str
    rounds: int
    answers: int
    inputs: int = 0
    busy: float = 0.0
    deaths: list[int] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)


def simulate(
    ruleset: Ruleset,
    players: int,
    secrets: Secrets,
    seed: int,
    noise: float = 0.1,
    own: tuple[OwnRules, ...] = (),
    by_voice: bool = False,
) -> Outcome:
    """Play one game; ``noise`` is the share of answers that are misheard, doubtful or out of place.

    ``own`` are the host's own rulesets, if ``ruleset`` is one of them. ``by_voice`` nothing is fixed
    beforehand: the table is asked everything, and its own rules are told in the lobby one by one.
    """
    fixed = Setup(seed, ruleset=ruleset.id, players=players, secrets=secrets, knobs=ruleset.changes, own=own)
    moderator = Moderator(Setup(seed, own=own) if by_voice else fixed)
    wishes = Wishes(dict(ruleset.changes)) if by_voice else None
    script = Script(ruleset, players, secrets, seed, wishes=wishes)
    return _Play(moderator, script, random.Random(f"{seed}:noise"), noise).run()


class _Play:
    """Drives one moderator through one game."""

    def __init__(self, moderator: Moderator, script: Script, rng: random.Random, noise: float) -> None:
        self._moderator = moderator
        self._script = script
        self._rng = rng
        self._noise = noise
        self._violations: list[str] = []
        self._verdict: Note | None = None
        self._answers = 0
        self._inputs = 0
        self._busy = 0.0
        self._living = script.players
        self._spoke: list[int] = []
        self._deaths: list[int] = []

    def run(self) -> Outcome:
        expect = self._take(self._moderator.begin())
        for _ in range(_LONGEST):
            if expect is None:
                break
            expect = self._answer(expect)
        else:
            self._violations.append("the game did not end")
        return self._judge()

    def _answer(self, expect: Expect) -> Expect | None:
        self._watch(expect)
        try:
            reply = self._script.reply(expect)
        except (LookupError, AssertionError) as error:
            # The moderator plays another game than the people at its table.
            self._violations.append(f"nobody knows an answer to {expect.about}: {error!r}")
            return None
        disturbed = self._disturb(expect, reply) if self._rng.random() < self._noise else None
        meant = Answer(reply.kind, reply.value) if reply.command is None else Command(reply.command)
        event = disturbed or meant
        self._answers += isinstance(event, Answer)
        self._inputs += 1
        began = time.process_time()
        effects = self._moderator.handle(event)
        self._busy += time.process_time() - began
        return self._take(effects)

    def _disturb(self, expect: Expect, reply: Reply) -> Answer | Unclear | Command | Elapsed:
        """Something goes wrong between the mouth and the ear."""
        choice = self._rng.randrange(5)
        if choice == 0:
            return Unclear(Why.UNKNOWN)
        if choice == 1:
            return Unclear(Why.SILENCE)
        if choice == 2 and reply.command is None:
            return Answer(reply.kind, reply.value, Certainty.DOUBTFUL)
        harmless = [c for c in expect.expectation.commands if c in ("repeat", "remind", "pause")]
        if choice == 3 and harmless:
            return Command(self._rng.choice(harmless))
        if reply.kind in (Kind.VOTES, Kind.NUMBER) and isinstance(reply.value, int):
            # Misheard, and unsure about it; what is wrong must never get through.
            return Answer(reply.kind, max(0, reply.value + self._rng.choice((-1, 1))), Certainty.DOUBTFUL)
        if expect.about == "name" and isinstance(reply.value, int):
            return Answer(reply.kind, max(1, reply.value - 1), Certainty.DOUBTFUL)
        if expect.about == "speech":
            return Elapsed("grace")
        return Unclear(Why.UNSURE)

    def _take(self, effects: tuple[Effect, ...]) -> Expect | None:
        opened: Expect | None = None
        for effect in effects:
            if isinstance(effect, Expect):
                if opened is not None:
                    self._violations.append(f"two questions at once: {opened.about}, {effect.about}")
                opened = effect
            elif isinstance(effect, Say):
                self._script.spoken(effect)
            elif isinstance(effect, Note):
                self._note(effect)
        if opened is None and not self._moderator.ended:
            self._violations.append(f"nobody is asked in {self._moderator.state}")
        return opened

    def _note(self, note: Note) -> None:
        self._script.noted(note)
        if note.what == "verdict":
            self._verdict = note
        elif note.what in ("day", "night"):
            self._spoke.clear()
        elif note.what == "dawn":
            self._watch_dawn(note)
        elif note.what == "game":
            self._watch_agreement(note)

    # Invariants

    def _watch(self, expect: Expect) -> None:
        game = self._moderator.evening.game_
        if game is None:
            return
        living = len(game.living)
        if living > self._living or living + len(game.departures) != game.players:
            self._violations.append(f"{living} living after {self._living}, {len(game.departures)} out")
        self._living = living
        seat = expect.params.get("seat")
        if expect.about == "speech" and isinstance(seat, int):
            self._watch_speaker(game, seat)
        tally = self._moderator.evening.day.tally
        if expect.about in ("votes", "tally") and tally is not None:
            if sum(tally.votes.values()) > living:
                self._violations.append(f"{sum(tally.votes.values())} votes of {living}")
            if any(not game.is_living(candidate) for candidate in tally.votes):
                self._violations.append("a vote for somebody who is out")

    def _watch_agreement(self, note: Note) -> None:
        agreed, meant = note.data.get("knobs", ()), written(self._script.ruleset.changes)
        assert isinstance(agreed, tuple)
        if sorted(map(str, agreed)) != sorted(meant):
            self._violations.append(f"agreed to {agreed}, meant {meant}")

    def _watch_dawn(self, note: Note) -> None:
        deaths, game = note.data["deaths"], self._moderator.evening.game
        assert isinstance(deaths, tuple)
        self._deaths.append(len(deaths))
        if len(deaths) > most_deaths(game):
            self._violations.append(f"{len(deaths)} died in one night")

    def _watch_speaker(self, game: Game, seat: int) -> None:
        if not game.is_living(seat):
            self._violations.append(f"seat {seat} speaks but is out")
        muted = game.nights[-1].dawn.muted if len(game.nights) == game.round else ()
        if seat in muted:
            self._violations.append(f"seat {seat} speaks but is muted")
        tied = self._moderator.evening.day.ties > 0
        if not tied and seat not in self._spoke:
            if self._spoke:
                between = _between(game, self._spoke[-1], seat)
                if any(game.is_living(one) and one not in (*self._spoke, *muted) for one in between):
                    self._violations.append(f"seat {seat} speaks after {self._spoke[-1]}")
            self._spoke.append(seat)

    def _judge(self) -> Outcome:
        self._script.settle()
        meant, given = self._script.verdict, self._verdict
        ended = Outcome("", "", 0, self._answers, self._inputs, self._busy, self._deaths, self._violations)
        if given is None:
            self._violations.append("no verdict")
            return ended
        winner, reason, rounds = given.data["winner"], given.data["reason"], given.data["rounds"]
        assert isinstance(rounds, int)
        if meant is None or meant.winner != winner:
            self._violations.append(f"verdict {winner}, but the players' choices mean {meant}")
        return replace(ended, winner=str(winner), reason=str(reason), rounds=rounds)


def _between(game: Game, first: int, then: int) -> Iterator[int]:
    seat = first
    while True:
        seat = (seat - 1 + direction(game)) % game.players + 1
        if seat == then:
            return
        yield seat


def simulate_many(
    chosen: Iterable[Ruleset | str],
    players: int | None,
    secrets: Secrets | None,
    games: int,
    seed: int,
    own: tuple[OwnRules, ...] = (),
) -> Iterator[dict[str, Any]]:
    """Figures per ruleset over ``games`` games; players and ways of keeping secrets vary unless given."""
    known = library(own)
    for wanted in chosen:
        ruleset = known.load(wanted) if isinstance(wanted, str) else wanted
        counts, reasons, deaths = Counter[str](), Counter[str](), Counter[int]()
        rounds = answers = inputs = 0
        busy = 0.0
        violations: list[str] = []
        started = time.perf_counter()
        for number in range(games):
            rng = random.Random(f"{seed}:{number}")
            seats = players or rng.choice(list(ruleset.deals))
            way = secrets or rng.choice(list(Secrets))
            ended = simulate(ruleset, seats, way, rng.getrandbits(32), own=own)
            counts[ended.winner] += 1
            reasons[ended.reason] += 1
            deaths.update(ended.deaths)
            rounds += ended.rounds
            answers += ended.answers
            inputs += ended.inputs
            busy += ended.busy
            violations += [f"game {number}: {violation}" for violation in ended.violations]
        seconds = time.perf_counter() - started
        yield {
            "ruleset": ruleset.id,
            "own_rules": dict(ruleset.changes),
            "players": players,
            "games": games,
            "winners": dict(counts),
            "win_shares": {winner: round(count / games, 3) for winner, count in sorted(counts.items())},
            "reasons": dict(reasons),
            "deaths_per_night": {str(dead): nights for dead, nights in sorted(deaths.items())},
            "rounds_mean": round(rounds / games, 2),
            "answers_mean": round(answers / games, 1),
            "inputs_mean": round(inputs / games, 1),
            "input_us": round(1e6 * busy / inputs, 1) if inputs else None,
            "game_ms": round(1e3 * busy / games, 2),
            "violations": violations[:20],
            "violation_count": len(violations),
            "games_per_second": round(games / seconds, 1),
        }
