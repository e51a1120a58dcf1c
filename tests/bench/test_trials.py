"""A folder of recordings: names that say what must be understood, folders that say what was asked."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from sounds import silence, write

from narrator.faults import Fault
from narrator.moderator.expectations import Kind
from narrator.moderator.inputs import Answer, Command
from narrator.rehearsal.trials import Trial, collect, spoken_text
from narrator.resources import voices_folder
from narrator.understanding.phrasebook import Phrasebook, load_phrasebook


@pytest.fixture(scope="module")
def phrasebook() -> Phrasebook:
    return load_phrasebook(voices_folder() / "zh-CN" / "phrases.toml")


def recordings(folder: Path, *names: str) -> Path:
    for name in names:
        write(folder / name, silence(0.1))
    return folder


def kinds(trials: list[Trial]) -> dict[str, str]:
    return {trial.name: trial.kind for trial in trials}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("三号.wav", "三号"),
        ("三号_07.ogg", "三号"),
        ("三号_s07_quiet.flac", "三号"),
        ("没有票-2.wav", "没有票-2"),
        ("oov_中国.wav", "oov"),
        ("oov.wav", "oov"),
    ],
)
def test_the_text_is_the_name_up_to_the_first_underscore(name: str, text: str) -> None:
    assert spoken_text(name) == text


def test_the_question_follows_from_the_text(tmp_path: Path, phrasebook: Phrasebook) -> None:
    names = ("三号_1.wav", "三号玩家.wav", "五票.wav", "十二个人.wav", "确认.wav", "过.wav", "法官暂停.wav")
    trials = collect(recordings(tmp_path, *names), phrasebook)
    assert kinds(trials) == {
        "三号_1.wav": "number",
        "三号玩家.wav": "seat",
        "五票.wav": "votes",
        "十二个人.wav": "players",
        "确认.wav": "yesno",
        "过.wav": "pass",
        "法官暂停.wav": "command",
    }
    meanings = {trial.text: trial.meaning for trial in trials}
    assert meanings["五票"] == Answer(Kind.VOTES, 5)
    assert meanings["法官暂停"] == Command("pause")
    assert meanings["过"] == Answer(Kind.PASS, True)


def test_a_folder_named_after_a_kind_decides_and_the_nearest_counts(
    tmp_path: Path, phrasebook: Phrasebook
) -> None:
    recordings(tmp_path / "votes", "没有_1.wav", "seat/没有_1.wav", "seat/mary/三号.wav")
    assert kinds(collect(tmp_path, phrasebook)) == {
        "votes/seat/mary/三号.wav": "seat",
        "votes/seat/没有_1.wav": "seat",
        "votes/没有_1.wav": "votes",
    }
    # The folder itself may bear the name too.
    assert set(kinds(collect(tmp_path / "votes" / "seat", phrasebook)).values()) == {"seat"}


def test_the_command_line_decides_over_all(tmp_path: Path, phrasebook: Phrasebook) -> None:
    recordings(tmp_path, "number/三号.wav", "oov_1.wav")
    trials = collect(tmp_path, phrasebook, kind="seat")
    assert [(trial.kind, trial.meaning) for trial in trials] == [
        ("seat", Answer(Kind.SEAT, 3)),
        ("seat", None),
    ]


def test_what_must_give_nothing_is_put_to_every_question_the_others_are_put_to(
    tmp_path: Path, phrasebook: Phrasebook
) -> None:
    recordings(tmp_path, "五票.wav", "三号.wav", "oov_1.wav", "oov/中国.wav", "pass/oov_talk.wav")
    foreign = [trial for trial in collect(tmp_path, phrasebook) if trial.meaning is None]
    assert [(trial.name, trial.kind) for trial in foreign] == [
        ("oov/中国.wav", "number"),
        ("oov/中国.wav", "votes"),
        ("oov_1.wav", "number"),
        ("oov_1.wav", "votes"),
        ("pass/oov_talk.wav", "pass"),
    ]


def test_without_any_question_it_must_be_named(tmp_path: Path, phrasebook: Phrasebook) -> None:
    recordings(tmp_path, "oov_1.wav")
    with pytest.raises(Fault) as caught:
        collect(tmp_path, phrasebook)
    assert caught.value.key == "bench_which_kind"
    assert [trial.kind for trial in collect(tmp_path, phrasebook, "yesno")] == ["yesno"]


def test_other_files_and_hidden_ones_are_left_alone(tmp_path: Path, phrasebook: Phrasebook) -> None:
    recordings(tmp_path, "三号.wav", ".三号.wav")
    (tmp_path / "README.md").write_text("notes")
    (tmp_path / "十二.ogg").mkdir()
    assert list(kinds(collect(tmp_path, phrasebook))) == ["三号.wav"]


def test_names_whose_characters_are_taken_apart_are_read_too(phrasebook: Phrasebook) -> None:
    assert spoken_text(unicodedata.normalize("NFD", "é_1.wav")) == "é"


@pytest.mark.parametrize(
    ("names", "kind", "key"),
    [
        ((), None, "bench_no_recordings"),
        (("中国.wav",), None, "bench_unknown_text"),
        (("三号.wav",), "yesno", "bench_unknown_text"),
        (("yesno/三号.wav",), None, "bench_unknown_text"),
    ],
)
def test_what_cannot_be_measured_is_told(
    names: tuple[str, ...], kind: str | None, key: str, tmp_path: Path, phrasebook: Phrasebook
) -> None:
    with pytest.raises(Fault) as caught:
        collect(recordings(tmp_path, *names), phrasebook, kind)
    assert caught.value.key == key


def test_a_recording_that_cannot_be_read_is_told_before_anything_is_measured(
    tmp_path: Path, phrasebook: Phrasebook
) -> None:
    recordings(tmp_path, "一号.wav")
    (tmp_path / "三号.wav").write_bytes(b"RIFF, or something like it")
    with pytest.raises(Fault) as caught:
        collect(tmp_path, phrasebook)
    assert caught.value.key == "unreadable_audio"


def test_no_folder_is_told(tmp_path: Path, phrasebook: Phrasebook) -> None:
    with pytest.raises(Fault) as caught:
        collect(tmp_path / "none", phrasebook)
    assert caught.value.key == "bench_no_folder"
