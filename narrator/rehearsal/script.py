"""A scripted table: who holds what, what everyone decides, and so what the verdict must be.

The script keeps its own ledger through the rules alone. It never asks the moderator how the game stands;
it is asked, as people are, and answers what it meant from the beginning.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from narrator.moderator.codesheet import CodeSheet
from narrator.moderator.effects import Expect, Note, Say
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Kind
from narrator.moderator.guide import NEXT
from narrator.moderator.secrets import sheet_of
from narrator.rehearsal.choices import name_aloud, pick, take_along
from narrator.rehearsal.hands import Ballot, raise_hands
from narrator.rehearsal.wishes import Wishes
from narrator.rules.ballot import Drawn, Leaves, Revote, Tally, Tied, after_tie, runoff
from narrator.rules.dawn import Dawn
from narrator.rules.game import Cause, Game, leave, next_round
from narrator.rules.night import end_night
from narrator.rules.order import speaking_order
from narrator.rules.ruleset import Ruleset
from narrator.rules.victory import Verdict, drawn, verdict

JUDGE = 0
"""The speaker who is not a seat."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody answers: ``speaker`` is a seat or ``JUDGE``; ``value`` as in ``Answer``.

    With a ``command`` that is said instead of an answer.
    """

    speaker: int
    kind: Kind
    value: int | str | bool | None
    command: str | None = None


class Script:
    """The people at a synthetic table: their cards, their choices, their memory.

    ``tie_bias`` is the chance that a table splits its votes evenly between two, so that ties happen often
    enough to be seen. ``wishes`` are the table's own rules, told in the lobby. Reproducible by ``seed``.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: int,
        secrets: Secrets,
        seed: int,
        *,
        barred: int | None = None,
        right_hand: int = 1,
        tie_bias: float = 0.15,
        games: int = 1,
        wishes: Wishes | None = None,
    ) -> None:
        self.ruleset = ruleset
        self._wishes = wishes
        self.players = players
        self.secrets = secrets
        self._rng = random.Random(f"{seed}:script")
        self._tie_bias = tie_bias
        self._right_hand = right_hand
        self._games_left = games
        self._barred = barred
        self._number = 0
        self._sheet: CodeSheet | None = None
        self._meant: dict[str, int | str | bool | None] = {}
        self.first_victim: int | None = None
        self._deal()

    def _deal(self) -> None:
        deck = [role for role, count in self.ruleset.deal(self.players).items() for _ in range(count)]
        self._rng.shuffle(deck)
        self._number += 1
        self.roles: Mapping[int, str] = dict(enumerate(deck, start=1))
        self.game = Game(
            ruleset=self.ruleset,
            players=self.players,
            roles=self.roles,
            right_hand=self._right_hand,
            barred=None if self.ruleset.repeat_first_victim else self._barred,
            number=self._number,
        )
        self.verdict: Verdict | None = None
        self._choices: dict[str, int | None] = {}
        self._partings: dict[object, int | None] = {}
        self._order: tuple[int, ...] = ()
        self._acts: dict[tuple[int, str], int | None] = {}
        self._night_over = True
        self._ballots: dict[object, Ballot] = {}
        self._stage = 1
        self._candidates: tuple[int, ...] = ()
        self._ran_off: set[object] = set()

    # What the table sees and hears

    def noted(self, note: Note) -> None:
        """The judge gets a new code sheet."""
        if note.what == "sheet":
            self._sheet = sheet_of(note.data)

    def spoken(self, say: Say) -> None:
        """The judge listens to the count being read back."""
        if say.line == "ballot.read":
            seat, votes = say.params["seat"], say.params["votes"]
            assert isinstance(seat, int)
            assert isinstance(votes, int)
            self._latest.read_back[seat] = votes
        elif say.line == "ballot.named":
            voter, seat = say.params["voter"], say.params["seat"]
            assert isinstance(voter, int)
            assert isinstance(seat, int)
            self._latest.heard_names[voter] = seat

    # What the table answers

    def reply(self, expect: Expect) -> Reply:
        """What is meant as the answer to a question; asking twice gives the same answer."""
        about, params, kind = expect.about, expect.params, expect.expectation.kind
        if about == "confirm":
            of = str(params["of"])
            if kind is not Kind.YESNO:
                return Reply(JUDGE, kind, self._meant[of])
            # A confirmation of the right thing is affirmed, of anything else denied.
            value = params.get("value")
            return Reply(JUDGE, kind, value == self._meant[of])
        if about == "agree" and self._wishes is not None and self._wishes.untold:
            return Reply(JUDGE, kind, None, Wishes.COMMAND)
        if about == "knob" and self._wishes is not None:
            kind, self._meant[about] = self._wishes.answer(expect)
            return Reply(JUDGE, kind, self._meant[about])
        answer = getattr(self, f"_{about}")(expect)
        speaker = JUDGE
        if kind is Kind.PASS or "voter" in params:
            seat = params["seat" if kind is Kind.PASS else "voter"]
            assert isinstance(seat, int)
            speaker = seat
        self._meant[about] = answer
        return Reply(speaker, kind, answer)

    def meant(self, about: str) -> int | str | bool | None:
        """What the last reply to such a question was meant to be."""
        return self._meant[about]

    def unnoticed(self) -> bool:
        """Whether the count of the latest ballot was read back wrong for some candidate."""
        return bool(self._latest.misread)

    def _players(self, expect: Expect) -> int:
        return self.players

    def _previous(self, expect: Expect) -> bool:
        return True

    def _ruleset(self, expect: Expect) -> str:
        return f"ruleset.{self.ruleset.id}"

    def _guide(self, expect: Expect) -> str:
        return NEXT

    def _secrets(self, expect: Expect) -> str:
        return f"secrets.{self.secrets.value}"

    def _agree(self, expect: Expect) -> bool:
        return True

    def _dealt(self, expect: Expect) -> str:
        return "ready"

    _hint = _dealt

    def _paused(self, expect: Expect) -> str:
        return "resume"

    def _yes(self, expect: Expect) -> bool:
        return True

    _eject = _warn = _surrender = _stop = _yes

    def _who(self, expect: Expect) -> int | None:
        role, index = expect.params["role"], expect.params["index"]
        assert isinstance(index, int)
        seat = self.game.holders(str(role))[index - 1]
        return self._as_secret(expect, seat)

    def _act(self, expect: Expect) -> int | None:
        return self._as_secret(expect, self._decide(expect))

    def _noted(self, expect: Expect) -> str:
        self._decide(expect)
        return "ready"

    def _dawn(self, expect: Expect) -> int | None:
        return self._told(expect, self._settle_night().deaths)

    def _muted(self, expect: Expect) -> int | None:
        return self._told(expect, self._settle_night().muted)

    def _told(self, expect: Expect, seats: tuple[int, ...]) -> int | None:
        told = expect.params["told"]
        assert isinstance(told, int)
        return seats[told] if told < len(seats) else None

    def _shown(self, expect: Expect) -> bool:
        seat = expect.params["seat"]
        assert isinstance(seat, int)
        return bool(self.game.is_killer(seat))

    def _parting(self, expect: Expect) -> int | None:
        self._settle_night()
        seat = expect.params["seat"]
        assert isinstance(seat, int)
        if seat not in self._partings:
            taken = self._partings[seat] = take_along(self.game, seat, self._rng)
            if taken is not None:
                self._leave((taken,), Cause.SHOT)
        return self._partings[seat]

    def _over(self, expect: Expect) -> bool:
        self._settle_night()
        return self.verdict is not None

    def _winner(self, expect: Expect) -> str:
        assert self.verdict is not None
        return f"winner.{self.verdict.winner}"

    def _speech(self, expect: Expect) -> bool:
        self._settle_night()
        self._begin_round(expect.params["round"])
        return True

    _last_words = _speech

    def _name(self, expect: Expect) -> int:
        voter = expect.params["voter"]
        assert isinstance(voter, int)
        return self._ballot_of(expect).names[voter]

    def _votes(self, expect: Expect) -> int:
        seat = expect.params["seat"]
        assert isinstance(seat, int)
        return self._ballot_of(expect).votes.get(seat, 0)

    def _tally(self, expect: Expect) -> bool:
        ballot = self._ballot_of(expect)
        result = ballot.result
        seats: tuple[int, ...] = (result.seat,) if isinstance(result, Leaves) else ()
        if isinstance(result, Tied):
            seats = result.seats
        right = tuple(sorted(seats)) == tuple(sorted(_seats(expect))) and not ballot.misread
        if right:
            self._agree_on(ballot, expect.params["round"])
        return right

    def _amend(self, expect: Expect) -> int:
        ballot = self._ballot_of(expect)
        return next(iter(ballot.misread), ballot.candidates[0])

    def _review(self, expect: Expect) -> str:
        self._games_left -= 1
        if self._games_left <= 0:
            return "again.stop"
        self._barred = self.first_victim
        self._deal()
        return "again.same"

    # The ledger

    def _decide(self, expect: Expect) -> int | None:
        role, act, night = str(expect.params["role"]), str(expect.params["act"]), expect.params["night"]
        assert isinstance(night, int)
        self._begin_round(night)
        if (night, act) not in self._acts:
            if self._night_over:
                self._choices, self._night_over = {}, False
            step = next(s for s in self.ruleset.night if s.role == role and s.act == act)
            self._acts[night, act] = self._choices[act] = pick(self.game, step, self._choices, self._rng)
        return self._acts[night, act]

    def _begin_round(self, round_: object) -> None:
        assert isinstance(round_, int)
        if self.game.round < round_:
            # Where nobody died, the next night may have followed at once.
            self._settle_night()
            self.game = next_round(self.game)
            self._stage, self._candidates = 1, ()
            self._order = speaking_order(self.game, None)

    def _settle_night(self) -> Dawn:
        """Bring the night to its end, once; what it brought to those who were still in the game."""
        night = len(self.game.nights)
        if not self._night_over or not night:
            self._night_over = True
            self.game, dawn = end_night(self.game, self._choices)
            if self.game.round == 1:
                self.first_victim = dawn.victim
            self._leave(dawn.deaths, Cause.KILLED)
            self._order = speaking_order(self.game, dawn.victim)
        return self.game.nights[-1].dawn

    def settle(self) -> None:
        """Bring the ledger up to date once no more questions come."""
        self._settle_night()

    def _leave(self, seats: tuple[int, ...], cause: Cause) -> None:
        self.game = leave(self.game, seats, cause)
        self.verdict = self.verdict or verdict(self.game)

    def _ballot_of(self, expect: Expect) -> Ballot:
        """The hands of the ballot that is asked about, raised when it is first called."""
        key = (expect.params["round"], expect.params["stage"])
        if key not in self._ballots:
            self._settle_night()
            self._begin_round(expect.params["round"])
            self._ballots[key] = self._vote(self._candidates or self._living_order())
        return self._ballots[key]

    def _vote(self, candidates: tuple[int, ...]) -> Ballot:
        voters, tie_chance = len(self.game.living), self._tie_bias * self._stage
        if self.ruleset.day.ballot == "spoken" and not self._candidates:
            names = name_aloud(candidates, tie_chance, self._rng)
            votes = {seat: list(names.values()).count(seat) for seat in candidates}
            return Ballot(candidates, votes, voters, names)
        return Ballot(candidates, raise_hands(candidates, voters, tie_chance, self._rng), voters)

    def _living_order(self) -> tuple[int, ...]:
        return tuple(seat for seat in self._order if self.game.is_living(seat))

    @property
    def _latest(self) -> Ballot:
        return list(self._ballots.values())[-1]

    def _agree_on(self, ballot: Ballot, round_: object) -> None:
        if ballot.agreed:
            return
        result = ballot.result
        ballot.agreed = True
        final = runoff(self.game, Tally(ballot.votes, ballot.voters), ballot.candidates)
        if final is not None and round_ not in self._ran_off:
            self._ran_off.add(round_)
            self._candidates = final.candidates
        elif isinstance(result, Leaves):
            self._leave((result.seat,), Cause.VOTED)
        elif isinstance(result, Tied):
            step = after_tie(self.game, self._stage, result.seats, self._living_order())
            if isinstance(step, Drawn):
                self.verdict = self.verdict or drawn(self.ruleset.tie)
            elif isinstance(step, Revote):
                self._stage += 1
                self._candidates = step.candidates

    def _as_secret(self, expect: Expect, seat: int | None) -> int | None:
        if expect.expectation.kind is not Kind.NUMBER:
            return seat
        assert self._sheet is not None
        return self._sheet.code(str(expect.params["row"]), seat)


def _seats(expect: Expect) -> tuple[int, ...]:
    seats = expect.params["seats"]
    assert isinstance(seats, tuple)
    return tuple(seat for seat in seats if isinstance(seat, int))
