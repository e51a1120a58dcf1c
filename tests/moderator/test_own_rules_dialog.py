"""自定义 in the lobby: one knob at a time, its setting read first; impossible tables are refused."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from table import Table, dealt, lobby

from narrator.moderator.evening import Agreement, Secrets, Setup
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Certainty, Command
from narrator.moderator.ownrules import DEFAULT, KEEP, REST, statement
from narrator.mouth.lines import load_pack
from narrator.resources import voices_folder
from narrator.rules.custom import KILLERS, Setting, knob_of
from narrator.rules.library import OwnRules
from narrator.rules.registry import KNOBS
from narrator.rules.ruleset import Ruleset, all_rulesets
from narrator.understanding.phrasebook import load_phrasebook

FRIDAY = OwnRules("friday", 'name = "周五版"\nbase = "standard"\nkillers = 3\nlast_words = "all"')


def agreeing(players: int = 12, ruleset: str = "standard", **known: Any) -> Table:
    """A table that has been read what it is about to play."""
    table = lobby(**{"ruleset": ruleset, "players": players, "secrets": Secrets.KEYPAD, **known})
    assert table.about == "agree"
    return table


def customising(players: int = 12, ruleset: str = "standard", **known: Any) -> Table:
    """A table that is asked about the first knob."""
    return agreeing(players, ruleset, **known).judge("own_rules")


def knob(table: Table) -> str:
    assert table.about == "knob"
    return str(table.asked.params["knob"])


def say(table: Table, choice: str) -> Table:
    """A further answer where a number may be said as well."""
    return table.hears(Answer(Kind.CHOICE, choice))


def until(table: Table, name: str) -> Table:
    """不改 until a knob's turn has come."""
    while knob(table) != name:
        say(table, KEEP)
    return table


# One knob at a time


def test_the_knobs_of_the_ruleset_are_asked_in_its_order_and_the_table_is_read_back() -> None:
    table = customising()
    assert table.lines[0] == "own.begin"
    asked = []
    while table.about == "knob":
        asked.append(knob(table))
        say(table, KEEP)
    assert tuple(asked) == table.moderator.evening.setup.library.load("standard").knobs
    assert (table.about, table.lines) == ("agree", ["lobby.agree"])


def test_the_present_setting_is_read_before_anything_is_asked() -> None:
    table = customising()
    assert table.says[1].line == "own.cards_of"
    assert table.says[1].params == {"role": "killer", "count": 3}
    assert table.lines[2] == "own.ask.cards_of"
    until(table, "last_words")
    assert table.lines == ["own.last_words.killers", "own.ask.last_words"]


def test_a_changed_knob_is_said_back_and_read_back_before_the_cards_are_dealt() -> None:
    table = customising()
    table.answer(4)
    assert table.says[0].params == {"role": "killer", "count": 4}
    until(table, "last_words")
    say(table, "last_words.all")
    assert table.lines[0] == "own.last_words.all"
    until(table, "vote").answer(2)
    say(table, REST)
    assert table.lines == [
        "lobby.table", "lobby.changes", "own.last_words.all", "own.vote", "lobby.right",
    ]  # fmt: skip
    assert table.said("lobby.table")["deal"] == (("killer", 4), ("police", 3), ("civilian", 5))
    assert table.said("own.vote") == {"count": 2}
    table.answer(True)
    assert table.noted("game")[-1]["knobs"] == ("killers=4", "last_words=all", "vote=2")
    assert table.said("deal.cards")["deal"] == (("killer", 4), ("police", 3), ("civilian", 5))


def test_a_limit_in_seconds_is_chosen_from_a_few() -> None:
    table = until(customising(), "speech")
    assert table.kind is Kind.CHOICE
    table.answer("speech.90")
    say(table, REST)
    assert table.said("own.speech") == {"count": 90}
    table.answer(True)
    assert table.moderator.evening.ruleset.speech_seconds == 90


def test_the_rest_may_be_left_as_it_is_in_one_word() -> None:
    table = say(customising(), REST)
    assert (table.about, table.lines) == ("agree", ["lobby.agree"])


