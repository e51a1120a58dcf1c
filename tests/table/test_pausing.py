"""A pause in the middle of a line, and what is said again after it."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles import Bell, Evening, Everything, Typist

from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Command, Elapsed

JUDGE = Setup(7, ruleset="standard", players=8, secrets=Secrets.JUDGE)
KEYPAD = Setup(7, ruleset="standard", players=8, secrets=Secrets.KEYPAD)


def in_mid_line(folder: Path, line: str, setup: Setup = JUDGE, rests: tuple[str, ...] = ()) -> Evening:
    """A table to which a line is just being said."""
    evening = Evening(setup, folder, bell=Bell(), rests={*rests, "paused"})
    evening.until(lambda: bool(evening.log.lines) and evening.log.lines[-1] == line)
    evening.wait(0.3)
    assert evening.loudspeaker.playing
    return evening


def paused(evening: Evening) -> Evening:
    evening.keyboard.type("暂停")
    evening.until(
        lambda: bool(evening.log.taken_) and isinstance(evening.log.taken_[-1], Command), within=0.1
    )
    evening.until_asked("paused", within=10)
    return evening


def since(evening: Evening, mark: int) -> list[str]:
    return evening.log.order[mark:]


def test_the_line_falls_silent_at_once_and_is_said_again_from_its_beginning(tmp_path: Path) -> None:
    evening = paused(in_mid_line(tmp_path, "day.killed", rests=("last_words", "speech")))
    mark = len(evening.log.order)
    assert evening.log.order[-2:] == ["pause.begins", "?paused"]
    evening.keyboard.type("继续")
    evening.until_asked("last_words")
    assert since(evening, mark) == ["pause.ends", "day.killed", "words.please", "?last_words"]


def test_nothing_is_said_twice_that_had_been_said_to_its_end(tmp_path: Path) -> None:
    evening = paused(in_mid_line(tmp_path, "words.please", rests=("last_words", "speech")))
    mark = len(evening.log.order)
    evening.keyboard.type("继续")
    evening.until_asked("last_words")
    assert since(evening, mark) == ["pause.ends", "words.please", "?last_words"]


def test_what_is_said_after_a_pause_can_be_paused_again(tmp_path: Path) -> None:
    evening = paused(in_mid_line(tmp_path, "day.killed", rests=("last_words", "speech")))
    evening.keyboard.type("继续")
    evening.until(lambda: evening.log.lines[-1] == "day.killed" and evening.loudspeaker.playing)
    evening.wait(0.3)
    mark = len(evening.log.order)
    paused(evening)
    evening.keyboard.type("继续")
    evening.until_asked("last_words")
    lines = ["pause.begins", "?paused", "pause.ends", "day.killed", "words.please", "?last_words"]
    assert since(evening, mark) == lines


@pytest.mark.parametrize("line", ["night.falls", "night.wake", "night.who", "secret.keypad"])
def test_at_night_too(line: str, tmp_path: Path) -> None:
    evening = paused(in_mid_line(tmp_path, line, KEYPAD, ("who",)))
    evening.keyboard.type("继续")
    evening.until_asked("who")
    lines = evening.log.lines[evening.log.lines.index("pause.ends") + 1 :]
    assert lines[0] == line
    assert lines[-1] == "secret.keypad"
    assert len(set(lines)) == len(lines)


def test_an_answer_typed_into_a_line_is_still_an_answer(tmp_path: Path) -> None:
    evening = in_mid_line(tmp_path, "lobby.agree", rests=("agree",))
    evening.keyboard.type("对")
    evening.until_asked("dealt")
    assert "pause.begins" not in evening.log.lines


def test_a_speaker_s_clock_stands_still_however_long_the_pause(tmp_path: Path) -> None:
    setup = Setup(7, ruleset="standard", players=8, secrets=Secrets.JUDGE, speech_seconds=20)
    evening = Evening(setup, tmp_path, rests={"speech", "paused"})
    evening.until_asked("speech")
    evening.wait(8)
    evening.keyboard.type("暂停")
    evening.until_asked("paused")
    evening.wait(110)
    evening.keyboard.type("继续")
    evening.until_asked("speech")
    assert not any(isinstance(event, Elapsed) for event in evening.log.taken_)
    evening.until(lambda: Elapsed("limit") in evening.log.taken_, within=13)
    own = [span for span in evening.log.spans if span[0].about == "speech"]
    assert sum(taken - opened for _, opened, taken in own) - 20 == pytest.approx(0, abs=0.1)


def test_the_judge_may_pause_aloud_whenever_somebody_is_listened_to(tmp_path: Path) -> None:
    evening = Evening(JUDGE, tmp_path, rests=Everything())
    evening.until_asked("agree")
    evening.microphone.say("法官暂停")
    evening.until_asked("paused")
    evening.microphone.say("继续")
    evening.until_asked("agree")
    assert evening.log.lines[-1] == "lobby.agree"


def test_a_game_with_a_pause_in_every_line_is_the_same_game(tmp_path: Path) -> None:
    def ending(pauses: bool, folder: Path) -> tuple[object, list[str]]:
        evening = Evening(KEYPAD, folder, bell=Bell(), ears=False, rests={"paused", "review"})
        cut = ""
        while evening.about != "review":
            evening.wait(0.1)
            line = evening.log.lines[-1] if evening.log.lines else ""
            coming = evening.session.performance.coming
            may = coming is not None and coming.about != "review"
            new = line not in (cut, "pause.begins", "pause.ends", "pause.still")
            if pauses and may and new and not evening.about and evening.loudspeaker.playing:
                cut = line
                evening.keyboard.type("暂停")
                evening.until_asked("paused")
                evening.keyboard.type("继续")
                evening.until_taken()
        said = evening.log.notes
        return evening.log.note("verdict").data, [note.what for note in said if note.what != "command"]

    data, notes = ending(False, tmp_path / "plain")
    again, others = ending(True, tmp_path / "paused")
    assert again == data
    assert [what for what in others if what != "accepted"] == [what for what in notes if what != "accepted"]


def test_a_typist_is_not_needed_for_a_pause(tmp_path: Path) -> None:
    evening = in_mid_line(tmp_path, "day.killed", rests=("last_words",))
    assert isinstance(evening.typist, Typist)
    taken = len(evening.log.taken_)
    paused(evening)
    assert evening.log.taken_[taken:] == [Command("pause", unsaid=2)]
