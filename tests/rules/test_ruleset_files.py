"""A ruleset file that can't be played is refused with the one thing that is wrong in it."""

from __future__ import annotations

import pytest
from game_tables import TINY

from narrator.faults import Fault
from narrator.messages import message
from narrator.rules.ruleset import NightStep, all_rulesets, load, read_ruleset

DEAL = "{ players = [4, 5], killer = 1, police = 1 }"
KILL = '{ role = "killer", act = "kill" }'
CHECK = '{ role = "police", act = "check", hint = "is_killer" }'
SIDES = '{ killer = "killers", police = "good", civilian = "good" }'


def why(text: str | bytes) -> str:
    with pytest.raises(Fault) as fault:
        read_ruleset("mine", text if isinstance(text, bytes) else text.encode(), "mine.toml")
    assert fault.value.key == "broken_ruleset"
    assert fault.value.params["file"] == "mine.toml"
    return str(fault.value.params["why"])


def test_the_file_that_the_broken_ones_are_made_of_is_fine() -> None:
    ruleset = read_ruleset("tiny", TINY.encode(), "tiny.toml")
    assert ruleset.night == (NightStep("killer", "kill"), NightStep("police", "check", "is_killer"))
    assert (ruleset.fewest, ruleset.most) == (4, 5)
    assert ruleset.deal(5) == {"killer": 1, "police": 1, "civilian": 3}


@pytest.mark.parametrize("ruleset_id", ["standard", "classic"])
def test_killers_act_before_the_police_check(ruleset_id: str) -> None:
    """000 §3.4-11, 001 §二.3(4)-(9)."""
    assert load(ruleset_id).night == (
        NightStep("killer", "kill"),
        NightStep("police", "check", "is_killer"),
    )


