"""What the table can notice never depends on secrets: two games with the same public events sound alike."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import at_night, lobby

from narrator.moderator.effects import Effect, Expect, Note, Say
from narrator.moderator.evening import Secrets
from narrator.moderator.expectations import Kind
from narrator.moderator.secrets import sheet_for
from narrator.rules.ruleset import fitting

Chunk = tuple[Effect | tuple[object, ...], ...]


@dataclass(frozen=True)
class Hidden:
    """What only the judge and those awake know: who holds which card, and what is chosen in secret."""

    seed: int

    def cards(self, players: int, ruleset: str) -> dict[str, list[int]]:
        """A deal."""
        deal = next(r for r in fitting(players) if r.id == ruleset).deal(players)
        seats = random.Random(f"{self.seed}:cards").sample(range(1, players + 1), players)
        return {role: [seats.pop() for _ in range(count)] for role, count in deal.items()}


def masked(effect: Effect) -> Effect | tuple[object, ...]:
    """An effect without the numbers of codes, and a private note without what it notes."""
    if isinstance(effect, Say):
        return Say(effect.line, {**effect.params, **({"code": 0} if "code" in effect.params else {})})
    if isinstance(effect, Expect):
        numbers = {name: 0 for name in ("value", "code") if name in effect.params and _by_code(effect)}
        return Expect(
            effect.expectation, effect.about, {**effect.params, **numbers}, effect.patience, effect.holds
        )
    if isinstance(effect, Note):
        values = {name: None for name in ("value", "code") if name in effect.data and _secret(effect)}
        return Note(effect.what, {**effect.data, **values})
    return effect


def _secret(note: Note) -> bool:
    return bool(note.data.get("private")) or note.data.get("about") == "hint"


def _by_code(expect: Expect) -> bool:
    return "row" in expect.params or expect.about == "hint"


class Evening:
    """One game: the same public events for every ``hidden``, everything else up to it."""

    def __init__(self, players: int, ruleset: str, way: Secrets, public: int, hidden: Hidden) -> None:
        self.public = random.Random(f"{public}:public")
        self.secret = random.Random(f"{hidden.seed}:choices")
        barred = self.public.choice((None, *range(1, players + 1)))
        self.table = lobby(seed=public, players=players, ruleset=ruleset, secrets=way, barred=barred)
        self.table.roles = hidden.cards(players, ruleset)
        self.barred = barred
        self.chunks: list[Chunk] = []
        self.noticed = 0
        self.night = 0
        self.victim: int | None = None

    def play(self) -> list[Chunk]:
        """Everything the table could notice, input by input, until the verdict."""
        table = self.table
        while table.about != "review" and len(self.chunks) < 2_000:
            if table.about in ("who", "act"):
                self.mishaps()
                self.tell()
            elif table.about == "votes":
                table.answer(self.hands())
            elif table.kind is Kind.CHOICE:
                table.answer(table.asked.expectation.choices[0])
            else:
                table.answer(True)
            self.notice()
        return self.chunks

    def hands(self) -> int:
        """Some hands, never more than are left."""
        tally = self.table.moderator.evening.day.tally
        assert tally is not None
        return min(self.public.choice((0, 0, 0, 1, 2, 3, 4)), tally.left)

    def notice(self) -> None:
        """Keep what came since the last time."""
        self.chunks.append(tuple(masked(effect) for effect in self.table.log[self.noticed :]))
        self.noticed = len(self.table.log)

    def mishaps(self) -> None:
        """What everybody notices going wrong; why it does may be a secret."""
        table = self.table
        for _ in range(self.public.choice((0, 0, 0, 1, 2))):
            mishap = self.public.choice(("again", "silence", "denied", "pause"))
            if mishap == "again":
                # Misheard in one game, a forbidden choice in the other: nobody can tell.
                self.secret.choice((table.mumbles, self.forbidden))()
            elif mishap == "silence":
                table.stays_silent()
            elif mishap == "pause":
                table.judge("pause").answer("resume")
            elif table.kind is Kind.NUMBER:
                table.whisper(self.choice()).answer(False)
            else:
                typed = self.choice()
                table.answer(typed, self.secret.choice([seat for seat in (1, 2, 3, None) if seat != typed]))
            self.notice()

    def forbidden(self) -> None:
        """The judge names somebody who can't be chosen, if there is anybody."""
        table = self.table
        game = table.moderator.evening.game
        if table.about == "who":
            taken = [seat for _, seat in table.moderator.evening.night.learned]
            table.whisper(self.secret.choice([None, *taken]))
            return
        out = [seat for seat in game.seats if not game.is_living(seat)]
        if table.asked.params["act"] == "kill" and game.barred and game.round == 1:
            out.append(game.barred)
        if out:
            table.whisper(self.secret.choice(out))
        elif table.kind is Kind.NUMBER:
            table.answer(game.players + 2)
        else:
            table.answer(game.players + 1)

    def tell(self) -> None:
        """The answer that counts."""
        self.table.tell(self.choice())

    def choice(self) -> int | None:
        """Who is meant: the victim is decided in public, all else in secret."""
        table = self.table
        game = table.moderator.evening.game
        if table.about == "who":
            return self.table.roles[str(table.asked.params["role"])][table.number("index") - 1]
        if table.asked.params["act"] == "check":
            return self.secret.choice((None, *game.living))
        if self.night < game.round:
            self.night = game.round
            possible = [seat for seat in game.living if seat != self.barred or game.round > 1]
            self.victim = self.public.choice((None, *possible, *possible))
        return self.victim


