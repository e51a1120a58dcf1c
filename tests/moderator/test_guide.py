"""新手提示: how the game goes and what each role should mind, in the lobby and nowhere else."""

from __future__ import annotations

import pytest
from table import Table, at_night, dealt, lobby

from narrator.cli.main import main
from narrator.moderator.evening import Agreement, Secrets
from narrator.moderator.guide import NEXT, SKIP, guide_lines
from narrator.moderator.inputs import Command
from narrator.mouth.lines import load_pack
from narrator.resources import voices_folder
from narrator.rules.custom import customise
from narrator.rules.library import OwnRules, read_own
from narrator.rules.ruleset import Ruleset, all_rulesets, load
from narrator.understanding.phrasebook import load_phrasebook

LONGEST_SENTENCE = 48
"""Characters that can be listened to in one go."""


def reading(table: Table) -> str:
    """The part that is being read."""
    assert table.about == "guide"
    return next(line for line in table.lines if line.startswith("guide.") and line.count(".") == 2)


def test_the_guide_reads_the_game_and_then_every_role_and_comes_back_to_the_question() -> None:
    table = lobby(ruleset="standard", secrets=Secrets.KEYPAD).judge("guide")
    assert table.lines[0] == "guide.begins"
    read = []
    while table.about == "guide":
        read.append(reading(table))
        table.answer(NEXT)
    assert read == [f"guide.standard.{part}" for part in ("game", "killer", "police", "civilian")]
    assert table.lines == ["guide.ends", "lobby.players"]
    assert table.answer(12).about == "agree"


def test_silence_after_a_part_goes_on_to_the_next() -> None:
    table = lobby(ruleset="standard").judge("guide").stays_silent()
    assert reading(table) == "guide.standard.killer"
    assert table.asked.patience == "patience_guide"


def test_the_rest_is_skipped_in_one_word() -> None:
    table = lobby(ruleset="standard").judge("guide").answer(SKIP)
    assert table.lines == ["guide.ends", "lobby.players"]


def test_what_is_not_understood_skips_nothing() -> None:
    table = lobby(ruleset="standard").judge("guide").mumbles()
    assert table.lines == ["again"]
    assert table.about == "guide"


def test_the_guide_may_be_heard_at_the_read_back_which_is_then_put_again() -> None:
    table = lobby(ruleset="doctor", players=10, secrets=Secrets.KEYPAD).judge("guide")
    assert reading(table) == "guide.doctor.game"
    table.answer(SKIP)
    assert table.lines == ["guide.ends", "lobby.agree"]
    assert table.answer(True).about == "dealt"


def test_a_role_that_the_table_left_out_is_left_out_of_the_guide() -> None:
    ruleset = customise(load("doctor"), {"doctor": 0})
    assert "guide.doctor.doctor" not in guide_lines(ruleset)
    assert "guide.doctor.secret_police" in guide_lines(ruleset)


def test_before_a_ruleset_is_chosen_the_guide_is_that_of_last_time_or_of_the_default() -> None:
    previous = Agreement("classic", 12, Secrets.CODES)
    assert reading(lobby(previous=previous).judge("guide")) == "guide.classic.game"
    assert reading(lobby().judge("guide")) == "guide.standard.game"


def test_a_host_s_changed_ruleset_has_the_guide_of_its_base_a_whole_one_none() -> None:
    friday = OwnRules("friday", 'name = "周五版"\nbase = "classic"\nkillers = 3')
    assert guide_lines(read_own(friday))[0] == "guide.classic.game"
    table = lobby(ruleset="small", own=(OwnRules("small", SMALL),)).judge("guide")
    assert table.lines == ["guide.none"]
    assert table.about == "players"


def test_during_play_nobody_hears_the_guide() -> None:
    for table in (dealt(), at_night()):
        table.judge("guide")
        assert table.lines == ["refuse.not_now"]


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.id)
def test_every_ruleset_and_every_role_has_its_text_in_short_sentences(ruleset: Ruleset) -> None:
    pack = load_pack(voices_folder() / "zh-CN")
    lines = guide_lines(ruleset)
    assert len(lines) == 1 + len(ruleset.sides)
    for line in lines:
        for sentence in pack.segments(line, {}):
            assert sentence[-1] in "。？"
            assert len(sentence) <= LONGEST_SENTENCE, sentence


def test_skipping_is_one_word_and_so_is_going_on() -> None:
    phrasebook = load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")
    asked = lobby(ruleset="standard").judge("guide").asked.expectation
    known = {phrase.text: phrase.meaning for phrase in phrasebook.phrases(asked)}
    assert {getattr(known[word], "value", None) for word in ("跳过", "够了")} == {SKIP}
    assert {getattr(known[word], "value", None) for word in ("好", "继续")} == {NEXT}
    assert known["法官暂停"] == Command("pause")


def test_the_command_prints_the_same_words(capsys: pytest.CaptureFixture[str]) -> None:
    pack = load_pack(voices_folder() / "zh-CN")
    assert main(["rules", "butterfly"]) == 0
    printed = capsys.readouterr().out
    for line in guide_lines(load("butterfly")):
        assert "".join(pack.segments(line, {})) in printed


SMALL = """
name = "小桌版"
source = "us"
last_words = "none"
tie = "draw"
resolution = "victim_dies"
victory = "one_kind_out"
repeat_first_victim = true
sides = { killer = "killers", police = "good", civilian = "good" }
deals = [{ players = [5, 7], killer = 1, police = 1 }]
night = [{ role = "killer", act = "kill" }, { role = "police", act = "check", hint = "is_killer" }]
"""
