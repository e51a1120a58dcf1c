"""Before the first word: does this voice speak Chinese at all?"""

from __future__ import annotations

import pytest

from narrator.faults import Fault
from narrator.mouth.selftest import check_voice


@pytest.mark.audio
@pytest.mark.parametrize("voice", ["cmn-latn-pinyin", "cmn-latn-pinyin+f3", "yue"])
def test_a_voice_that_speaks_chinese_passes(voice: str) -> None:
    check_voice(voice)


@pytest.mark.audio
@pytest.mark.parametrize("voice", ["cmn", "zh", "cmn+f3", "en", "ja", "nosuch"])
def test_a_voice_that_spells_chinese_in_english_is_refused(voice: str) -> None:
    with pytest.raises(Fault) as caught:
        check_voice(voice)
    assert (caught.value.key, caught.value.params) == ("voice_not_chinese", {"voice": voice})


def test_a_machine_without_espeak_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(Fault) as caught:
        check_voice("cmn-latn-pinyin")
    assert caught.value.key == "no_espeak"
