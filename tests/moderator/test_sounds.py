"""A table says how it wants the evening to sound."""

from __future__ import annotations

import pytest
from table import Table

from narrator.moderator.effects import Backdrop, Effect, Expect, Say, Voice, Wording
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.moderator import Moderator
from narrator.moderator.sounds import WORDING_COMMANDS, WORDINGS

AT_THE_READING = Setup(3, ruleset="standard", players=9, secrets=Secrets.JUDGE)


def lines(effects: tuple[Effect, ...]) -> list[str]:
    return [effect.line for effect in effects if isinstance(effect, Say)]


def test_the_backdrop_is_asked_for_and_unasked_for_with_the_same_words() -> None:
    table = Table(AT_THE_READING)
    asked = table.question
    table.judge("backdrop")
    assert Backdrop(True) in table.latest
    assert lines(table.latest)[0] == "backdrop.on"
    table.judge("backdrop")
    assert Backdrop(False) in table.latest
    assert lines(table.latest)[0] == "backdrop.off"
    # The question is still open.
    assert asked is not None
    assert isinstance(table.latest[-1], Expect)
    assert table.latest[-1].about == asked.about


def test_a_table_that_has_it_in_the_settings_first_turns_it_off() -> None:
    table = Table(Setup(3, ruleset="standard", players=9, secrets=Secrets.JUDGE, backdrop=True))
    table.judge("backdrop")
    assert Backdrop(False) in table.latest


def test_voices_take_turns_from_the_one_that_speaks() -> None:
    table = Table(AT_THE_READING)
    for turn in (1, 0, 1):
        table.judge("voice", reading=turn)
        assert [effect for effect in table.latest if isinstance(effect, Voice)] == [Voice(turn)]
        assert table.noted("setting")[-1] == {"name": "voice", "turn": turn}
        assert lines(table.latest)[0] == "voice.changed"


def test_the_new_voice_itself_says_that_it_speaks_now() -> None:
    table = Table(AT_THE_READING).judge("voice", reading=1)
    kinds = [type(effect) for effect in table.latest]
    assert kinds.index(Voice) < kinds.index(Say)


def test_a_single_voice_cant_be_changed_and_says_so() -> None:
    table = Table(Setup(3, ruleset="standard", players=9, secrets=Secrets.JUDGE))
    table.judge("voice")
    assert not any(isinstance(effect, Voice) for effect in table.latest)
    assert table.noted("setting") == []
    assert lines(table.latest)[0] == "voice.only"


def test_wordings_take_turns_from_the_one_that_is_spoken() -> None:
    table = Table(AT_THE_READING)
    asked = table.question
    for reading, locale in ((0, "zh-TW"), (1, "zh-CN"), (None, "zh-CN")):
        table.judge("wording", reading=reading)
        assert [e for e in table.latest if isinstance(e, Wording)] == [Wording(locale)]
        assert table.noted("setting")[-1] == {"name": "locale", "value": locale}
    # The question is put no second time, and may be answered.
    assert isinstance(table.latest[-1], Expect)
    assert asked is not None
    assert table.latest[-1].about == asked.about


@pytest.mark.parametrize("locale", WORDINGS)
def test_whoever_names_a_wording_gets_it_whichever_is_spoken(locale: str) -> None:
    table = Table(AT_THE_READING)
    for _ in range(2):
        table.judge(f"wording.{locale}")
        kinds = [type(effect) for effect in table.latest]
        # It is said in the new words which they are.
        assert kinds.index(Wording) < kinds.index(Say)
        assert [e for e in table.latest if isinstance(e, Wording | Say)] == [
            Wording(locale),
            Say("wording.changed", {"wording": locale}),
        ]


def test_wording_and_voice_are_no_part_of_the_evening_that_is_gone_on_with() -> None:
    """They are in the settings: whoever comes back another day may have chosen another one meanwhile."""
    table = Table(AT_THE_READING).judge("wording.zh-TW").judge("voice", reading=1)
    again = Moderator(AT_THE_READING)
    again.restore(table.moderator.inputs)
    assert not any(isinstance(effect, Wording | Voice) for effect in again.resume_question())


def test_wording_and_voice_stay_when_an_answer_is_taken_back() -> None:
    table = Table(AT_THE_READING).judge("voice", reading=1).judge("wording.zh-TW").answer(True)
    table.judge("undo")
    assert lines(table.latest)[0].startswith("undo")
    assert not any(isinstance(effect, Wording | Voice) for effect in table.latest)


def test_the_help_of_the_lobby_tells_of_wording_and_voice() -> None:
    table = Table(Setup(3)).judge("help")
    help_ = next(e for e in table.latest if isinstance(e, Say))
    commands = help_.params["commands"]
    assert isinstance(commands, tuple)
    assert {"voice", "wording"} < set(commands)


def test_an_evening_that_is_gone_on_with_sounds_as_it_did() -> None:
    table = Table(AT_THE_READING).judge("backdrop")
    again = Moderator(AT_THE_READING)
    again.restore(table.moderator.inputs)
    assert [e for e in again.resume_question() if isinstance(e, Backdrop)] == [Backdrop(True)]
    plain = Moderator(AT_THE_READING)
    plain.begin()
    assert not any(isinstance(effect, Backdrop) for effect in plain.resume_question())


def test_how_it_sounds_is_no_matter_for_the_game_itself() -> None:
    table = Table(AT_THE_READING).answer(True)
    assert table.question is not None
    assert not {"voice", "backdrop", *WORDING_COMMANDS} & set(table.question.expectation.commands)
