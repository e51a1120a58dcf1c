"""What the host turns and asks by voice in the middle of a game, at the table itself."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from doubles import RATE, Bell, Evening, voice_pack

from narrator.cli.speaking import voices_for
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Answer, Command
from narrator.mouth.earcons import earcon
from narrator.mouth.lines import VoicePack, load_pack
from narrator.mouth.recorded import recorded_voices
from narrator.resources import voices_folder
from narrator.table.journal import Journal
from narrator.table.keeping import KeptSettings
from narrator.table.resume import interrupted
from narrator.table.settings import load_settings
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook

JUDGE = Setup(7, ruleset="standard", players=8, secrets=Secrets.JUDGE)
MAINLAND = voices_folder() / "zh-CN"
STEP = 10 ** (3 / 20)


def at_a_speech(folder: Path, setup: Setup = JUDGE) -> Evening:
    """Somebody has the floor, and nobody ends the speech."""
    evening = Evening(setup, folder, bell=Bell(), rests=("speech", "last_words", "agree"))
    evening.until_asked("agree")
    evening.microphone.say("对")
    evening.until_asked("last_words")
    return evening


def says(evening: Evening, text: str) -> Command:
    """The judge says a command; what the moderator gets."""
    evening.microphone.say(text)
    command = evening.until_taken()
    assert isinstance(command, Command)
    evening.until_asked(evening.log.spans[-1][0].about)
    return command


def speaks(evening: Evening) -> str | None:
    """The recorded voice that speaks now."""
    recorded = evening.mouth.recorded
    return recorded.id if recorded is not None else None


def loudest(evening: Evening, since: int) -> float:
    """The highest sample of what the loudspeaker was given, earcons left out."""
    lines = [samples for _, samples in evening.loudspeaker.played[since:] if len(samples) >= RATE]
    return max(float(np.abs(samples).max()) for samples in lines)


def test_the_very_next_line_is_softer_and_so_is_the_earcon(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path)
    before, mark = loudest(evening, 0), len(evening.loudspeaker.played)
    assert says(evening, "法官小声点") == Command("softer", reading=0)
    assert evening.log.lines[-1] == "volume.down"
    assert loudest(evening, mark) == pytest.approx(before / STEP, rel=0.01)
    ear = np.abs(evening.loudspeaker.played[-1][1]).max()
    assert ear == pytest.approx(np.abs(earcon("listen", RATE)).max() / STEP, rel=0.01)
    assert says(evening, "法官小声一点") == Command("softer", reading=-1)
    assert says(evening, "法官大声点") == Command("louder", reading=-2)


def test_faster_asks_the_voice_for_another_rate(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path)
    assert says(evening, "法官快一点") == Command("faster", reading=0)
    assert says(evening, "法官慢一点") == Command("slower", reading=1)
    assert evening.session.performance.tempo == 0


def test_how_long_a_speaker_has_is_read_off_the_clock_which_stands_meanwhile(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path)
    started = evening.session.timers["limit"]
    evening.wait(12)
    command = says(evening, "法官剩余时间")
    assert command.reading is not None
    assert 0 <= started - 12 - command.reading < 1.1
    assert evening.log.lines[-1] == "left.seconds"
    assert evening.session.timers["limit"] == pytest.approx(started - 12, abs=0.1)


def test_more_time_comes_on_top(tmp_path: Path) -> None:
    evening = at_a_speech(tmp_path)
    left = evening.session.timers["limit"]
    evening.wait(10)
    says(evening, "法官加时")
    assert evening.session.timers["limit"] == pytest.approx(left - 10 + 30, abs=1.1)


@pytest.mark.parametrize("text", ["大声点", "快一点", "帮助", "几号还活着", "剩余时间", "跳过"])
def test_whoever_talks_says_such_words_without_anything_happening(tmp_path: Path, text: str) -> None:
    evening = at_a_speech(tmp_path)
    known = len(evening.log.taken_)
    evening.microphone.say(text)
    evening.wait(2)
    assert evening.log.taken_[known:] == []
    assert evening.about == "last_words"


def test_in_the_lobby_nobody_has_to_call_the_judge(tmp_path: Path) -> None:
    evening = Evening(JUDGE, tmp_path, bell=Bell(), rests=("agree",))
    evening.until_asked("agree")
    evening.microphone.say("大声点")
    assert evening.until_taken() == Command("louder", reading=0)
    evening.until_asked("agree")
    evening.microphone.say("帮助")
    assert evening.until_taken() == Command("help")
    evening.until_asked("agree")
    assert evening.log.lines[-1] == "help.now"
    evening.microphone.say("对")
    assert isinstance(evening.until_taken(), Answer)


def test_another_wording_is_spoken_and_understood_from_the_answer_on(tmp_path: Path) -> None:
    taiwan = voices_folder() / "zh-TW"
    other = load_pack(taiwan), load_phrasebook(taiwan / "phrases.toml")
    asked: list[str] = []

    def reword(locale: str) -> tuple[VoicePack, Phrasebook]:
        asked.append(locale)
        return other

    evening = Evening(JUDGE, tmp_path, bell=Bell(), rests=("agree",), reword=reword)
    evening.until_asked("agree")
    evening.microphone.say("换个说法")
    assert evening.until_taken() == Command("wording", reading=0)
    evening.until_asked("agree")
    assert (asked, evening.log.lines[-1]) == (["zh-TW"], "wording.changed")
    # Whoever wants the next one again is at the last of them now, and says so in its words.
    evening.microphone.say("換個說法")
    assert evening.until_taken() == Command("wording", reading=1)


def test_where_there_is_no_other_wording_none_is_announced(tmp_path: Path) -> None:
    evening = Evening(JUDGE, tmp_path, bell=Bell(), rests=("agree",))
    evening.until_asked("agree")
    said = len(evening.log.lines)
    evening.microphone.say("台湾说法")
    assert evening.until_taken() == Command("wording.zh-TW")
    evening.until_asked("agree")
    assert evening.log.lines[said:] == []
    evening.microphone.say("对")
    assert isinstance(evening.until_taken(), Answer)


@pytest.mark.parametrize("typed", ["大声点", "慢一点", "几号还活着", "帮助"])
def test_typed_into_a_line_it_waits_until_all_is_said(tmp_path: Path, typed: str) -> None:
    evening = Evening(JUDGE, tmp_path, bell=Bell(), rests=("last_words",))
    evening.until(lambda: "day.killed" in evening.log.lines)
    evening.wait(0.3)
    assert evening.loudspeaker.playing
    evening.keyboard.type(typed)
    evening.wait(0.1)
    assert evening.loudspeaker.playing
    evening.until(lambda: isinstance(evening.log.taken_[-1], Command))
    assert evening.log.order[evening.log.order.index("day.killed") :][:3] == [
        "day.killed",
        "words.please",
        "?last_words",
    ]
    assert evening.log.silent == []


def test_what_was_turned_is_in_the_settings_and_in_no_evening_s_memory(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    journal = Journal(tmp_path / "narrator.db")
    journal.open_evening(JUDGE)
    kept = KeptSettings(lambda key, **params: None, file)
    evening = Evening(JUDGE, tmp_path, bell=Bell(), rests=("last_words", "speech"), witnesses=(journal, kept))
    evening.until_asked("last_words")
    says(evening, "法官小声点")
    says(evening, "法官快一点")
    assert load_settings(file).volume == -1
    assert load_settings(file).tempo == 1
    # What was answered before is taken back; the volume stays.
    says(evening, "法官撤销")
    assert evening.session.performance.volume == -1
    journal.close()
    again = Journal(tmp_path / "narrator.db")
    revived = interrupted(again)
    assert revived is not None
    assert revived.moderator.phase == "words"
    again.close()
    with sqlite3.connect(tmp_path / "narrator.db") as database:
        (count,) = database.execute("SELECT count(*) FROM note WHERE what = 'setting'").fetchone()
    assert count == 2


@pytest.mark.skipif(len(recorded_voices(MAINLAND)) < 2, reason="no two recorded voices; see voices/README.md")
def test_the_voice_chosen_in_the_lobby_begins_the_next_evening_too(tmp_path: Path) -> None:
    """It is heard at once, written into the settings, and stays when an answer is taken back."""
    file = tmp_path / "settings.toml"
    first, second, *_ = recorded_voices(MAINLAND)

    def evening() -> Evening:
        voices = voices_for(voice_pack(), None, load_settings(file))
        kept = KeptSettings(lambda key, **params: None, file, lambda: tuple(voice.id for voice in voices))
        return Evening(
            JUDGE, tmp_path, bell=Bell(), rests=("agree", "dealt"), witnesses=(kept,), voices=voices
        )

    tonight = evening()
    tonight.until_asked("agree")
    assert speaks(tonight) == first
    assert says(tonight, "换个声音") == Command("voice", reading=1)
    assert tonight.log.lines[-1] == "voice.changed"
    assert speaks(tonight) == second
    assert load_settings(file).voice == second
    tonight.microphone.say("对")
    tonight.until_asked("dealt")
    tonight.microphone.say("法官撤销")
    tonight.until_asked("agree")
    assert speaks(tonight) == second
    assert load_settings(file).voice == second
    assert speaks(evening()) == second


def test_where_one_voice_speaks_no_other_is_promised(tmp_path: Path) -> None:
    evening = Evening(JUDGE, tmp_path, bell=Bell(), rests=("agree",))
    evening.until_asked("agree")
    assert says(evening, "换个声音") == Command("voice", reading=None)
    assert evening.log.lines[-1] == "voice.only"