@pytest.mark.parametrize(
    ("original", "broken", "reason"),
    [
        # Night
        (f"{KILL}, ", "", "night step 'kill' is missing"),
        (f", {CHECK}", "", "night step of role 'police' is missing"),
        (KILL, f"{KILL}, {KILL}", "night step of act 'kill' is listed twice"),
        (
            CHECK,
            f'{CHECK}, {{ role = "killer", act = "sing" }}',
            "night step of role 'killer' is listed twice",
        ),
        (CHECK, f'{CHECK}, {{ role = "police" }}', "night step of role 'police' is listed twice"),
        (
            KILL,
            '{ role = "killer", act = "check" }',
            "night step of act 'check' is listed twice",
        ),
        (f"[{KILL}, {CHECK}]", "[]", "night step 'kill' is missing"),
        (
            CHECK,
            '{ role = "police", act = "sing" }',
            "night step 'sing' does nothing and shows nothing",
        ),
        (CHECK, '{ role = "police", act = "check", hint = "card" }', "hint = 'card' is unknown (is_killer, "),
        (CHECK, '{ role = "police", act = "check", hnt = "is_killer" }', "night.hnt is unknown"),
        (KILL, '{ role = "killer" }', "night step 'kill' is missing"),
        (KILL, '{ act = "kill" }', "night.role is missing"),
        (CHECK, '{ role = "police", hint = "is_killer" }', "night.hint without night.act makes no sense"),
        (CHECK, f'{CHECK[:-2]}, limits = ["never"] }}', "limit 'never' is unknown (not_self"),
        (
            CHECK,
            f'{CHECK[:-2]}, limits = "not_self" }}',
            "limits = 'not_self' of night step 'check' is no list",
        ),
        (CHECK, f"{CHECK[:-2]}, uses = 0 }}", "uses = 0 of night step 'check' is no number from 1 up"),
        (CHECK, f'{CHECK[:-2]}, first_night = "yes" }}', "first_night = 'yes' is neither true nor false"),
        (KILL, '{ role = "ghost", act = "kill" }', "role 'ghost' wakes but has no side"),
        (f"[{KILL}, {CHECK}]", "3", "night is not a list of tables, each under [[night]]"),
        (
            f"{KILL}, {CHECK}",
            f"{CHECK}, {KILL}",
            "night step 'check' shows something before 'killer' has woken",
        ),
        # Named functions
        ('"victim_dies"', '"coin"', "resolution = 'coin' is unknown (butterfly, "),
        ('"one_kind_out"', '"sudden"', "victory = 'sudden' is unknown (level, one_kind_out"),
        ('"three_step"', '"dice"', "tie = 'dice' is unknown (draw, nobody_leaves"),
        ('"three_step"', "[1]", "tie = [1] is unknown (draw, nobody_leaves"),
        # The day
        ("source", 'order = "random"\nsource', "order = 'random' is unknown (by_game_number, "),
        ("source", 'ballot = "paper"\nsource', "ballot = 'paper' is unknown (hands, spoken)"),
        ("source", "laps = []\nsource", "laps = [] is no list of numbers from 1 up"),
        ("source", "laps = [1, 0]\nsource", "laps = [1, 0] is no list of numbers from 1 up"),
        ("source", "nights = 0\nsource", "nights = 0 is no number from 1 up"),
        ("source", "opening = 1\nsource", "opening = 1 is no line"),
        ("source", 'parting = "hunter"\nsource', "parting = 'hunter' is not { role, unless }"),
        (
            "source",
            'parting = { role = "ghost" }\nsource',
            "role 'ghost' takes somebody along but has no side",
        ),
        ("source", 'card_of = { ghost = "ace" }\nsource', "role 'ghost' has a card but no side"),
        ("source", "wording = { x = 1 }\nsource", "wording is not a table of names under [wording]"),
        ("source", 'cards = "burnt"\nsource', "cards = 'burnt' is none of "),
        # Deals
        (
            DEAL,
            f"{DEAL}, {{ players = [7, 8], killer = 1, police = 1 }}",
            "no deal for 6 players",
        ),
        (DEAL, f"{DEAL}, {{ players = [5, 6], killer = 1, police = 1 }}", "5 players are dealt twice"),
        (DEAL, "{ players = [4, 5], killer = 1, police = 4 }", "5 roles for 4 players"),
        (
            DEAL,
            "{ players = [4, 5], killer = 2, police = 1 }",
            "2 killers are not fewer than the others of 4 players",
        ),
        (DEAL, "{ players = [4, 5], police = 1 }", "no killers among 4 players"),
        (DEAL, "{ players = [4, 5], killer = 1, police = -1 }", "police = -1 is no number of cards"),
        (DEAL, '{ players = [4, 5], killer = "1" }', "killer = '1' is no number of cards"),
        (DEAL, "{ players = [5, 4], killer = 1 }", "players = [5, 4] of a deal runs backwards"),
        (DEAL, "{ players = 5, killer = 1 }", "players = 5 of a deal is not [fewest, most]"),
        (DEAL, "{ killer = 1 }", "players = None of a deal is not [fewest, most]"),
        (DEAL, "{ players = [4, 5], killer = 1, thief = 1 }", "role 'thief' is dealt but has no side"),
        (
            DEAL,
            "{ players = [4, 5], killer = 1, civilian = 3 }",
            "civilians are what is left of the table, they are not listed in a deal",
        ),
        (f"[{DEAL}]", "[]", "no deal is listed"),
        (
            DEAL,
            "{ players = [4, 5], killer = 1, police = 3 }",
            "with 4 players the game is over before it begins",
        ),
        (
            DEAL,
            "{ players = [4, 5], killer = 1, police = 0 }",
            "with 4 players the game is over before it begins",
        ),
        (
            f"{DEAL}]\nnight = [{KILL}, {CHECK}]",
            f"{{ players = [4, 5], killer = 1 }}]\nnight = [{KILL}]",
            "victory = 'one_kind_out' needs the role 'police'",
        ),
        # Everything else
        (SIDES, '{ killer = "evil", police = "good", civilian = "good" }', "side 'evil' of role 'killer' "),
        (SIDES, '{ killer = "killers", police = "good" }', "sides.civilian is missing"),
        (SIDES, '"two"', "sides is not a table under [sides]"),
        (
            'last_words = "killers"',
            'last_words = "some"',
            "last_words = 'some' is none of all",
        ),
        ('last_words = "killers"', "last_words = true", "last_words = True is none of all"),
        ('last_words = "killers"', "last_words = -1", "last_words = -1 is none of all"),
        ('last_words = "killers"\n', "", "last_words is missing"),
        ('last_words = "killers"', 'last_wrods = "killers"\nlast_words = "all"', "last_wrods is unknown"),
        (
            "repeat_first_victim = false",
            'repeat_first_victim = "no"',
            "repeat_first_victim = 'no' is neither true nor false",
        ),
        ("source", 'rank = "first"\nsource', "rank = 'first' is no number"),
        ('tie = "three_step"', "tie = three_step", "Invalid value"),
    ],
)
def test_the_reason_is_precise(original: str, broken: str, reason: str) -> None:
    assert TINY.count(original) == 1, "the story no longer breaks what it means to break"
    assert why(TINY.replace(original, broken)).startswith(reason)


def test_a_file_in_another_encoding_is_refused() -> None:
    assert "'utf-8' codec can't decode" in why(TINY.replace("a table", "桌子").encode("gbk"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_person_reads_which_file_and_why(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARRATOR_LANG", lang)
    said = message("broken_ruleset", file="mine.toml", why="no deal for 6 players")
    assert "mine.toml" in said
    assert "no deal for 6 players" in said


def test_a_number_of_last_words_is_a_ruleset_too() -> None:
    ruleset = read_ruleset("tiny", TINY.replace('"killers"\ntie', "2\ntie").encode(), "tiny.toml")
    assert ruleset.last_words == 2


def test_deals_can_be_listed_in_any_order() -> None:
    more = f"{{ players = [6, 7], killer = 2, police = 2 }}, {DEAL}"
    ruleset = read_ruleset("tiny", TINY.replace(DEAL, more).encode(), "tiny.toml")
    assert list(ruleset.deals) == [4, 5, 6, 7]


def test_every_ruleset_names_its_source() -> None:
    assert {ruleset.id: ruleset.source for ruleset in all_rulesets()} == {
        "standard": "001 §二",
        "classic": "000",
        "showdown": "001 §一",
        "doctor": "001 §三",
        "butterfly": "002",
        "werewolf": "house",
    }
