"""Pinyin becomes what Kokoro was trained on, syllable by syllable."""

from __future__ import annotations

import pytest

from narrator.mouth.phonemes import ipa, phonemes
from narrator.mouth.reading import Stretch


@pytest.mark.parametrize(
    ("syllable", "written"),
    [
        ("hao4", "xau↘"),
        ("guo5", "kwo"),
        ("zhi1", "ꭧɨ→"),
        ("si4", "sɨ↘"),
        ("ji3", "ʨi↓"),
        ("xue2", "ɕɥe↗"),
        ("ju2", "ʨy↗"),
        ("lv4", "ly↘"),
        ("yi1", "i→"),
        ("you3", "jou↓"),
        ("yuan2", "ɥɛ↗n"),
        ("wu3", "u↓"),
        ("wen4", "wə↘n"),
        ("er4", "ɚ↘"),
        ("piao4", "pʰjau↘"),
        ("qiong2", "ʨʰjʊ↗ŋ"),
    ],
)
def test_a_syllable(syllable: str, written: str) -> None:
    assert ipa(syllable) == written


def test_words_stay_together_and_marks_stay_marks() -> None:
    reading = (Stretch((("san1", "hao4"), ("qing3",)), "，"), Stretch((("guo4",),), "。"))
    assert phonemes(reading) == "sa→nxau↘ ʨʰi↓ŋ, kwo↘."


def test_what_is_no_syllable_is_refused() -> None:
    with pytest.raises(KeyError):
        ipa("xyz1")


def test_every_syllable_is_written_as_the_trainers_own_tool_writes_it() -> None:
    misaki = pytest.importorskip("misaki.zh", reason="misaki is not installed: pip install 'misaki[zh]'")
    from pypinyin.constants import PINYIN_DICT
    from pypinyin.contrib.tone_convert import to_tone3

    spelled = {
        to_tone3(one, neutral_tone_with_five=True, v_to_u=False).replace("ü", "v")
        for entry in PINYIN_DICT.values()
        for one in entry.split(",")
    }
    rare = {"hm", "hng", "m", "n", "ng", "wong", "ê"}
    for syllable in sorted(one for one in spelled if one[:-1] not in rare):
        usual = syllable.replace("ue", "ve") if syllable[:-1] in ("lue", "nue") else syllable
        assert ipa(syllable) == str(misaki.ZHG2P.py2ipa(usual)).replace(chr(815), ""), syllable
