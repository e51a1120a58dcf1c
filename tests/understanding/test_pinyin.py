"""How near two sounds are."""

from __future__ import annotations

from narrator.pinyin import distance, edits, syllables


def test_characters_become_toneless_syllables_and_pinyin_stays() -> None:
    assert syllables("说完了") == ("shuo", "wan", "le")
    assert syllables("女") == ("nv",)
    assert syllables("准bei好") == ("zhun", "bei", "hao")


def test_an_accents_usual_mix_ups_are_half_an_edit() -> None:
    assert distance("guo", "guo") == 0
    assert distance("zan", "zhan") == 0.5
    assert distance("ting", "tin") == 0.5
    assert distance("si", "shi") == 0.5
    assert distance("guo", "duo") == 1


def test_a_lost_syllable_is_one_edit() -> None:
    assert edits(("fa", "guan", "zan"), ("fa", "guan", "zan", "ting")) == 1
    assert edits((), ("a", "b")) == 2
    assert edits(("fa", "guang", "zan", "ting"), ("fa", "guan", "zan", "ting")) == 0.5