def test_a_changed_knob_can_be_set_back_and_is_no_change_any_more() -> None:
    table = customising().answer(4)
    say(table, REST).judge("own_rules")
    assert table.says[1].params == {"role": "killer", "count": 4}
    say(table, DEFAULT)
    assert table.says[0].params == {"role": "killer", "count": 3}
    say(table, REST)
    assert table.lines == ["lobby.agree"]


def test_a_doubtful_setting_is_asked_back() -> None:
    table = customising().doubtful(4)
    assert table.said("confirm.count") == {"count": 4}
    table.answer(True)
    assert table.says[0].params == {"role": "killer", "count": 4}


def test_a_doubtful_keep_is_asked_back_in_its_own_words() -> None:
    table = customising().hears(Answer(Kind.CHOICE, KEEP, Certainty.DOUBTFUL))
    assert table.said("confirm.choice") == {"choice": KEEP}


# Refusals


@pytest.mark.parametrize(
    ("killers", "reason"),
    [(0, "own.impossible_no_killers"), (6, "own.impossible_parity"), (14, "own.impossible_too_many_roles")],
)
def test_an_impossible_number_of_killers_is_refused_with_the_reason_and_asked_again(
    killers: int, reason: str
) -> None:
    table = customising().answer(killers)
    assert table.lines == [reason]
    assert knob(table) == KILLERS
    table.answer(4)
    assert knob(table) == "police"


def test_no_police_is_refused_because_the_game_needs_them() -> None:
    table = until(customising(), "police").answer(0)
    assert table.said("own.impossible_needs_role")["role"] == "police"


def test_a_number_that_the_knob_does_not_take_is_refused() -> None:
    table = until(customising(), "vote").answer(12)
    assert table.lines == ["own.bad_knob"]


# When it may be asked for


def test_asked_for_early_the_rules_are_changed_once_the_ruleset_is_chosen() -> None:
    table = lobby().judge("own_rules")
    assert table.lines == ["own.later"]
    table.answer(12)
    assert table.about == "ruleset"
    table.answer("ruleset.standard")
    assert knob(table) == KILLERS
    say(table, REST)
    assert table.about == "secrets"


def test_asked_for_at_the_last_question_the_rules_are_changed_after_it() -> None:
    table = lobby(ruleset="standard", players=12).judge("own_rules").answer("secrets.codes")
    assert knob(table) == KILLERS


def test_the_table_of_last_time_can_be_taken_over_and_changed() -> None:
    previous = Agreement("standard", 12, Secrets.KEYPAD)
    table = lobby(previous=previous).judge("own_rules").answer(True)
    assert knob(table) == KILLERS


def test_a_table_that_says_no_to_what_was_read_back_begins_without_own_rules() -> None:
    table = say(customising().answer(4), REST).answer(False)
    assert table.about == "players"
    table.answer(12, "ruleset.standard", "secrets.keypad")
    assert table.lines == ["lobby.agree"]


def test_once_the_cards_are_being_dealt_the_rules_stand() -> None:
    table = dealt()
    assert "own_rules" not in table.asked.expectation.commands
    table.judge("own_rules")
    assert table.lines == ["refuse.not_now"]


def test_a_ruleset_of_which_nothing_can_be_changed_says_so() -> None:
    whole = OwnRules(
        "small",
        'name = "小桌版"\nsource = "us"\nlast_words = "none"\ntie = "draw"\nresolution = "victim_dies"\n'
        'victory = "one_kind_out"\nrepeat_first_victim = true\n'
        'sides = { killer = "killers", police = "good", civilian = "good" }\n'
        "deals = [{ players = [5, 7], killer = 1, police = 1 }]\n"
        'night = [{ role = "killer", act = "kill" }, { role = "police", act = "check" , hint="is_killer"}]\n',
    )
    table = customising(6, "small", own=(whole,))
    assert table.lines == ["own.nothing", "lobby.agree"]


