"""The spoken half of the room check, and how a table asks for it."""

from __future__ import annotations

from table import dealt, lobby

from narrator.moderator.effects import CheckRoom, Effect, End, Expect, Say, Volume
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Certainty, Command, Input, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.moderator.soundcheck import FAR, JUDGE, PATIENCE, SoundCheck


class Check:
    """A sound check, told what is said; ``said`` are the lines of its latest answer."""

    def __init__(self) -> None:
        self.host = SoundCheck()
        self.latest = self.host.begin()

    def hears(self, event: Input) -> Check:
        self.latest = self.host.handle(event)
        return self

    @property
    def said(self) -> list[str]:
        return [effect.line for effect in self.latest if isinstance(effect, Say)]

    @property
    def asked(self) -> str:
        return next((effect.about for effect in self.latest if isinstance(effect, Expect)), "")

    @property
    def over(self) -> bool:
        return End() in self.latest


YES, DONE = Answer(Kind.YESNO, True), Answer(Kind.PASS, True)


def test_the_judge_says_yes_and_the_far_end_says_pass() -> None:
    check = Check()
    assert (check.said, check.asked) == (["room.judge"], JUDGE)
    check.hears(YES)
    assert (check.said, check.asked) == (["room.far"], FAR)
    assert check.hears(DONE).over
    assert check.host.heard == [JUDGE, FAR]


def test_any_word_of_the_judge_will_do_and_nothing_is_asked_back() -> None:
    check = Check().hears(Answer(Kind.YESNO, False, Certainty.DOUBTFUL))
    assert check.asked == FAR


def test_whoever_isnt_heard_is_asked_kindly_to_be_louder_and_in_the_end_done_without() -> None:
    check = Check()
    for _ in range(PATIENCE - 1):
        check.hears(Unclear(Why.SILENCE))
        assert (check.said, check.asked) == (["room.louder"], JUDGE)
    check.hears(Unclear(Why.UNKNOWN))
    assert check.asked == FAR
    for _ in range(PATIENCE):
        check.hears(Unclear(Why.SILENCE))
    assert check.over
    assert check.host.heard == []


def test_one_miss_and_then_a_voice_is_a_voice() -> None:
    check = Check().hears(Unclear(Why.SILENCE)).hears(YES)
    for _ in range(PATIENCE - 1):
        check.hears(Unclear(Why.SILENCE))
    assert check.hears(DONE).host.heard == [JUDGE, FAR]


def test_a_voice_can_be_skipped_and_the_request_repeated() -> None:
    check = Check().hears(Command("repeat"))
    assert (check.said, check.asked) == (["room.judge"], JUDGE)
    assert check.hears(Command("next")).asked == FAR
    assert check.hears(Command("next")).over
    assert check.hears(YES).latest == ()


def test_in_a_pause_nobody_is_missed_and_the_request_is_put_again_after_it() -> None:
    check = Check().hears(Unclear(Why.SILENCE)).hears(Command("pause"))
    assert (check.said, check.asked) == (["pause.begins"], "paused")
    for _ in range(2 * PATIENCE):
        assert check.hears(Unclear(Why.SILENCE)).said == ["pause.still"]
    check.hears(Command("resume"))
    assert (check.said, check.asked) == (["pause.ends", "room.judge"], JUDGE)
    check.hears(Command("pause")).hears(Answer(Kind.CHOICE, "resume"))
    assert (check.said, check.asked) == (["pause.ends", "room.judge"], JUDGE)
    assert check.hears(YES).asked == FAR


def test_the_voice_can_be_turned_and_what_can_be_said_be_asked() -> None:
    check = Check().hears(Command("louder", reading=0))
    assert (check.said, check.asked) == (["volume.up"], JUDGE)
    assert Volume(1) in check.latest
    check.hears(Command("help"))
    assert (check.said, check.asked) == (["help.now"], JUDGE)
    assert check.hears(YES).asked == FAR


def test_only_what_can_be_done_is_told_and_there_is_nothing_to_take_back() -> None:
    check = Check().hears(Command("help"))
    told = next(effect for effect in check.latest if isinstance(effect, Say)).params["commands"]
    assert told == ("next", "pause", "repeat", "louder")
    assert check.hears(Command("undo")).asked == JUDGE


def test_a_table_asks_for_the_check_in_the_lobby_and_is_asked_its_question_again() -> None:
    table = lobby(ruleset="standard")
    asked = table.about
    effects: tuple[Effect, ...] = table.judge("sound_check").latest
    assert CheckRoom() in effects
    assert table.lines == ["lobby.players"]
    assert table.about == asked


def test_what_was_asked_for_counts_for_nothing_when_the_evening_is_brought_back() -> None:
    table = lobby(ruleset="standard").judge("sound_check")
    again = Moderator(table.setup)
    again.restore(table.moderator.inputs)
    assert again.phase == table.moderator.phase
    assert CheckRoom() not in again.resume_question()


def test_once_the_cards_are_dealt_nobody_plays_tones() -> None:
    table = dealt()
    assert "sound_check" not in table.asked.expectation.commands
