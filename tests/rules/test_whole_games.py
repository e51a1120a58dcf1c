"""Whole games as they are told afterwards, and a new game made of a file and a few functions."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from game_tables import CHECK, KILL, TINY, ejected, killed, voted_out

from narrator.faults import Fault
from narrator.rules.ballot import Drawn, Leaves, Nobody, Revote, Tally, Tied, after_tie, outcome
from narrator.rules.game import Game, next_round
from narrator.rules.lastwords import has_last_words
from narrator.rules.night import Dawn, Refusal, hint, may_choose, resolve
from narrator.rules.order import speaking_order
from narrator.rules.registry import RESOLUTIONS, VICTORIES, Resolution, register, resolution
from narrator.rules.ruleset import load, read_ruleset
from narrator.rules.victory import Verdict, may_surrender, surrender, verdict


def seated(ruleset_id: str, players: int, **cards: tuple[int, ...]) -> Game:
    """A game whose special roles lie at these seats, told in the order of the night."""
    roles = {seat: role for role, seats in cards.items() for seat in seats}
    roles |= {seat: "civilian" for seat in range(1, players + 1) if seat not in roles}
    return Game(load(ruleset_id), players).with_roles(roles)


def hands(game: Game, order: tuple[int, ...], votes: Mapping[int, int]) -> Tally:
    tally = Tally({}, len(game.living))
    for seat in order:
        tally = tally.add(seat, votes.get(seat, 0))
    return tally


def test_seats_told_in_the_order_of_the_night_are_who_they_are() -> None:
    """000 §3.4-11, 001 §二.3(4)-(9): killers are seen first, wherever they sit."""
    game = seated("standard", 8, killer=(6, 3), police=(8, 1))
    assert game.holders("killer") == (3, 6)
    assert game.holders("police") == (1, 8)
    assert game.holders("civilian") == (2, 4, 5, 7)


def test_eight_play_standard_until_the_last_killer_kills_himself() -> None:
    """001 §二: a check that comes too late, a tie spoken out, the last words used up, 自杀 (§二.5(7))."""
    game = seated("standard", 8, killer=(6, 3), police=(8, 1))

    # The killers choose seat 1; the police, seat 1 still among them, are shown that seat 3 is a killer.
    assert may_choose(game, KILL, 1) is None
    assert hint(game, CHECK, {"check": 3}) == "yes"
    assert resolve(game, {"kill": 1, "check": 3}) == Dawn((1,), victim=1)
    game = killed(game, 1)
    assert verdict(game) is None
    assert has_last_words(game, 1)

    order = speaking_order(game, 1)
    assert order == (2, 3, 4, 5, 6, 7, 8)
    assert outcome(hands(game, order, {3: 3, 2: 3})) == Tied((2, 3), 3)
    again = after_tie(game, 1, (2, 3), order)
    assert again == Revote((2, 3), (2, 3))
    assert outcome(hands(game, again.candidates, {3: 4, 2: 3})) == Leaves(3, 4)
    game = voted_out(game, 3)
    assert verdict(game) is None
    assert has_last_words(game, 3)
    assert may_surrender(game, "killer")
    assert may_surrender(game, "police")

    game = next_round(game)
    assert may_choose(game, KILL, 1) is Refusal.OUT
    assert may_choose(game, CHECK, 3) is Refusal.OUT
    assert resolve(game, {"kill": 6, "check": 6}) == Dawn((6,), victim=6)
    game = killed(game, 6)
    assert verdict(game) == Verdict("good", "killers_out")
    assert not has_last_words(game, 6)


def test_eleven_play_classic_until_a_third_tie() -> None:
    """000 §5.8 bars the previous first victim; 000 §4.5 ends the game in a draw."""
    game = Game(load("classic"), 11, barred=4).with_roles(
        {4: "killer", 5: "killer", 6: "killer", 9: "police", 10: "police", 11: "police"}
        | dict.fromkeys((1, 2, 3, 7, 8), "civilian")
    )
    assert may_choose(game, KILL, 4) is Refusal.BARRED
    game = killed(game, *resolve(game, {"kill": 11, "check": None}).deaths)
    assert has_last_words(game, 11)
    order = speaking_order(game, 11)
    assert order == tuple(range(1, 11))

    first = outcome(hands(game, order, {10: 2, 5: 2, 1: 2}))
    assert first == Tied((1, 5, 10), 2)
    step = after_tie(game, 1, first.seats, order)
    assert step == Revote((1, 5, 10), (1, 5, 10))
    second = outcome(hands(game, step.candidates, {10: 5, 5: 5}))
    assert second == Tied((5, 10), 5)
    step = after_tie(game, 2, second.seats, order)
    assert step == Revote(speakers=(1, 2, 3, 4, 6, 7, 8, 9), candidates=(5, 10))
    third = outcome(hands(game, step.candidates, {5: 1, 10: 1}))
    assert third == Tied((5, 10), 1)
    assert after_tie(game, 3, third.seats, order) == Drawn()


def test_a_round_in_which_nothing_happens_changes_only_its_number() -> None:
    """House decisions: 无 at night, no vote by day; the next night begins."""
    game = seated("standard", 9, killer=(1, 2), police=(3, 4))
    game = killed(game, *resolve(game, {"kill": None, "check": None}).deaths)
    order = speaking_order(game, None)
    assert order == tuple(range(1, 10))
    assert outcome(hands(game, order, {})) == Nobody()
    later = next_round(game)
    assert (later.round, later.living, later.departures) == (2, game.living, ())


def test_speeches_begin_beside_the_victim_though_somebody_was_sent_out_since() -> None:
    """000 §3.15, 001 §二.3(12): 由被杀者右手边第一人, even where the last to leave is another."""
    game = ejected(killed(seated("standard", 9, killer=(1, 2), police=(3, 4)), 5), 8)
    assert speaking_order(game, 5) == (6, 7, 9, 1, 2, 3, 4)


def test_the_last_policeman_gives_up_after_his_companion_was_sent_out() -> None:
    """001 §二.5(5) and (14): an ejection leaves one of them alone, who may surrender."""
    game = seated("standard", 8, killer=(1, 2), police=(3, 4))
    assert not may_surrender(game, "police")
    game = ejected(game, 3)
    assert verdict(game) is None
    assert surrender(game, "police") == Verdict("killers", "surrender_police")


# A new game


@pytest.fixture
def _healing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions of a game with a doctor, entered as a module of its own would enter them."""
    # Entered here first, they are taken out again after the story.
    monkeypatch.setitem(RESOLUTIONS, "healed", Resolution(lambda game, choices: None, frozenset(), 0, 0))
    monkeypatch.setitem(VICTORIES, "healed", lambda living, dealt: None)

    @resolution("healed", "kill", "heal")
    def healed(game: Game, choices: Mapping[str, int | None]) -> Dawn:
        victim = choices.get("kill")
        return Dawn(() if victim is None or victim == choices.get("heal") else (victim,))

    @register(VICTORIES, "healed")
    def parity(living: Mapping[str, int], dealt: Mapping[str, int]) -> Verdict | None:
        if living["killer"] == 0:
            return Verdict("good", "killers_out")
        return Verdict("killers", "parity") if 2 * living["killer"] >= sum(living.values()) else None