def until_verdict(chunks: list[Chunk]) -> list[Chunk]:
    """What could be noticed before the game was over, which is public."""
    over = next(place for place, chunk in enumerate(chunks) if Say("end.game_over") in chunk)
    return chunks[:over]


@pytest.mark.parametrize("way", [Secrets.CODES, Secrets.KEYPAD])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    players=st.integers(8, 16),
    first_ruleset=st.booleans(),
    public=st.integers(0, 2**32),
    one=st.integers(0, 2**32),
    other=st.integers(0, 2**32),
)
def test_games_that_differ_in_secrets_only_sound_alike_until_the_verdict(
    way: Secrets, players: int, first_ruleset: bool, public: int, one: int, other: int
) -> None:
    police_games = [ruleset.id for ruleset in fitting(players) if ruleset.id in ("standard", "classic")]
    ruleset = police_games[0 if first_ruleset else -1]
    games = [
        until_verdict(Evening(players, ruleset, way, public, Hidden(hidden)).play())
        for hidden in (one, other)
    ]
    together = min(len(game) for game in games)
    assert games[0][:together] == games[1][:together]
    heard_together = [effect for chunk in games[0][:together] for effect in chunk]
    assert Say("day.breaks") in heard_together


@pytest.mark.parametrize("way", [Secrets.CODES, Secrets.KEYPAD])
def test_the_comparison_would_notice_a_difference(way: Secrets) -> None:
    """Public events that differ do make a difference, so the property above is not empty."""
    one, other = (until_verdict(Evening(8, "standard", way, public, Hidden(1)).play()) for public in (1, 2))
    together = min(len(one), len(other))
    assert one[:together] != other[:together]


# Numbers that are said aloud

SEEDS = 270


def said_at_the_first_kill(seed: int, seat: int | None) -> int:
    """The number that the table hears for the first victim."""
    table = at_night(Secrets.CODES, seed=seed).tell(1).tell(2).whisper(seat)
    code = table.said("confirm.code")["code"]
    assert isinstance(code, int)
    return code


def chi_square(counts: Counter[int], kinds: int) -> float:
    expected = sum(counts.values()) / kinds
    return sum((counts[kind] - expected) ** 2 / expected for kind in range(1, kinds + 1))


@pytest.mark.parametrize("seat", [3, 8, None])
def test_the_number_said_is_uniform_whatever_was_chosen(seat: int | None) -> None:
    counts = Counter(said_at_the_first_kill(seed, seat) for seed in range(SEEDS))
    assert set(counts) == set(range(1, 10))
    # With 8 degrees of freedom 26.1 is passed once in a thousand times by chance.
    assert chi_square(counts, 9) < 26.1


@pytest.mark.parametrize("check", [1, 5, None], ids=["killer", "civilian", "nobody"])
def test_the_number_of_the_gesture_is_uniform_whoever_was_checked(check: int | None) -> None:
    counts: Counter[int] = Counter()
    for seed in range(SEEDS):
        table = at_night(Secrets.CODES, seed=seed)
        while table.about != "hint":
            table.step(8, check)
        counts[table.number("code")] += 1
    assert set(counts) == {1, 2}
    assert chi_square(counts, 2) < 10.8


def test_the_same_choice_in_two_nights_is_two_independent_numbers() -> None:
    pairs: Counter[tuple[int, int]] = Counter()
    for seed in range(SEEDS):
        sheet = sheet_for(seed, "standard", 8)
        pairs[sheet.code("n1.police.check", 1), sheet.code("n2.police.check", 1)] += 1
    same = sum(count for (first, second), count in pairs.items() if first == second)
    assert 12 <= same <= 52
    assert len(pairs) > 65
