"""A table changes its words in the lobby: mouth, ears, and the names of the host's own rulesets go along."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest

from narrator.cli.parts import locales
from narrator.cli.speaking import open_voices
from narrator.cli.wording import Wordings
from narrator.moderator.effects import Say
from narrator.moderator.expectations import Expectation, Kind
from narrator.moderator.inputs import Answer
from narrator.moderator.sounds import WORDINGS
from narrator.mouth.clips import Clip
from narrator.mouth.lines import load_pack
from narrator.mouth.recorded import recorded_voices
from narrator.mouth.renderer import RenderFailed
from narrator.mouth.speech import Mouth
from narrator.resources import voices_folder
from narrator.rules.library import OwnRules, read_own
from narrator.rules.ruleset import Ruleset
from narrator.table.houserules import Words
from narrator.table.settings import Settings
from narrator.understanding.phrasebook import load_phrasebook

MAINLAND = voices_folder() / "zh-CN"


class Asked:
    """A synthesiser that only keeps what it was asked for."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def submit(self, text: str, voice: str, rate: int, pitch: int, volume: float) -> Future[Clip]:
        self.texts.append(text)
        never: Future[Clip] = Future()
        never.set_exception(RenderFailed(text))
        return never


class Table:
    """A table of the mainland's words with every recorded voice; ``told`` is what went wrong."""

    def __init__(self, *own: Ruleset) -> None:
        words = Words(load_pack(MAINLAND), load_phrasebook(MAINLAND / "phrases.toml"))
        for ruleset in own:
            words.learn(ruleset)
        self.synthesiser = Asked()
        self.told: list[str] = []
        self.mouth = Mouth(words.pack, self.synthesiser, None, 24_000, open_voices(words.pack, None))
        self.wordings = Wordings(
            words, Settings(), None, self.mouth, None, lambda key, **params: self.told.append(key), False
        )


def own(name: str) -> Ruleset:
    return read_own(OwnRules("friday", f'name = "{name}"\nbase = "standard"\n'), "friday.toml")


@pytest.mark.parametrize("locale", WORDINGS)
def test_every_pack_says_by_name_which_words_it_speaks(locale: str) -> None:
    pack = load_pack(voices_folder() / locale)
    assert pack.locale == locale
    said = [pack.text("wording.changed", {"wording": other}) for other in WORDINGS]
    assert len(set(said)) == len(locales())


@pytest.mark.skipif(not recorded_voices(MAINLAND), reason="no recorded voice; see voices/README.md")
def test_the_same_voice_goes_on_from_its_recordings_and_the_rest_is_synthesised() -> None:
    table = Table()
    table.mouth.give_turn(1)
    speaks = table.mouth.recorded
    assert speaks is not None
    changed = table.wordings.change("zh-TW")
    assert changed == (table.wordings.words.pack, table.wordings.words.phrasebook)
    assert table.mouth.recorded is not None
    assert table.mouth.recorded.id == speaks.id
    for line, text in (
        (Say("speech.please", {"seat": 3}), "三號請發言。"),
        (Say("wording.changed", {"wording": "zh-TW"}), "好，現在用台灣的說法。"),
    ):
        spoken = table.mouth.speak(line, pick=0)
        assert spoken.text == text
        assert len(spoken.samples()) > 0
    assert table.synthesiser.texts == []
    draw = table.mouth.speak(Say("end.draw"))
    assert "平手" in draw.text
    assert table.synthesiser.texts
    assert table.wordings.change("zh-CN") is not None
    assert table.mouth.speak(Say("speech.please", {"seat": 3}), pick=0).text == "三号请发言。"


def test_a_ruleset_of_the_host_s_own_is_known_in_the_other_words_too() -> None:
    table = Table(own("周五版"))
    assert table.wordings.change("zh-TW") is not None
    words = table.wordings.words
    asked = Expectation(Kind.CHOICE, ("ruleset.friday", "ruleset.standard"))
    meant = {phrase.text: phrase.meaning for phrase in words.phrasebook.phrases(asked)}
    assert meant["周五版"] == Answer(Kind.CHOICE, "ruleset.friday")
    assert meant["標準版"] == Answer(Kind.CHOICE, "ruleset.standard")
    assert words.pack.say_value("ruleset", "friday") == "周五版"


def test_where_two_rulesets_would_have_one_name_the_words_stay_and_it_is_told() -> None:
    table = Table(own("標準版"))
    before = table.wordings.words
    assert table.wordings.change("zh-TW") is None
    assert table.told == ["own_rules_name_taken"]
    assert table.wordings.words is before
    assert table.mouth.pack is before.pack


def test_a_pack_that_is_not_there_changes_nothing(tmp_path: Path) -> None:
    table = Table()
    assert table.wordings.change("zh-HK") is None
    assert table.told == ["no_such_locale"]
    assert table.mouth.pack is table.wordings.words.pack