HEALED = (
    TINY.replace('"victim_dies"', '"healed"')
    .replace('"one_kind_out"', '"healed"')
    .replace("[4, 5], killer = 1, police = 1", "[5, 5], killer = 1, doctor = 1")
    .replace('police = "good"', 'doctor = "good"')
    .replace('role = "police", act = "check", hint = "is_killer"', 'role = "doctor", act = "heal"')
)


@pytest.mark.usefixtures("_healing")
def test_a_new_game_is_a_file_and_a_few_functions() -> None:
    """House rules: what calls the rules stays as it is."""
    ruleset = read_ruleset("healed", HEALED.encode(), "healed.toml")
    game = Game(ruleset, 5, {1: "killer", 2: "doctor", 3: "civilian", 4: "civilian", 5: "civilian"})
    assert [step.act for step in ruleset.night] == ["kill", "heal"]
    assert resolve(game, {"kill": 4, "heal": 4}) == Dawn(())
    assert resolve(game, {"kill": 4, "heal": 5}) == Dawn((4,))
    # A doctor who is out heals nobody, whatever the judge answers.
    game = killed(game, 2)
    assert resolve(game, {"kill": 4, "heal": 4}) == Dawn((4,))
    assert verdict(killed(game, 4)) is None
    assert verdict(killed(game, 4, 5)) == Verdict("killers", "parity")
    assert verdict(voted_out(game, 1)) == Verdict("good", "killers_out")
    # Nobody can surrender for a role that is not in play.
    assert not may_surrender(game, "police")


@pytest.mark.usefixtures("_healing")
def test_the_new_games_night_is_checked_like_the_others() -> None:
    text = HEALED.replace('act = "heal"', 'act = "look", hint = "is_killer"')
    with pytest.raises(Fault, match="night step 'heal' is missing"):
        read_ruleset("healed", text.encode(), "healed.toml")
