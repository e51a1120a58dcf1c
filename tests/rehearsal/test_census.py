"""What is said and asked at a table is counted by playing games without sound."""

from __future__ import annotations

from narrator.moderator.expectations import Kind
from narrator.mouth.lines import load_pack
from narrator.rehearsal.census import questions, segments_heard
from narrator.resources import voices_folder


def test_what_a_table_hears_again_and_again_counts_most() -> None:
    pack = load_pack(voices_folder() / "zh-CN")
    heard = segments_heard(pack, games=1)
    assert heard == segments_heard(pack, games=1)
    assert heard["请举手。"] > heard["天黑了，请大家闭眼。"] > heard["欢迎来玩杀人游戏。"] > 0
    assert set(heard) <= set(pack.every_segment())


def test_variants_of_a_line_take_turns() -> None:
    heard = segments_heard(load_pack(voices_folder() / "zh-CN"), games=1)
    first, second, third = (
        heard[text] for text in ("天黑了，请大家闭眼。", "夜深了，请大家闭眼。", "天黑了，大家都闭上眼睛。")
    )
    assert first >= second >= third > 0


def test_every_kind_of_question_comes_up_from_the_lobby_to_the_review() -> None:
    asked = questions(40)
    assert {question.kind for question in asked} == set(Kind)
    choices = {choice for question in asked for choice in question.choices}
    assert {"ruleset.werewolf", "secrets.codes", "ready", "knob.keep", "again.same", "guide.skip"} <= choices
    commands = {name for question in asked for name in question.commands}
    assert {"pause", "eject", "undo", "own_rules"} <= commands
