"""A speaker without keys: where only the keypad could answer, the judge is told what he may still say."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from doubles import RATE, Bell, Evening, Log, Loudspeaker, Microphone, SharpEars, phrasebook, voice_pack

from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.expectations import Expectation
from narrator.moderator.inputs import Command, Unclear, Why
from narrator.moderator.moderator import Moderator
from narrator.moderator.secrets import SPARE, sheet_of
from narrator.mouth.speech import Mouth
from narrator.table.blocks import BLOCK_SECONDS
from narrator.table.journal import Journal
from narrator.table.performance import Performance
from narrator.table.resume import interrupted
from narrator.table.session import Session
from narrator.table.witness import Witness

CODES = Setup(7, ruleset="standard", players=8, secrets=Secrets.CODES, keyboard=False)
KEYPAD = Setup(7, ruleset="standard", players=8, secrets=Secrets.KEYPAD)


class Speaker:
    """A table at which nobody can type; whatever is said is made out at once."""

    def __init__(
        self, moderator: Moderator, witnesses: Sequence[Witness] = (), resumed: bool = False
    ) -> None:
        self.moderator = moderator
        self.log = Log()
        self.microphone = Microphone()
        self.ears = SharpEars(self.microphone, lambda: None)
        self.loudspeaker = Loudspeaker()
        everyone = (self.log, *witnesses)
        self.session = Session(
            moderator,
            self.microphone,
            Performance(Mouth(voice_pack(), Bell(), None, RATE), self.loudspeaker, everyone),
            voice_pack(),
            phrasebook(),
            ears=self.ears,
            witnesses=everyone,
        )
        self.session.begin(moderator.resume_question() if resumed else None)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / BLOCK_SECONDS)):
            self.log.now = self.session.elapsed
            self.session.tick(self.microphone.read())

    def until_asked(self) -> Expectation:
        for _ in range(100_000):
            if self.session.open is not None:
                return self.session.open.expectation
            self.wait(BLOCK_SECONDS)
        raise AssertionError(f"nothing is asked after {self.log.order[-5:]}")

    def say(self, *texts: str) -> Speaker:
        """Say each text once the microphone is open, and wait for the next question."""
        for text in texts:
            self.until_asked()
            self.microphone.say(text)
            self.wait(2 * BLOCK_SECONDS)
            self.until_asked()
        return self

    @property
    def about(self) -> str:
        self.until_asked()
        assert self.session.open is not None
        return self.session.open.about

    def until_private(self) -> Expectation:
        while not self.until_asked().private:
            self.say("好了" if self.about == "dealt" else "对")
        return self.until_asked()

    def use_up_the_sheet(self) -> Expectation:
        """Mumble until every spare row has been used."""
        self.until_private()
        for _ in range(SPARE + 1):
            self.say("嗯嗯")
        return self.until_asked()

    @property
    def lines(self) -> list[str]:
        return self.log.lines


def only_commands(speaker: Speaker) -> bool:
    """Nothing that is listened for now is a seat, and neither is a code."""
    phrases = phrasebook().phrases(speaker.ears.asked[-1])
    return all(isinstance(phrase.meaning, Command) for phrase in phrases)


def test_when_the_sheet_has_run_out_the_judge_is_told_what_he_may_say() -> None:
    speaker = Speaker(Moderator(CODES))
    asked = speaker.use_up_the_sheet()
    assert speaker.lines[-2:] == ["secret.no_spare", "fault.no_keyboard"]
    assert (asked.voice, asked.private, asked.only_commands) == (True, True, True)
    assert only_commands(speaker)


def test_no_secret_that_is_spoken_there_is_taken_for_anything_or_kept() -> None:
    speaker = Speaker(Moderator(CODES))
    speaker.use_up_the_sheet()
    known, said = len(speaker.log.taken_), len(speaker.lines)
    speaker.say("三号", "没有", "五", "嗯嗯")
    assert (len(speaker.log.taken_), len(speaker.lines)) == (known, said)
    assert all(heard.text == "嗯嗯" for heard in speaker.log.heard_[-SPARE:])


def test_silence_there_says_both_again_at_its_usual_pace() -> None:
    speaker = Speaker(Moderator(CODES))
    speaker.use_up_the_sheet()
    speaker.wait(30.0)
    assert speaker.log.taken_[-1] == Unclear(Why.SILENCE)
    assert speaker.lines[-2:] == ["secret.no_spare", "fault.no_keyboard"]


def test_the_judge_can_pause_ask_again_take_back_and_end_the_game_there() -> None:
    speaker = Speaker(Moderator(CODES))
    speaker.use_up_the_sheet()
    assert speaker.say("法官暂停").about == "paused"
    assert speaker.say("继续").lines[-2:] == ["secret.no_spare", "fault.no_keyboard"]
    speaker.say("法官重复")
    assert speaker.lines[-2:] == ["secret.no_spare", "fault.no_keyboard"]
    speaker.say("法官帮助")
    assert speaker.lines[-2:] == ["help.now_commands", "fault.no_keyboard"]
    assert speaker.say("法官撤销").about == "dealt"
    assert speaker.say("法官结束游戏").about == "stop"
    speaker.microphone.say("确认")
    speaker.wait(30.0)
    assert speaker.session.finished


def test_with_keys_the_microphone_stays_shut_until_the_keyboard_is_gone(tmp_path: Path) -> None:
    evening = Evening(KEYPAD, tmp_path, rests={"who"})
    evening.until_asked("who")
    assert "fault.no_keyboard" not in evening.log.lines
    assert evening.ears is not None
    assert all(asked.voice for asked in evening.ears.asked)
    listened = len(evening.ears.asked)
    evening.keyboard.close()
    evening.until(lambda: "fault.no_keyboard" in evening.log.lines)
    evening.until_asked("who")
    assert evening.ears.asked[listened].only_commands
    evening.microphone.say("法官暂停")
    evening.until_asked("paused")


def test_a_keypad_game_gone_on_with_at_a_speaker_can_be_heard_out(tmp_path: Path) -> None:
    file = tmp_path / "narrator.db"
    with closing(Journal(file)) as journal:
        journal.open_evening(KEYPAD)
        evening = Evening(KEYPAD, tmp_path, ears=False, witnesses=(journal,), rests={"act"})
        evening.until_asked("act")
    with closing(Journal(file)) as journal:
        again = interrupted(journal)
        assert again is not None
        again.go_on(journal)
        speaker = Speaker(again.moderator, (journal,), resumed=True)
        assert speaker.about == "act"
        assert speaker.lines[-1] == "fault.no_keyboard"
        assert speaker.say("法官撤销").about == "who"
        assert speaker.say("法官暂停").about == "paused"
        inputs = again.moderator.inputs
    with closing(Journal(file)) as journal:
        third = interrupted(journal)
    assert third is not None
    assert third.moderator.inputs == inputs


# Nothing secret shows in it


def noticed(seed: int, killer: int, forbidden: bool) -> list[object]:
    """What a table notices of a sheet that runs out: code numbers are left out, times are not."""
    speaker = Speaker(Moderator(Setup(seed, ruleset="standard", players=8, secrets=Secrets.CODES)))
    speaker.until_private()
    speak(speaker, code_of(speaker, killer))
    speaker.say("对")
    for _ in range(SPARE + 1):
        if forbidden and not speaker.until_asked().only_commands:
            # Somebody who is told already: in the other game it is a mumble.
            speak(speaker, code_of(speaker, killer))
        else:
            speaker.say("嗯嗯")
    speaker.say("三号" if forbidden else "嗯嗯")
    speaker.wait(200.0)
    speaker.say("法官第几天")
    times = [round(when, 2) for when, _ in speaker.loudspeaker.played]
    opened = [str(asked) for asked in speaker.ears.asked]
    return [times, speaker.lines, opened, len(speaker.log.taken_), len(speaker.log.heard_)]


def code_of(speaker: Speaker, seat: int) -> int:
    note = speaker.log.note("sheet")
    assert speaker.session.open is not None
    return sheet_of(note.data).code(str(speaker.session.open.params["row"]), seat)


def speak(speaker: Speaker, code: int) -> None:
    speaker.say(phrasebook().numbers[code][0])


@pytest.mark.parametrize("seed", [1, 2])
def test_two_games_that_differ_in_secrets_run_out_alike(seed: int) -> None:
    one = noticed(seed, 1, forbidden=False)
    other = noticed(seed + 10, 7, forbidden=True)
    assert one == other
    assert "fault.no_keyboard" in str(one)
