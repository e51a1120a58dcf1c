"""The natural voices of a rehearsal: who speaks with which, and what happens where one is silent."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from tones import TONES, pitch, tone

from narrator.faults import Fault
from narrator.rehearsal.cast.natural import (
    INDEX,
    MOST_PACE,
    RecordedSpeaker,
    RecordedVoices,
    has_natural_cast,
    load_voices,
)
from narrator.rehearsal.cast.people import Cast
from narrator.rehearsal.room import SPEECH_LEVEL, Samples, level


class Whistle:
    """A stand-in that can say anything, as a high tone."""

    def can_say(self, text: str) -> bool:
        return True

    def says(self, text: str) -> Samples:
        return tone(3000.0)


class Whistles:
    """Stand-ins for everybody."""

    def speakers(self, rng: random.Random) -> Iterator[Whistle]:
        while True:
            yield Whistle()


def people(folder: Path, seed: int, count: int) -> list[RecordedSpeaker]:
    return list(islice(RecordedVoices(folder, Whistles()).speakers(random.Random(seed)), count))


def test_every_text_sounds_as_it_was_packed(small_cast: Path) -> None:
    for number, voice in enumerate(load_voices(small_cast).values()):
        for text, hertz in TONES.items():
            samples = voice.read(text)
            assert samples is not None
            assert len(samples) == len(tone(hertz))
            assert pitch(samples) == pytest.approx(hertz + 40 * number, abs=4)


def test_whoever_judges_knows_what_a_judge_says(small_cast: Path) -> None:
    judges = {people(small_cast, seed, 1)[0].name for seed in range(20)}
    assert judges == {"anna", "bao"}


def test_all_voices_are_taken_before_one_comes_again_at_another_pace(small_cast: Path) -> None:
    seated = people(small_cast, seed=3, count=7)
    assert {speaker.name for speaker in seated[:3]} == {"anna", "bao", "chen"}
    assert {speaker.name for speaker in seated[3:6]} == {"anna", "bao", "chen"}
    assert [speaker.pace for speaker in seated[:3]] == [1.0, 1.0, 1.0]
    assert all(0 < abs(speaker.pace - 1) <= MOST_PACE for speaker in seated[3:])


def test_another_pace_is_another_person(small_cast: Path) -> None:
    first, again = (s for s in people(small_cast, 3, 7) if s.name == "chen")
    ratio = pitch(again.says("没有票")) / pitch(first.says("没有票"))
    assert ratio == pytest.approx(again.pace, abs=0.005)
    assert len(first.says("没有票")) / len(again.says("没有票")) == pytest.approx(again.pace, abs=0.005)


def test_the_same_seed_seats_the_same_people(small_cast: Path) -> None:
    def seated(seed: int) -> list[tuple[str, float]]:
        return [(speaker.name, speaker.pace) for speaker in people(small_cast, seed, 9)]

    assert seated(5) == seated(5)
    assert len({tuple(seated(seed)) for seed in range(6)}) > 1


def test_what_is_not_recorded_is_spoken_by_somebody_else_and_told(small_cast: Path) -> None:
    voices = RecordedVoices(small_cast, Whistles())
    speaker = next(voices.speakers(random.Random(1)))
    assert pitch(speaker.says("过")) < 1000
    assert voices.missing == []
    assert pitch(speaker.says("我还没说完")) == pytest.approx(3000, abs=4)
    assert voices.missing == [f"{speaker.name}: 我还没说完"]


def test_people_choose_words_they_have_and_borrow_a_voice_only_for_others(small_cast: Path) -> None:
    cast = Cast(2, 1, RecordedVoices(small_cast, Whistles()))
    assert cast.sayable(1, ["没说完", "三号", "没错", "过"]) == ["三号", "过"]
    assert cast.sayable(1, ["没说完", "没错"]) == ["没说完", "没错"]


def test_a_table_of_natural_voices_is_as_loud_as_any(small_cast: Path) -> None:
    cast = Cast(5, 1, RecordedVoices(small_cast, Whistles()))
    loudness = [level(cast.says(seat, "三号")) / SPEECH_LEVEL for seat in range(6)]
    assert all(0.7 < ratio < 1.42 for ratio in loudness)
    assert len(set(loudness)) == 6


# What is wrong with a cast is told


def test_without_an_index_there_is_no_natural_cast(tmp_path: Path, small_cast: Path) -> None:
    assert has_natural_cast(small_cast)
    assert not has_natural_cast(tmp_path)


@pytest.fixture
def broken(small_cast: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_cast, tmp_path / "cast"))


def rehearsed(folder: Path) -> None:
    for speaker in people(folder, seed=1, count=3):
        speaker.says("过")


def fault(folder: Path) -> Fault:
    with pytest.raises(Fault) as caught:
        rehearsed(folder)
    assert caught.value.key == "broken_cast"
    return caught.value


@pytest.mark.parametrize(
    "index",
    ["[anna", "[anna]\njudge = true\n", '[anna]\njudge = true\nclips = { "过" = 3 }\n', "anna = 1\n"],
    ids=["no TOML", "no clips", "no place", "no voice"],
)
def test_an_index_that_cannot_be_used_is_told(broken: Path, index: str) -> None:
    (broken / INDEX).write_text(index, encoding="utf-8")
    assert fault(broken).params["file"] == broken / INDEX


def test_a_missing_index_is_told(tmp_path: Path) -> None:
    assert fault(tmp_path).params["file"] == tmp_path / INDEX


def test_a_cast_without_a_judge_is_told(broken: Path) -> None:
    index = (broken / INDEX).read_text(encoding="utf-8").replace("judge = true", "judge = false")
    (broken / INDEX).write_text(index, encoding="utf-8")
    assert "judge" in str(fault(broken).params["why"])


def test_a_missing_or_damaged_sound_file_is_told(broken: Path) -> None:
    for file in broken.glob("*.opus"):
        file.write_bytes(file.read_bytes()[:200])
    assert fault(broken).params["file"] in set(broken.glob("*.opus"))
    for file in broken.glob("*.opus"):
        file.unlink()
    assert fault(broken)


def test_a_sound_file_of_another_build_is_told(broken: Path) -> None:
    index = (broken / INDEX).read_text(encoding="utf-8")
    (broken / INDEX).write_text(index.replace(", 8000]", ", 800000]"), encoding="utf-8")
    assert "过" in str(fault(broken).params["why"])
