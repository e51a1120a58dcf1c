"""A scripted table: who holds what, what everyone decides, and so what the verdict must be.

The script never asks the moderator how the game stands: it is asked, as people are, and answers what it
meant from the beginning. Its ledger goes by the rules alone.
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
from narrator.rehearsal.ledger import Ledger
from narrator.rehearsal.wishes import Wishes
from narrator.rules.ballot import Leaves, Tied
from narrator.rules.game import Game
from narrator.rules.ruleset import Ruleset
from narrator.rules.victory import Verdict

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
        self._deal()

    def _deal(self) -> None:
        self._number += 1
        self._ledger = Ledger(
            self.ruleset,
            self.players,
            self._rng,
            barred=self._barred,
            right_hand=self._right_hand,
            number=self._number,
            tie_bias=self._tie_bias,
        )

    @property
    def roles(self) -> Mapping[int, str]:
        """Who holds which card."""
        return self._ledger.roles

    @property
    def game(self) -> Game:
        """How the game stands, as far as it was asked about."""
        return self._ledger.game

    @property
    def verdict(self) -> Verdict | None:
        """How the game has ended, once it has."""
        return self._ledger.verdict

    @property
    def first_victim(self) -> int | None:
        """Who was killed in the game's first night."""
        return self._ledger.first_victim

    def settle(self) -> None:
        """Bring the ledger up to date once no more questions come."""
        self._ledger.settle_night()

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
            self._ledger.latest.read_back[seat] = votes
        elif say.line == "ballot.named":
            voter, seat = say.params["voter"], say.params["seat"]
            assert isinstance(voter, int)
            assert isinstance(seat, int)
            self._ledger.latest.heard_names[voter] = seat

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
        return bool(self._ledger.latest.misread)

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
        seat = self.game.holders(str(expect.params["role"]))[_number(expect, "index") - 1]
        return self._as_secret(expect, seat)

    def _act(self, expect: Expect) -> int | None:
        return self._as_secret(expect, self._decide(expect))

    def _noted(self, expect: Expect) -> str:
        self._decide(expect)
        return "ready"

    def _dawn(self, expect: Expect) -> int | None:
        return self._told(expect, self._ledger.settle_night().deaths)

    def _muted(self, expect: Expect) -> int | None:
        return self._told(expect, self._ledger.settle_night().muted)

    def _told(self, expect: Expect, seats: tuple[int, ...]) -> int | None:
        told = _number(expect, "told")
        return seats[told] if told < len(seats) else None

    def _shown(self, expect: Expect) -> bool:
        return bool(self.game.is_killer(_number(expect, "seat")))

    def _parting(self, expect: Expect) -> int | None:
        return self._ledger.taken_along(_number(expect, "seat"))

    def _over(self, expect: Expect) -> bool:
        self._ledger.settle_night()
        return self.verdict is not None

    def _winner(self, expect: Expect) -> str:
        assert self.verdict is not None
        return f"winner.{self.verdict.winner}"

    def _speech(self, expect: Expect) -> bool:
        self._ledger.settle_night()
        self._ledger.begin_round(_number(expect, "round"))
        return True

    _last_words = _speech

    def _name(self, expect: Expect) -> int:
        voter = _number(expect, "voter")
        return self._ledger.ballot(_number(expect, "round"), _number(expect, "stage")).names[voter]

    def _votes(self, expect: Expect) -> int:
        seat = _number(expect, "seat")
        return self._ledger.ballot(_number(expect, "round"), _number(expect, "stage")).votes.get(seat, 0)

    def _tally(self, expect: Expect) -> bool:
        ballot = self._ledger.ballot(_number(expect, "round"), _number(expect, "stage"))
        result = ballot.result
        seats: tuple[int, ...] = (result.seat,) if isinstance(result, Leaves) else ()
        if isinstance(result, Tied):
            seats = result.seats
        right = tuple(sorted(seats)) == tuple(sorted(_seats(expect))) and not ballot.misread
        if right:
            self._ledger.agree_on(ballot, _number(expect, "round"))
        return right

    def _amend(self, expect: Expect) -> int:
        ballot = self._ledger.ballot(_number(expect, "round"), _number(expect, "stage"))
        return next(iter(ballot.misread), ballot.candidates[0])

    def _review(self, expect: Expect) -> str:
        self._games_left -= 1
        if self._games_left <= 0:
            return "again.stop"
        self._barred = self.first_victim
        self._deal()
        return "again.same"

    def _decide(self, expect: Expect) -> int | None:
        role, act = str(expect.params["role"]), str(expect.params["act"])
        return self._ledger.decide(role, act, _number(expect, "night"))

    def _as_secret(self, expect: Expect, seat: int | None) -> int | None:
        if expect.expectation.kind is not Kind.NUMBER:
            return seat
        assert self._sheet is not None
        return self._sheet.code(str(expect.params["row"]), seat)


def _seats(expect: Expect) -> tuple[int, ...]:
    seats = expect.params["seats"]
    assert isinstance(seats, tuple)
    return tuple(seat for seat in seats if isinstance(seat, int))


def _number(expect: Expect, param: str) -> int:
    value = expect.params[param]
    assert isinstance(value, int)
    return value
