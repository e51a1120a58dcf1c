"""A host records their own voice: what is heard most comes first, and what was kept stays kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from person import RATE, Person

from narrator.mouth.levels import LOUDNESS
from narrator.mouth.loudness import loudness
from narrator.mouth.loudspeaker import SilentLoudspeaker
from narrator.mouth.packfile import PackFile
from narrator.mouth.recorded import RecordedVoice
from narrator.table.studio import BLOCK_SECONDS, PERSON, Prompt, Studio, prompts

PROMPTS = [Prompt("请举手。", 0.5), Prompt("三号请发言。", 1.0)]


def walk(person: Person, folder: Path, wanted: Sequence[Prompt] = PROMPTS) -> bool:
    return Studio(person, SilentLoudspeaker(RATE), person, person.show).walk(
        wanted, PackFile(folder, "我们的法官")
    )


def test_what_is_said_most_often_in_a_game_comes_first() -> None:
    wanted = prompts(["甲", "乙", "丙", "丁"], {"乙": 6, "丁": 3, "甲": 1})
    assert [(one.text, one.share) for one in wanted] == [("乙", 0.6), ("丁", 0.9), ("甲", 1.0), ("丙", 1.0)]


def test_each_text_is_counted_down_to_recorded_played_and_kept(tmp_path: Path) -> None:
    person = Person([(1.0, 0.3), (1.5, 0.3)], ["", ""])
    assert walk(person, tmp_path / "ours") is True
    assert person.keys() == ["record_prompt", "record_ask"] * 2
    assert [params["left"] for key, params in person.shown if key == "record_countdown"] == [3, 2, 1] * 2
    voice = RecordedVoice(tmp_path / "ours")
    assert voice.name == "我们的法官"
    assert list(voice.takes) == ["请举手。", "三号请发言。"]
    for text, seconds in (("请举手。", 1.0), ("三号请发言。", 1.5)):
        clip = voice.clip(text)
        assert clip.seconds == pytest.approx(seconds, abs=0.25)
        assert loudness(clip.samples, clip.rate) == pytest.approx(LOUDNESS, abs=1.5)


def test_a_take_can_be_done_again_or_left_for_another_day(tmp_path: Path) -> None:
    person = Person([(1.0, 0.3), (0.6, 0.3), (1.0, 0.3)], ["a", "what?", "", "s"])
    assert walk(person, tmp_path / "ours") is True
    assert list(RecordedVoice(tmp_path / "ours").takes) == ["请举手。"]
    assert RecordedVoice(tmp_path / "ours").clip("请举手。").seconds < 0.9
    assert person.keys().count("record_ask") == 4


def test_who_stops_goes_on_the_next_time_where_they_stopped(tmp_path: Path) -> None:
    assert walk(Person([(1.0, 0.3), (1.0, 0.3)], ["", "q"]), tmp_path / "ours") is False
    again = Person([(1.0, 0.3)], [""])
    assert walk(again, tmp_path / "ours") is True
    assert [params["text"] for key, params in again.shown if key == "record_prompt"] == ["三号请发言。"]
    assert set(PackFile(tmp_path / "ours", "").entries) == {"请举手。", "三号请发言。"}


def test_a_clip_that_was_lost_is_asked_for_again(tmp_path: Path) -> None:
    walk(Person([(1.0, 0.3), (1.0, 0.3)], ["", ""]), tmp_path / "ours")
    pack = PackFile(tmp_path / "ours", "")
    entry = pack.current("请举手。", PERSON)
    assert entry is not None
    (tmp_path / "ours" / entry.file).unlink()
    again = Person([(1.0, 0.3)], [""])
    assert walk(again, tmp_path / "ours") is True
    assert [params["text"] for key, params in again.shown if key == "record_prompt"] == ["请举手。"]


@pytest.mark.parametrize(
    ("loud", "told"), [(3.0, "record_too_loud"), (0.012, "record_too_quiet"), (0.0, "record_nothing")]
)
def test_what_cant_be_used_is_said_and_taken_again(tmp_path: Path, loud: float, told: str) -> None:
    person = Person([(1.0, loud), (1.0, 0.3)], ["", ""])
    assert walk(person, tmp_path / "ours", PROMPTS[:1]) is True
    assert person.keys() == ["record_prompt", told, "record_ask_again", "record_prompt", "record_ask"]


def test_enter_ends_a_take_at_once(tmp_path: Path) -> None:
    class Hasty(Person):
        blocks = 0

        def read(self) -> np.ndarray:
            self.blocks += len(self._speech) > 0
            return super().read()

        def poll(self) -> str | None:
            if self.shown[-1][0] == "record_speak" and self.blocks >= 1.0 / BLOCK_SECONDS:
                self.blocks = 0
                return ""
            return super().poll()

    person = Hasty([(5.0, 0.3)], [""])
    assert walk(person, tmp_path / "ours", PROMPTS[:1]) is True
    assert 0.5 < RecordedVoice(tmp_path / "ours").clip("请举手。").seconds < 1.0


def test_a_terminal_that_closes_ends_it_and_nothing_is_lost(tmp_path: Path) -> None:
    assert walk(Person([(1.0, 0.3), (1.0, 0.3)], [""]), tmp_path / "ours") is False
    assert list(RecordedVoice(tmp_path / "ours").takes) == ["请举手。"]