# Kept with the game


def test_the_same_again_plays_by_the_same_own_rules() -> None:
    table = lobby(previous=Agreement("standard", 12, Secrets.JUDGE, (("killers", 4),)))
    table.answer(True)
    assert table.said("lobby.agree")["deal"] == (("killer", 4), ("police", 3), ("civilian", 5))
    table.answer(True)
    assert table.moderator.evening.table.knobs == (("killers", 4),)


def test_own_rules_given_at_the_start_are_read_back_and_played() -> None:
    table = agreeing(knobs=(("police", 2), ("last_words", "none")))
    assert table.lines[-4:] == ["lobby.table", "lobby.changes", "own.last_words.none", "lobby.right"]
    table.answer(True)
    assert table.moderator.evening.ruleset.last_words == "none"


def test_a_host_s_own_ruleset_is_offered_read_back_and_played() -> None:
    table = lobby(own=(FRIDAY,), secrets=Secrets.KEYPAD).answer(12)
    assert "ruleset.friday" in table.asked.expectation.choices
    table.answer("ruleset.friday")
    assert table.said("lobby.table")["deal"] == (("killer", 3), ("police", 3), ("civilian", 6))
    assert "own.last_words.all" in table.lines
    table.answer(True)
    assert table.moderator.evening.ruleset.name == "周五版"


def test_own_rules_fixed_at_the_start_say_which_numbers_of_players_fit() -> None:
    table = lobby(ruleset="standard", knobs=(("killers", 5),), secrets=Secrets.KEYPAD).answer(10)
    assert table.said("lobby.players_unfit") == {"players": 10, "low": 11, "high": 15}


def test_a_setup_survives_being_written_down() -> None:
    previous = Agreement("standard", 12, Secrets.CODES, (("killers", 4), ("last_words", "all")))
    pack = load_pack(voices_folder() / "zh-CN")
    setup = Setup(7, previous=previous, knobs=(("vote", 2),), own=(FRIDAY,), rhythm=pack.rhythm)
    assert Setup.of(json.loads(json.dumps(asdict(setup)))) == setup
    assert Setup.of({"seed": 3}) == Setup(3)


def test_a_code_sheet_has_a_row_for_every_killer_of_the_table_s_own() -> None:
    table = agreeing(secrets=Secrets.CODES, knobs=(("killers", 5),)).answer(True)
    assert table.sheet is not None
    assert [row for row in table.sheet.rows if row.startswith("n1.killer.who")] == [
        f"n1.killer.who{number}" for number in range(1, 6)
    ]


# Every word of it


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.id)
def test_every_setting_can_be_said_and_every_choice_understood(ruleset: Ruleset) -> None:
    folder = voices_folder() / "zh-CN"
    pack, phrasebook = load_pack(folder), load_phrasebook(folder / "phrases.toml")
    for name in ruleset.knobs:
        asked = knob_of(ruleset, name)
        numbers = () if asked.least is None else (asked.least, *asked.spoken)
        settings: tuple[Setting, ...] = (*asked.words, *numbers)
        for setting in settings:
            line = statement(ruleset, name, setting)
            assert pack.text(line.line, line.params)
        assert pack.text(f"own.ask.{name if name in KNOBS else 'cards_of'}", {})
        for word in (*(KNOBS[name].words if name in KNOBS else ()), *asked.spoken):
            key = f"{name}.{word}"
            assert phrasebook.choice[key]
            assert pack.say_value("choice", key)


def test_own_rules_and_the_guide_may_be_asked_for_without_the_prefix_in_the_lobby_only() -> None:
    phrasebook = load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")
    known = {phrase.text: phrase.meaning for phrase in phrasebook.phrases(lobby().asked.expectation)}
    assert known["自定义"] == known["法官自定义"] == Command("own_rules")
    assert known["新手提示"] == Command("guide")
    at_the_deal = {phrase.text for phrase in phrasebook.phrases(dealt().asked.expectation)}
    assert not {"自定义", "新手提示"} & at_the_deal
